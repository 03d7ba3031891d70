import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MUCH_FROM } from '@headrace/contract/limits';
import type { Api } from '@headrace/contract/api';
import type { FarmCard } from '@headrace/contract/farms';
import { countText } from '@headrace/contract/rules/number-text';
import { call } from '../../api/client.ts';
import { Dialog } from '../../forms/dialog.tsx';
import { DangerWays } from '../../forms/danger-ways.tsx';
import { useTypedName } from '../../forms/typed-name.tsx';
import { toast } from '../../ui/toasts.ts';
import { BACKED_UP_TEXT, UNDOABLE_TEXT } from '../../forms/confirm-dialog.tsx';
import { offerUndo } from '../changes/undo.ts';
import classes from '../../forms/dialog-content.module.css';

export interface ResetLocationsProps {
  farm: FarmCard;
  what: 'sprinklers' | 'all';
  onClose: () => void;
}

const texts = {
  sprinklers: {
    title: 'Reset sprinkler locations?',
    text: (farm: string) => `Every sprinkler of ${farm} loses its place on the map.`,
    one: 'sprinkler',
    failed: "Couldn't reset all irrigation devices location!",
    reset: (farmUID: string) => call('DELETE /irrigation/reset-location', { query: { farmUID } }),
  },
  all: {
    title: 'Reset all device locations?',
    text: (farm: string) =>
      `Every sprinkler, gateway, repeater and sensor of ${farm} loses its place on the map. Points of interest and the farm's own pin stay.`,
    one: 'device',
    failed: "Couldn't reset all devices location!",
    reset: (farmUID: string) => call('DELETE /irrigation/reset-all-location', { query: { farmUID } }),
  },
} as const;

type Placed = Api['GET /irrigation/placed']['reply'];
const kinds = [
  ['sprinklers', 'sprinkler'],
  ['gateways', 'gateway'],
  ['repeaters', 'repeater'],
  ['sensors', 'sensor'],
] as const;

/** Those that lose their places: "42 sprinklers", "1 gateway". */
const countsOf = (placed: Placed, what: ResetLocationsProps['what']) =>
  kinds.flatMap(([many, one]) => {
    const n = what === 'all' || many === 'sprinklers' ? placed[many] : 0;
    return n === 0 ? [] : [{ n, text: countText(n, one, many) }];
  });

function placedText(counts: ReturnType<typeof countsOf>): string {
  const [first, ...others] = counts;
  if (!first) return 'None of them has one.';
  const all = listed(counts.map(({ text }) => text));
  return others.length === 0 && first.n === 1 ? `${all} loses its place.` : `${all} lose their places.`;
}

/** "42 sprinklers, 1 gateway and 3 sensors" */
const listed = (parts: readonly string[]) =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** Takes devices off the map, after saying which. */
export function ResetLocations({ farm, what, onClose }: ResetLocationsProps) {
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(true);
  const { title, text, one, failed, reset } = texts[what];
  const run = useMutation({
    mutationFn: () => reset(farm._id),
    onSuccess: async ({ reset: n, batchId }) => {
      const said = `${n} ${n === 1 ? `${one} has` : `${one}s have`} no location any more.`;
      offerUndo(queryClient, said, { farmUID: farm._id, batchId, act: 'reset locations' });
      setIsOpen(false);
      // Lists and maps of every kind show where devices are.
      await queryClient.invalidateQueries();
    },
    onError: () => toast.error(failed),
  });
  const { data, isError } = useQuery({
    queryKey: ['placed', farm._id],
    queryFn: ({ signal }) => call('GET /irrigation/placed', { query: { farmUID: farm._id }, signal }),
    // What is taken away is counted when it is asked about.
    staleTime: 0,
  });
  const counts = data && countsOf(data, what);
  const placed = counts?.reduce((sum, { n }) => sum + n, 0);
  // Not known how many: as if many.
  const isMuch = placed === undefined ? isError : placed >= MUCH_FROM;
  const { field, isTyped, ask } = useTypedName(isMuch ? farm.name : undefined);
  const isKnown = (placed !== undefined || isError) && !run.isPending;
  return (
    <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} onClosed={onClose} title={title}>
      <p className={classes.text}>
        {text(farm.name)}{' '}
        {isError
          ? 'How many have one is not known.'
          : counts
            ? placedText(counts)
            : 'Counting those that have one…'}
      </p>
      <p className={classes.text}>
        {placed !== undefined && isMuch && `${BACKED_UP_TEXT} `}
        {UNDOABLE_TEXT}
      </p>
      {field}
      <DangerWays
        onCancel={() => setIsOpen(false)}
        isReady={isKnown && isTyped}
        onPress={() => run.mutate()}
        onNotReady={isKnown ? ask : undefined}
      >
        {run.isPending ? 'Resetting…' : 'Reset'}
      </DangerWays>
    </Dialog>
  );
}

import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MUCH_FROM } from '@headrace/contract/limits';
import type { Api } from '@headrace/contract/api';
import type { FarmCard } from '@headrace/contract/farms';
import { call } from '../../api/client.ts';
import { Dialog } from '../../forms/dialog.tsx';
import { DangerWays } from '../../forms/danger-ways.tsx';
import { useTypedName } from '../../forms/typed-name.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { UNDO_OFFERED_MS } from '../changes/undo.ts';
import { renewAllFarms, restoreFarm } from './deleted-farms.queries.ts';
import { contentsQuery, DELETE_FARM_KEY } from './farm-edit.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './farm-dialogs.module.css';

type Contents = Api['GET /farm/contents']['reply'];

/** Deletes a farm, after saying what goes with it. */
export function DeleteFarm({ farm, onClose }: { farm: FarmCard; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(true);
  const contents = useQuery(contentsQuery(farm._id));
  const remove = useMutation({
    mutationKey: DELETE_FARM_KEY,
    mutationFn: () => call('DELETE /farm', { query: { farmId: farm._id, accountId: farm.accountId } }),
    onSuccess: async () => {
      const undo = {
        label: 'Undo',
        run: () => void restoreFarm(queryClient, { farmUID: farm._id, name: farm.name }),
      };
      toast.success('Farm deleted successfully!', { durationMs: UNDO_OFFERED_MS, action: undo });
      setIsOpen(false);
      await renewAllFarms(queryClient);
    },
    onError: () => toast.error("Farm couldn't be deleted!"),
  });
  const isMuch = contents.data !== undefined && devicesOf(contents.data) >= MUCH_FROM;
  const { field, isTyped, ask } = useTypedName(isMuch ? farm.name : undefined);
  const isKnown = contents.data !== undefined && !remove.isPending;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => setIsOpen(false)}
      onClosed={onClose}
      title={`Delete ${farm.name}?`}
    >
      <StateView
        query={contents}
        failed="What goes with it couldn't be loaded"
        skeleton={<Skeleton blockPx={96} />}
      >
        {(all) => <TakenAlong contents={all} />}
      </StateView>
      <p className={classes.text}>
        It can be undone for 30 days: here at once, later under “Deleted farms” on the home page. Then its
        devices and readings are erased.
      </p>
      {field}
      <DangerWays
        onCancel={() => setIsOpen(false)}
        isReady={isKnown && isTyped}
        onPress={() => remove.mutate()}
        onNotReady={isKnown ? ask : undefined}
      >
        {remove.isPending ? 'Deleting…' : 'Delete farm'}
      </DangerWays>
    </Dialog>
  );
}

const devicesOf = ({ sprinklers, gateways, repeaters, sensors, pois }: Contents): number =>
  sprinklers + gateways + repeaters + sensors + pois;

const labels: Record<keyof Contents, [one: string, many: string]> = {
  sprinklers: ['sprinkler', 'sprinklers'],
  gateways: ['gateway', 'gateways'],
  repeaters: ['repeater', 'repeaters'],
  sensors: ['sensor', 'sensors'],
  pois: ['point of interest', 'points of interest'],
  groups: ['group', 'groups'],
  schedules: ['schedule', 'schedules'],
  people: ['person it is shared with', 'people it is shared with'],
};

function TakenAlong({ contents }: { contents: Contents }) {
  const taken = (Object.keys(labels) as (keyof Contents)[]).filter((name) => contents[name] > 0);
  if (taken.length === 0)
    return <p className={classes.text}>The farm has no devices and is shared with nobody.</p>;
  return (
    <>
      <p className={classes.text}>With the farm go:</p>
      <ul className={classes.taken}>
        {taken.map((name) => (
          <li key={name} className="num">
            {contents[name]} {labels[name][contents[name] === 1 ? 0 : 1]}
          </li>
        ))}
      </ul>
      {contents.gateways > 0 && (
        <p className={classes.text}>
          Gateways are disconnected at once. Sprinklers keep watering by the schedules that they hold.
        </p>
      )}
    </>
  );
}

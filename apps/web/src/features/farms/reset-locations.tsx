import { useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FarmCard } from '@headrace/contract/farms';
import { call } from '../../api/client.ts';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { toast } from '../../ui/toasts.ts';
import classes from './farm-dialogs.module.css';

export interface ResetLocationsProps {
  farm: FarmCard;
  what: 'sprinklers' | 'all';
  onClose: () => void;
}

const words = {
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

/** Takes devices off the map, after saying which. */
export function ResetLocations({ farm, what, onClose }: ResetLocationsProps) {
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(true);
  const { title, text, one, failed, reset } = words[what];
  const run = useMutation({
    mutationFn: () => reset(farm._id),
    onSuccess: async ({ reset: n }) => {
      toast.success(`${n} ${n === 1 ? `${one} has` : `${one}s have`} no location any more.`);
      setIsOpen(false);
      // Lists and maps of every kind show where devices are.
      await queryClient.invalidateQueries();
    },
    onError: () => toast.error(failed),
  });
  return (
    <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} onClosed={onClose} title={title}>
      <p className={classes.text}>{text(farm.name)} Each can be set anew in its form.</p>
      <p className={classes.final}>This action cannot be undone!</p>
      <Ways>
        <Button variant="default" onClick={() => setIsOpen(false)} data-autofocus>
          Cancel
        </Button>
        <Button
          className={classes.danger ?? ''}
          aria-disabled={run.isPending}
          onClick={() => !run.isPending && run.mutate()}
        >
          {run.isPending ? 'Resetting…' : 'Reset'}
        </Button>
      </Ways>
    </Dialog>
  );
}

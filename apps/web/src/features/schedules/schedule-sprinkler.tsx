import { useCallback, useMemo } from 'react';
import { useNavigate } from '@tanstack/react-router';
import type { ScheduleFarm } from '@headrace/contract/schedule-templates';
import { openSprinkler, useSprinklerDialog } from '../sprinkler-dialog/sprinkler-search.ts';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const OpenSprinkler = lazyDialog<{ farmUID: string; onClose: () => void }>(() =>
  import('./open-sprinkler.tsx').then((m) => m.default),
);

/** Opens the dialog of a sprinkler of the farm, by its serial number. */
export function useOpenSprinkler(farm: ScheduleFarm | undefined): (serialNumber: string) => void {
  const navigate = useNavigate();
  const idOf = useMemo(
    () => new Map(farm?.groups.flatMap(({ ipcs }) => ipcs.map(({ serialNumber, id }) => [serialNumber, id]))),
    [farm],
  );
  return useCallback(
    (serialNumber) => {
      const id = idOf.get(serialNumber);
      if (id !== undefined) void navigate(openSprinkler(id));
    },
    [idOf, navigate],
  );
}

/** The dialog's place on a page of schedules. What it shows is asked for once it is wanted. */
export function ScheduleSprinklerHost({ farmUID }: { farmUID: string }) {
  const { search, close } = useSprinklerDialog();
  return search.ipc !== undefined && <OpenSprinkler farmUID={farmUID} onClose={close} />;
}

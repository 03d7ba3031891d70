import { useCallback, useMemo, useState } from 'react';
import type { ScheduleFarm } from '@headrace/contract/schedule-templates';
import { type Opening, useTapped } from '../sprinkler-dialog/opening.ts';
import { useSprinklerDialog } from '../sprinkler-dialog/sprinkler-search.ts';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import type { OpenSprinklerProps } from './open-sprinkler.tsx';

const OpenSprinkler = lazyDialog<OpenSprinklerProps & { onClose: () => void }>(() =>
  import('./open-sprinkler.tsx').then((m) => m.default),
);

/** Opens the dialog of a sprinkler of the farm, by its serial number. */
export function useOpenSprinkler(
  farm: ScheduleFarm | undefined,
  opening: Opening,
): (serialNumber: string) => void {
  const idOf = useMemo(
    () => new Map(farm?.groups.flatMap(({ ipcs }) => ipcs.map(({ serialNumber, id }) => [serialNumber, id]))),
    [farm],
  );
  return useCallback(
    (serialNumber) => {
      const id = idOf.get(serialNumber);
      if (id !== undefined) opening.open(id);
    },
    [idOf, opening],
  );
}

/** The dialog's place on a page of schedules. What it shows is asked for once it is wanted; from then on it stays. */
export function ScheduleSprinklerHost({ farmUID, opening }: Omit<OpenSprinklerProps, 'isOpen'>) {
  const { search, close } = useSprinklerDialog();
  const tapped = useTapped(opening);
  const isOpen = search.ipc !== undefined || tapped !== null;
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  const onClose = () => {
    if (!opening.takeBack()) close();
  };
  return wasOpen && <OpenSprinkler {...{ farmUID, opening, isOpen, onClose }} />;
}

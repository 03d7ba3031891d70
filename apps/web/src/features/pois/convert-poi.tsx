import { useState } from 'react';
import { Button } from '@mantine/core';
import { can, flag } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import type { ConvertedPoi } from './convert-dialog.tsx';
import type { ConvertDialogProps } from './convert-dialog.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const ConvertDialog = lazyDialog<ConvertDialogProps>(() =>
  import('./convert-dialog.tsx').then((m) => m.ConvertDialog),
);

type Target = 'sprinkler' | 'sensor';

/** What a point of interest can become. `onDone`: it has become that. */
export function ConvertPoi({ poi, onDone }: { poi: ConvertedPoi; onDone: () => void }) {
  const [target, setTarget] = useState<Target | null>(null);
  const convert = [flag('convertIrrigationDevices'), can('pois', 'Delete')];
  const may: Record<Target, boolean> = {
    sprinkler: useCan({ allOf: [...convert, can('irrigationDevices', 'Create')] }, poi.farmUID),
    sensor: useCan({ allOf: [...convert, can('sensors', 'Create')] }, poi.farmUID),
  };
  return (
    <>
      {(['sprinkler', 'sensor'] as const).map(
        (to) =>
          may[to] && (
            <Button key={to} variant="default" mih={44} onClick={() => setTarget(to)}>
              Convert to {to}
            </Button>
          ),
      )}
      {target && may[target] && (
        <ConvertDialog poi={poi} to={target} onClose={() => setTarget(null)} onDone={onDone} />
      )}
    </>
  );
}

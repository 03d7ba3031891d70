import { useState } from 'react';
import { Button } from '@mantine/core';
import type { Poi } from '@headrace/contract/pois';
import { can, flag } from '@headrace/contract/permissions';
import { useCan } from '../access/permissions.ts';
import { ConvertDialog } from './convert-dialog.tsx';

type Target = 'sprinkler' | 'sensor';

/** What a point of interest can become. */
export function ConvertPoi({ poi }: { poi: Poi }) {
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
      {target && may[target] && <ConvertDialog poi={poi} to={target} onClose={() => setTarget(null)} />}
    </>
  );
}

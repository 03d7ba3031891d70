import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { groupInfoQuery, useLiveGroup, WHOLE_FARM } from '../group-map/group-map.queries.ts';
import type { Opening } from '../sprinkler-dialog/opening.ts';
import { SprinklerDialogHost } from '../sprinkler-dialog/sprinkler-dialog-host.tsx';

export interface OpenSprinklerProps {
  farmUID: string;
  opening: Opening;
  isOpen: boolean;
}

/** The dialog of a sprinkler, with what the farm's map knows of it: before that is known nothing can be said of any. */
export default function OpenSprinkler({ farmUID, opening, isOpen }: OpenSprinklerProps) {
  const { data: info } = useQuery(groupInfoQuery(farmUID, WHOLE_FARM));
  useLiveGroup(farmUID, WHOLE_FARM);
  const units = info?.ipcs;
  const list = useMemo(() => units?.map((unit) => unit.id) ?? [], [units]);
  if (!units) return null;
  return (
    <SprinklerDialogHost
      opening={opening}
      isOpen={isOpen}
      farmUID={farmUID}
      hasGateway={(info?.gateways.length ?? 0) > 0}
      unitOf={(id) => units.find((unit) => unit.id === id) ?? null}
      list={list}
    />
  );
}

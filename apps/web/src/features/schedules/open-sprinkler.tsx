import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { groupInfoQuery, useLiveGroup, WHOLE_FARM } from '../group-map/group-map.queries.ts';
import { SprinklerDialogHost } from '../sprinkler-dialog/sprinkler-dialog-host.tsx';

/** The dialog of a sprinkler, with what the farm's map knows of it. */
export default function OpenSprinkler({ farmUID }: { farmUID: string }) {
  const { data: info } = useQuery(groupInfoQuery(farmUID, WHOLE_FARM));
  useLiveGroup(farmUID, WHOLE_FARM);
  const units = info?.ipcs;
  const list = useMemo(() => units?.map((unit) => unit.id) ?? [], [units]);
  return (
    <SprinklerDialogHost
      isOpen={units !== undefined}
      farmUID={farmUID}
      hasGateway={(info?.gateways.length ?? 0) > 0}
      unitOf={(id) => units?.find((unit) => unit.id === id) ?? null}
      list={list}
    />
  );
}

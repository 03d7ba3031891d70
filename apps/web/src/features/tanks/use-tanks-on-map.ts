import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { needs } from '@headrace/contract/permissions';
import type { MapMarker } from '../../map/marker.ts';
import { useCan } from '../../access/permissions.ts';
import type { Standing } from '../../device-records/device-record.ts';
import { useTankInsights } from '../insights/use-tank-insights.ts';
import { markerOf, tankDevice } from './map-devices.ts';
import { conditionOf, stateLabel } from './tank-view-model.ts';
import { tanksQuery } from './tanks.queries.ts';

/** By a tank's id. Empty where it isn't known or may not be read. */
export interface TanksOnMap {
  /** As the tank map draws them: other maps draw the same. Without those that have no place. */
  readonly markers: ReadonlyMap<string, MapMarker>;
  /** As the tank map's list says them; the label is empty where nothing is wrong. */
  readonly standings: ReadonlyMap<string, Standing>;
}

/** The farm's tanks for a map of other devices. `now` in epoch ms. */
export function useTanksOnMap(farmUID: string, now: number): TanksOnMap {
  const canSum = useCan(needs.tankSummary, farmUID);
  const { data } = useQuery({ ...tanksQuery(farmUID), enabled: canSum });
  const found = useTankInsights(farmUID);
  return useMemo(() => {
    const markers = new Map<string, MapMarker>();
    const standings = new Map<string, Standing>();
    for (const tank of data ?? []) {
      const device = tankDevice(tank, now, found.get(tank._id));
      const marker = markerOf(device, now);
      if (marker) markers.set(device.id, marker);
      const label = stateLabel(device.state).join(', ');
      standings.set(device.id, { condition: conditionOf(device.state), label });
    }
    return { markers, standings };
  }, [data, found, now]);
}

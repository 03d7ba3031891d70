import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { needs } from '@headrace/contract/permissions';
import type { MapMarker } from '../../map/marker.ts';
import { useCan } from '../../access/permissions.ts';
import { useTankInsights } from '../insights/use-tank-insights.ts';
import { markerOf, tankDevice } from './map-devices.ts';
import { tanksQuery } from './tanks.queries.ts';

/** The farm's tanks as the tank map draws them, by id: other maps draw the same. Empty where it isn't known or may not be read. `now` in epoch ms. */
export function useTankMarkers(farmUID: string, now: number): ReadonlyMap<string, MapMarker> {
  const canSum = useCan(needs.tankSummary, farmUID);
  const { data } = useQuery({ ...tanksQuery(farmUID), enabled: canSum });
  const found = useTankInsights(farmUID);
  return useMemo(() => {
    const markers = (data ?? []).map((tank) => markerOf(tankDevice(tank, now, found.get(tank._id)), now));
    return new Map(markers.flatMap((marker) => (marker ? [[marker.id, marker]] : [])));
  }, [data, found, now]);
}

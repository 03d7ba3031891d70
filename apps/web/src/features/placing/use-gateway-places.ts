import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { needs } from '@headrace/contract/permissions';
import type { LatLng } from '@headrace/contract/schemas';
import { useCan } from '../../access/permissions.ts';
import { gatewaysQuery } from '../../device-records/choices.queries.ts';
import { useFarmPin } from './use-farm-pin.ts';

/** Where the farm's gateways stand, by id, of those that have a place of their own; none for whoever may not read them. */
export function useGatewayPlaces(farmUID: string): ReadonlyMap<string, LatLng> {
  const mayRead = useCan(needs.readGateways, farmUID);
  const { data } = useQuery({ ...gatewaysQuery(farmUID), enabled: mayRead });
  const { placeOf } = useFarmPin(farmUID);
  return useMemo(() => {
    const places = new Map<string, LatLng>();
    for (const gateway of data ?? []) {
      const place = placeOf(gateway);
      if (place) places.set(gateway._id, place);
    }
    return places;
  }, [data, placeOf]);
}

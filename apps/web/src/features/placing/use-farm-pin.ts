import { useCallback } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Gateway } from '@headrace/contract/gateways';
import type { LatLng } from '@headrace/contract/schemas';
import { farmsCardQuery } from '../../farm/farms.queries.ts';

/** A gateway without a place is given out as standing at the farm's pin: there it has none of its own. */
export function useFarmPin(farmUID: string): { placeOf: (gateway: Gateway) => LatLng | null } {
  const { data } = useQuery(farmsCardQuery);
  const pin = data?.find(({ _id }) => _id === farmUID);
  const { lat, lng } = pin ?? {};
  const placeOf = useCallback(
    ({ location }: Gateway) => (location.lat === lat && location.lng === lng ? null : location),
    [lat, lng],
  );
  return { placeOf };
}

import { useQuery } from '@tanstack/react-query';
import { needs } from '@headrace/contract/permissions';
import { farPlaceQuestion } from '@headrace/contract/rules/far-place';
import type { LatLng } from '@headrace/contract/schemas';
import { isSame } from '../../forms/merge.ts';
import { useCan } from '../../access/permissions.ts';
import { farmQuery } from '../../farm/farms.queries.ts';
import { gatewaysQuery } from '../../device-records/choices.queries.ts';
import { useFarmPin } from './use-farm-pin.ts';

interface Placed {
  readonly place: LatLng | null;
  readonly gatewayUID?: string | undefined;
}

/** Asks before a new place far from the farm, or from the gateway that is to hear it, is saved. */
export function useFarPlace(farmUID: string): (values: Placed, base: Placed) => string | null {
  const { data: farm } = useQuery(farmQuery(farmUID));
  const canGateways = useCan(needs.readGateways, farmUID);
  const { data: gateways = [] } = useQuery({ ...gatewaysQuery(farmUID), enabled: canGateways });
  const { placeOf } = useFarmPin(farmUID);
  return ({ place, gatewayUID }, base) => {
    if (!place || !farm || isSame(place, base.place)) return null;
    const gateway = gateways.find(({ _id }) => _id === gatewayUID);
    const at = gateway && placeOf(gateway);
    return farPlaceQuestion(place, farm, gateway && at ? { ...at, name: gateway.name } : null);
  };
}

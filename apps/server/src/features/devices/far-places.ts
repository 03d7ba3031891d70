import { validateFarPlace, farFrom } from '@headrace/contract/rules/far-place';
import type { LatLng } from '@headrace/contract/schemas';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';

interface Place {
  readonly lat?: number | null | undefined;
  readonly lng?: number | null | undefined;
}
interface Entered extends Place {
  /** Absent: as it is. */
  readonly gatewayUID?: string | null | undefined;
}
interface Before extends Place {
  readonly gateway_id: number | null;
}
interface NamedPlace extends LatLng {
  readonly name: string;
}

export const placeIn = ({ lat, lng }: Place): LatLng | null =>
  typeof lat === 'number' && typeof lng === 'number' ? { lat, lng } : null;

/**
 * What the forms ask of places, for programs. A place that can't be is refused; one that hardly can be is taken, because the
 * calls' bodies are published and have no member to confirm it by, and the reply says so.
 */
export function createFarPlaces(db: Db) {
  return {
    /** Does it and adds `warning` to the reply where the place is new and far. `before`: the device as it was; null: it is new. */
    async tell<R extends object>(
      farm: FarmRow,
      entered: Entered,
      before: Before | null,
      run: () => Promise<R>,
    ): Promise<R & { warning?: string }> {
      const place = newPlace(entered, before);
      if (!place) return run();
      refuseFarPlace(place, farm, 'lat');
      const reply = await run();
      const gateways = await placesOfGateways(db, farm.id);
      const { gatewayUID } = entered;
      const gateway =
        gatewayUID === undefined
          ? gateways.find(({ id }) => id === before?.gateway_id)
          : gateways.find(({ uid }) => uid === gatewayUID?.toLowerCase());
      const far = farFrom(place, farm, gateway ?? null);
      return far === null ? reply : { ...reply, warning: `This place is ${far}.` };
    },
  };
}
export type FarPlaces = ReturnType<typeof createFarPlaces>;

/** Forms send the place with every change: one that stays is nothing to speak of. */
function newPlace(entered: Entered, before: Before | null): LatLng | null {
  const place = placeIn(entered);
  return place && before?.lat === place.lat && before.lng === place.lng ? null : place;
}

/** Throws invalid at `field` where a device can't stand there. */
export function refuseFarPlace(place: LatLng, farm: FarmRow, field: string): void {
  const fieldError = validateFarPlace(place, farm);
  if (fieldError !== null) throw invalid(fieldError, field);
}

interface PlacedGateway extends NamedPlace {
  readonly id: number;
  readonly uid: string;
}

/** The farm's gateways that have a place of their own. */
export async function placesOfGateways(db: Db, farmId: number): Promise<PlacedGateway[]> {
  const rows = await db
    .selectFrom('device')
    .select(['id', 'uid', 'name', 'lat', 'lng'])
    .where('farm_id', '=', farmId)
    .where('kind', '=', 'gateway')
    .where('deleted_at', 'is', null)
    .execute();
  return rows.flatMap(({ id, uid, name, ...at }) => {
    const place = placeIn(at);
    return place ? [{ id, uid, name, ...place }] : [];
  });
}

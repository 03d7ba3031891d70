import type { Db } from '../../db/client.ts';
import type { DeviceKind } from '../../db/schema.ts';
import { type By, changeRecords, type DeviceRecords } from './device-records.ts';

/** The places of a farm's devices on the map. */
export function createLocations(records: DeviceRecords) {
  return {
    /** Forgets where the devices of these kinds are; how many had a place. The change log keeps the places. */
    reset(farmId: number, kinds: readonly DeviceKind[], by: By): Promise<number> {
      return records.together(farmId, async (trx) =>
        changeRecords(
          trx,
          farmId,
          await placed(trx, farmId, kinds),
          { lat: null, lng: null },
          by,
          'reset location',
        ),
      );
    },
  };
}
export type Locations = ReturnType<typeof createLocations>;

function placed(trx: Db, farmId: number, kinds: readonly DeviceKind[]): Promise<{ id: number }[]> {
  return trx
    .selectFrom('device')
    .select('id')
    .where('farm_id', '=', farmId)
    .where('kind', 'in', kinds)
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb('lat', 'is not', null), eb('lng', 'is not', null)]))
    .orderBy('id')
    .forUpdate()
    .execute();
}

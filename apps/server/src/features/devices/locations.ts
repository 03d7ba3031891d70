import type { Db } from '../../db/client.ts';
import type { DeviceKind } from '../../db/schema.ts';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { placedDevices, resetIpcLocations } from '@headrace/contract/irrigation-devices';
import { changeRecords } from './change-records.ts';
import type { DeviceRecords } from './device-records.ts';
import type { By } from './record-change.ts';

type LocationsReset = ReplyOf<typeof resetIpcLocations>;

/** The places of a farm's devices on the map. */
export function createLocations(db: Db, records: DeviceRecords) {
  return {
    /** How many devices of each kind have a place. */
    async placed(farmId: number): Promise<ReplyOf<typeof placedDevices>> {
      const rows = await db
        .selectFrom('device')
        .select(({ fn }) => ['kind', fn.countAll<string>().as('count')])
        .where('farm_id', '=', farmId)
        .where('deleted_at', 'is', null)
        .where((eb) => eb.or([eb('lat', 'is not', null), eb('lng', 'is not', null)]))
        .groupBy('kind')
        .execute();
      const of = (kind: DeviceKind) => Number(rows.find((row) => row.kind === kind)?.count ?? 0);
      return {
        sprinklers: of('sprinkler'),
        gateways: of('gateway'),
        repeaters: of('repeater'),
        sensors: of('sensor'),
      };
    },

    /** Forgets where the devices of these kinds are; how many had a place, and what undoes it. The change log keeps the places. */
    async reset(farmId: number, kinds: readonly DeviceKind[], by: By): Promise<LocationsReset> {
      const whose = kinds.length > 1 ? 'all devices' : 'all sprinklers';
      const what = { act: 'reset locations', title: `Locations of ${whose} reset` } as const;
      const { result, batchId } = await records.undoable(farmId, by, what, async (trx, batched) => {
        const { length: many } = await placed(trx, farmId, kinds).execute();
        await records.backUpBefore(trx, farmId, `the locations of ${whose} were reset`, many, batched);
        const nowhere = { lat: null, lng: null };
        const devices = await placed(trx, farmId, kinds).forUpdate().execute();
        return changeRecords(trx, farmId, devices, nowhere, batched, 'reset location');
      });
      return { success: true, reset: result, batchId };
    },
  };
}
export type Locations = ReturnType<typeof createLocations>;

const placed = (trx: Db, farmId: number, kinds: readonly DeviceKind[]) =>
  trx
    .selectFrom('device')
    .select('id')
    .where('farm_id', '=', farmId)
    .where('kind', 'in', kinds)
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb('lat', 'is not', null), eb('lng', 'is not', null)]))
    .orderBy('id');

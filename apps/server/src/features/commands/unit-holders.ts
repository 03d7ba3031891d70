import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceKind } from '../../db/schema.ts';
import { outOfService } from './out-of-service.ts';

export interface Holder {
  mac: string | null;
  name: string;
  serialNumber: string;
  kind: DeviceKind;
  outOfService: boolean;
}

/** Who has a MAC address or serial number that another unit is to come with. */
export const createUnitHolders = (db: Db) => ({
  /** Whether another farm has this MAC address. */
  async isElsewhere(farmId: number, mac: string): Promise<boolean> {
    const row = await db
      .selectFrom('device')
      .select('id')
      .where('mac', '=', mac)
      .where('farm_id', '<>', farmId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    return row !== undefined;
  },

  /** Who has this MAC address or serial number on the farm, whatever it is; the MAC address counts first. */
  holder(farmId: number, mac: string, serialNumber: string): Promise<Holder | undefined> {
    return db
      .selectFrom('device as d')
      .select(['d.mac', 'd.name', 'd.serial_number as serialNumber', 'd.kind', outOfService])
      .where('d.farm_id', '=', farmId)
      .where('d.deleted_at', 'is', null)
      .where(({ eb, or }) =>
        or([eb('d.mac', '=', mac), eb(sql`lower(d.serial_number)`, '=', serialNumber.toLowerCase())]),
      )
      .orderBy(sql`d.mac is distinct from ${mac}`)
      .orderBy('d.id')
      .executeTakeFirst();
  },
});

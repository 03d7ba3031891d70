import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { NewDevice } from '../../db/schema.ts';

export function createSensorsRepo(db: Db) {
  return {
    /**
     * False when a device in use has this MAC, on this farm or on another: readings are told apart by it. The lock keeps
     * two farms from taking the same one at once; the key can't, since it begins with the farm.
     */
    add(farmId: number, sensor: Omit<NewDevice, 'farm_id' | 'kind'> & { mac: string }): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${`headrace mac ${sensor.mac}`}, 0))`.execute(
          trx,
        );
        const taken = await trx
          .selectFrom('device')
          .select('id')
          .where('mac', '=', sensor.mac)
          .where('deleted_at', 'is', null)
          .executeTakeFirst();
        if (taken) return false;
        await trx
          .insertInto('device')
          .values({ ...sensor, farm_id: farmId, kind: 'sensor' })
          .execute();
        return true;
      });
    },

    async remove(farmId: number, deviceId: number, now: Date): Promise<void> {
      await db
        .updateTable('device')
        .set({ deleted_at: now, updated_at: now })
        .where('farm_id', '=', farmId)
        .where('id', '=', deviceId)
        .where('deleted_at', 'is', null)
        .execute();
    },
  };
}
export type SensorsRepo = ReturnType<typeof createSensorsRepo>;

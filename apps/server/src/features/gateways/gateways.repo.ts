import type { Db } from '../../db/client.ts';
import type { Database } from '../../db/schema.ts';
import type { Selectable } from 'kysely';

export type GatewayState = Selectable<Database['gateway_state']>;
export type IntegrationKeyRow = Selectable<Database['integration_key']>;

export interface NewIntegrationKey {
  uid: string;
  name: string;
  userName: string;
  keyHash: Buffer;
  brokerHash: string;
  createdAt: Date;
}

export function createGatewaysRepo(db: Db) {
  return {
    state(farmId: number, deviceId: number): Promise<GatewayState | undefined> {
      return db
        .selectFrom('gateway_state')
        .selectAll()
        .where('farm_id', '=', farmId)
        .where('device_id', '=', deviceId)
        .executeTakeFirst();
    },

    keys(farmId: number): Promise<IntegrationKeyRow[]> {
      return db
        .selectFrom('integration_key')
        .selectAll()
        .where('farm_id', '=', farmId)
        .where('deleted_at', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
    },

    /** False when the farm has `max` keys already. The farm's row is locked, so that two calls at once can't pass the limit. */
    addKey(farmId: number, key: NewIntegrationKey, max: number): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        await trx.selectFrom('farm').select('id').where('id', '=', farmId).forUpdate().execute();
        const { count } = await trx
          .selectFrom('integration_key')
          .select((eb) => eb.fn.countAll<string>().as('count'))
          .where('farm_id', '=', farmId)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow();
        if (Number(count) >= max) return false;
        await trx
          .insertInto('integration_key')
          .values({
            farm_id: farmId,
            uid: key.uid,
            name: key.name,
            user_name: key.userName,
            key_hash: key.keyHash,
            broker_hash: key.brokerHash,
            created_at: key.createdAt,
            last_used_at: null,
            deleted_at: null,
          })
          .execute();
        return true;
      });
    },

    /** Id of the key that was withdrawn; undefined when the farm has no such key. */
    async deleteKey(farmId: number, uid: string, now: Date): Promise<number | undefined> {
      const row = await db
        .updateTable('integration_key')
        .set({ deleted_at: now })
        .where('farm_id', '=', farmId)
        .where('uid', '=', uid)
        .where('deleted_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      return row?.id;
    },

    /** False when another gateway that is still in use signs in with this MAC. Keys the gateway had end. */
    setGatewayKey(
      farmId: number,
      deviceId: number,
      mac: string,
      hashes: Pick<NewIntegrationKey, 'keyHash' | 'brokerHash'>,
      now: Date,
    ): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        const key = {
          farm_id: farmId,
          device_id: deviceId,
          key_hash: hashes.keyHash,
          broker_hash: hashes.brokerHash,
          created_at: now,
        };
        const written = await trx
          .insertInto('gateway_key')
          .values({ mac, ...key })
          .onConflict((conflict) =>
            conflict
              .column('mac')
              .doUpdateSet(key)
              .where(({ not, exists, selectFrom }) =>
                not(
                  exists(
                    selectFrom('device')
                      .select('device.id')
                      .whereRef('device.farm_id', '=', 'gateway_key.farm_id')
                      .whereRef('device.id', '=', 'gateway_key.device_id')
                      .where('device.id', '!=', deviceId)
                      .where('device.deleted_at', 'is', null),
                  ),
                ),
              ),
          )
          .returning('mac')
          .executeTakeFirst();
        if (!written) return false;
        await trx
          .deleteFrom('gateway_key')
          .where('farm_id', '=', farmId)
          .where('device_id', '=', deviceId)
          .where('mac', '!=', mac)
          .execute();
        return true;
      });
    },
  };
}
export type GatewaysRepo = ReturnType<typeof createGatewaysRepo>;

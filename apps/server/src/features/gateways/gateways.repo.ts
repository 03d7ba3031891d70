import type { Db } from '../../db/client.ts';
import { claimOnce } from '../../db/once.ts';
import type { Database, DeviceRow } from '../../db/schema.ts';
import { type Selectable, sql } from 'kysely';

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

    gateways(farmId: number): Promise<DeviceRow[]> {
      return db
        .selectFrom('device')
        .selectAll()
        .where('farm_id', '=', farmId)
        .where('kind', '=', 'gateway')
        .where('deleted_at', 'is', null)
        .orderBy('name')
        .orderBy('id')
        .execute();
    },

    async states(farmId: number): Promise<Map<number, GatewayState>> {
      const rows = await db.selectFrom('gateway_state').selectAll().where('farm_id', '=', farmId).execute();
      return new Map(rows.map((row) => [row.device_id, row]));
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
        await claimOnce(trx);
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
    setGatewayKey(device: DeviceRow, mac: string, hashes: KeyHashes, now: Date): Promise<boolean> {
      return db.transaction().execute((trx) => writeGatewayKey(trx, device, mac, hashes, now));
    },
  };
}
export type GatewaysRepo = ReturnType<typeof createGatewaysRepo>;

export type KeyHashes = Pick<NewIntegrationKey, 'keyHash' | 'brokerHash'>;

/** False when another gateway that is still in use signs in with this MAC. Keys the gateway had end. */
export async function writeGatewayKey(
  trx: Db,
  { farm_id, id }: DeviceRow,
  mac: string,
  { keyHash, brokerHash }: KeyHashes,
  now: Date,
): Promise<boolean> {
  const key = { farm_id, device_id: id, key_hash: keyHash, broker_hash: brokerHash, created_at: now };
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
                .where('device.id', '!=', id)
                .where('device.deleted_at', 'is', null),
            ),
          ),
        ),
    )
    .returning('mac')
    .executeTakeFirst();
  if (!written) return false;
  await endGatewayKeys(trx, farm_id, id, mac);
  return true;
}

/** The keys of a gateway, but for the one that it signs in with as `exceptMac`. */
export async function endGatewayKeys(
  trx: Db,
  farmId: number,
  deviceId: number,
  exceptMac: string | null,
): Promise<void> {
  await trx
    .deleteFrom('gateway_key')
    .where('farm_id', '=', farmId)
    .where('device_id', '=', deviceId)
    .$if(exceptMac !== null, (query) => query.where('mac', '!=', exceptMac ?? ''))
    .execute();
}

/** What is known of a gateway that has not spoken yet. */
export async function addGatewayState(trx: Db, { farm_id, id }: DeviceRow): Promise<void> {
  await trx
    .insertInto('gateway_state')
    .values({ farm_id, device_id: id, state_at: null, contact_at: null, boot_id: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The row of its key, as JSON: a gateway that comes back signs in as before. */
export async function gatewayKeyOf(trx: Db, { farm_id, id }: DeviceRow): Promise<KeyRow | undefined> {
  const { rows } = await sql<{ row: KeyRow }>`select to_jsonb(k) as row from gateway_key k
    where k.farm_id = ${farm_id} and k.device_id = ${id}`.execute(trx);
  return rows[0]?.row;
}
type KeyRow = Readonly<Record<string, unknown>>;

/** Devices that name this gateway. Once it has left the farm they name none: the farm's first speaks for them. */
export const unitsOf = (trx: Db, { farm_id, id }: DeviceRow): Promise<{ id: number }[]> =>
  trx
    .selectFrom('device')
    .select('id')
    .where('farm_id', '=', farm_id)
    .where('gateway_id', '=', id)
    .where('deleted_at', 'is', null)
    .execute();

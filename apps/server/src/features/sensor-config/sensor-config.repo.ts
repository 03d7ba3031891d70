import { type Kysely, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { Database, DeviceRow } from '../../db/schema.ts';
import { REPLACED } from './config-fault.ts';

export interface NewConfig {
  uid: string;
  type: number;
  config: object;
  gatewayId: number;
  createdAt: Date;
  expiresAt: Date;
}

/** One that is to go out now. */
export interface DueConfig {
  uid: string;
  type: number;
  config: Record<string, unknown>;
  expiresAt: Date;
  sensorMac: string;
  gatewayMac: string;
}

export interface ConfigRow {
  uid: string;
  processed_at: Date | null;
  sent_at: Date | null;
  expires_at: Date | null;
  error: string | null;
}

export interface Waiting {
  farmId: number;
  gatewayId: number;
}

/** What is on its way and was not answered is sent again after this: a server may have died while it sent it. */
const isUnsent = (now: Date) =>
  sql`(c.sent_at is null or c.sent_at <= ${now}::timestamptz - interval '10 minutes')`;
const isWaiting = sql`c.processed_at is null and c.error is null`;

export function createSensorConfigRepo(db: Db) {
  return {
    /** The gateway that speaks for the sensor: its own, else the farm's only one. Null: there is none, or none is named. */
    async gatewayOf(sensor: DeviceRow): Promise<number | null> {
      const gateways = await db
        .selectFrom('device')
        .select('id')
        .where('farm_id', '=', sensor.farm_id)
        .where('kind', '=', 'gateway')
        .where('deleted_at', 'is', null)
        .execute();
      const own = gateways.find(({ id }) => id === sensor.gateway_id);
      return (own ?? (gateways.length === 1 ? gateways[0] : undefined))?.id ?? null;
    },

    /** Whether a LoRaWAN network server speaks for it. */
    async isHeardByNetwork({ farm_id, id, mapping, builtin_codec, codec_id }: DeviceRow): Promise<boolean> {
      if (mapping !== null || builtin_codec !== null || codec_id !== null) return true;
      const row = await db
        .selectFrom('last_uplink')
        .select('device_id')
        .where('farm_id', '=', farm_id)
        .where('device_id', '=', id)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Takes the place of what waits for this sensor and is of the same type. */
    add({ farm_id: farmId, id: deviceId }: DeviceRow, config: NewConfig): Promise<void> {
      return db.transaction().execute(async (trx) => {
        await lockSensor(trx, farmId, deviceId);
        const waiting = sql`farm_id = ${farmId} and device_id = ${deviceId} and type = ${config.type}
          and processed_at is null and error is null`;
        await sql`delete from config_update where ${waiting} and sent_at is null`.execute(trx);
        await sql`update config_update set error = ${REPLACED} where ${waiting}`.execute(trx);
        await trx
          .insertInto('config_update')
          .values({
            farm_id: farmId,
            uid: config.uid,
            device_id: deviceId,
            type: config.type,
            config: JSON.stringify(config.config),
            created_at: config.createdAt,
            processed_at: null,
            gateway_id: config.gatewayId,
            expires_at: config.expiresAt,
          })
          .execute();
      });
    },

    /** What becomes of one that is to be withdrawn: it is gone where `mayGo` says so, and stays where not. */
    withdraw(
      { farm_id: farmId, id: deviceId }: DeviceRow,
      uid: string,
      mayGo: (row: ConfigRow) => boolean,
    ): Promise<ConfigRow | undefined> {
      return db.transaction().execute(async (trx) => {
        await lockSensor(trx, farmId, deviceId);
        const row = await trx
          .selectFrom('config_update')
          .select(['uid', 'processed_at', 'sent_at', 'expires_at', 'error'])
          .where('farm_id', '=', farmId)
          .where('device_id', '=', deviceId)
          .where('uid', '=', uid)
          .forUpdate()
          .executeTakeFirst();
        if (row && mayGo(row))
          await trx
            .deleteFrom('config_update')
            .where('farm_id', '=', farmId)
            .where('uid', '=', uid)
            .execute();
        return row;
      });
    },

    /** Oldest first; after a hello (`isBack`) also what was sent and not answered. */
    async due({ farmId, gatewayId }: Waiting, isBack: boolean, now: Date): Promise<DueConfig[]> {
      const { rows } = await sql<DueConfig>`select c.uid, c.type, c.config, c.expires_at as "expiresAt",
          d.mac as "sensorMac", g.mac as "gatewayMac"
        from config_update c
        join device d on d.farm_id = c.farm_id and d.id = c.device_id and d.deleted_at is null and d.mac is not null
        join device g on g.farm_id = c.farm_id and g.id = c.gateway_id and g.deleted_at is null and g.mac is not null
        join gateway_state s on s.farm_id = g.farm_id and s.device_id = g.id
        where c.farm_id = ${farmId} and c.gateway_id = ${gatewayId} and ${isWaiting} and c.expires_at > ${now}
          and (s.online or ${isBack}) and (${isUnsent(now)} or ${isBack})
        order by c.id`.execute(db);
      return rows;
    },

    /** Noted before it is published: from then on it can't be taken back. False when somebody withdrew or replaced it. */
    async claim(farmId: number, uid: string, at: Date): Promise<boolean> {
      const row = await db
        .updateTable('config_update')
        .set({ sent_at: at })
        .where('farm_id', '=', farmId)
        .where('uid', '=', uid)
        .where('processed_at', 'is', null)
        .where('error', 'is', null)
        .returning('uid')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The broker didn't take it: it waits again. */
    async unclaim(farmId: number, uid: string): Promise<void> {
      await db
        .updateTable('config_update')
        .set({ sent_at: null })
        .where('farm_id', '=', farmId)
        .where('uid', '=', uid)
        .execute();
    },

    /** Gateways that are there and for which something waits. */
    async waiting(now: Date): Promise<Waiting[]> {
      const { rows } = await sql<Waiting>`select distinct c.farm_id as "farmId", c.gateway_id as "gatewayId"
        from config_update c join gateway_state s on s.farm_id = c.farm_id and s.device_id = c.gateway_id and s.online
        where ${isWaiting} and ${isUnsent(now)} and c.expires_at > ${now}`.execute(db);
      return rows;
    },
  };
}
export type SensorConfigRepo = ReturnType<typeof createSensorConfigRepo>;

/** Two who set the same sensor at once: one after the other. */
async function lockSensor(trx: Kysely<Database>, farmId: number, deviceId: number): Promise<void> {
  await trx
    .selectFrom('device')
    .select('id')
    .where('farm_id', '=', farmId)
    .where('id', '=', deviceId)
    .forUpdate()
    .execute();
}

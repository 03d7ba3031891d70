import { type RawBuilder, sql } from 'kysely';
import type { IoSettings } from '@headrace/contract/gateway-io';
import { gatewayTypes } from '@headrace/contract/gateway-types';
import { tankTypes } from '@headrace/contract/sensor-types';
import type { SensorSettings } from '@headrace/contract/sensors';
import type { Db } from '../../db/client.ts';

export interface IoGatewayRow {
  farmId: number;
  farmUid: string;
  deviceId: number;
  uid: string;
  name: string;
  mac: string;
  serialNumber: string;
  online: boolean;
  /** Null: nobody has set anything. */
  settings: IoSettings | null;
  /** The last message made of them, '' when there was none. */
  told: string;
  rev: number;
  sentRev: number;
  sentAt: Date | null;
  ackedRev: number;
  /** Of what people entered; 0: nothing. */
  version: number;
}

/** A tank sensor that a relay can be bound to. */
export interface IoTankRow {
  farmId: number;
  uid: string;
  name: string;
  mac: string;
  settings: SensorSettings;
  levelMm: number | null;
  /** Null: it has never told a level. */
  levelAt: Date | null;
  lowSetpoint: number | null;
}

export interface PortRow {
  metric: string;
  at: Date;
  value: number | null;
}

const gatewayColumns = sql`d.farm_id as "farmId", f.uid as "farmUid", d.id as "deviceId", d.uid, d.name,
  coalesce(d.mac, '') as mac, d.serial_number as "serialNumber", coalesce(s.online, false) as online, io.settings,
  coalesce(io.told, '') as told, coalesce(io.rev, 0) as rev, coalesce(io.sent_rev, 0) as "sentRev", io.sent_at as "sentAt",
  coalesce(io.acked_rev, 0) as "ackedRev", coalesce(io.version, 0) as version`;
const gatewayTables = sql`device d join farm f on f.id = d.farm_id and f.deleted_at is null
  left join gateway_state s on s.farm_id = d.farm_id and s.device_id = d.id
  left join gateway_io io on io.farm_id = d.farm_id and io.device_id = d.id`;
const isGateway = sql`d.kind = 'gateway' and d.deleted_at is null`;

/** INC gateways have inputs and relays; so has any other that has told of some. */
const hasPorts = sql`(d.type = ${gatewayTypes.INC} or io.farm_id is not null
  or exists (select from series x where x.farm_id = d.farm_id and x.device_id = d.id and x.metric = 'relay1'))`;

const latestOf = (metric: string, column: RawBuilder<unknown>) => sql`(select ${column} from series x
  join latest l on l.farm_id = x.farm_id and l.series_id = x.id
  where x.farm_id = d.farm_id and x.device_id = d.id and x.metric = ${metric})`;

export function createGatewayIoRepo(db: Db) {
  return {
    /** The one with this MAC address, else the first with inputs and relays. */
    async gateway(farmId: number, mac: string | null): Promise<IoGatewayRow | undefined> {
      const chosen = mac === null ? hasPorts : sql`d.mac = ${mac}`;
      const { rows } = await sql<IoGatewayRow>`select ${gatewayColumns} from ${gatewayTables}
        where d.farm_id = ${farmId} and ${isGateway} and ${chosen} order by d.id limit 1`.execute(db);
      return rows[0];
    },

    async byId(farmId: number, deviceId: number, trx: Db = db): Promise<IoGatewayRow | undefined> {
      const { rows } = await sql<IoGatewayRow>`select ${gatewayColumns} from ${gatewayTables}
        where d.farm_id = ${farmId} and d.id = ${deviceId} and ${isGateway}`.execute(trx);
      return rows[0];
    },

    /** Gateways for which somebody has set something: of one farm, or of all. */
    async settled(farmId: number | null): Promise<IoGatewayRow[]> {
      const ofFarm = farmId === null ? sql`true` : sql`io.farm_id = ${farmId}`;
      const { rows } = await sql<IoGatewayRow>`select ${gatewayColumns} from ${gatewayTables}
        where io.farm_id is not null and ${isGateway} and ${ofFarm}`.execute(db);
      return rows;
    },

    /** Tank sensors of these farms, by name. */
    async tanks(farmIds: readonly number[], trx: Db = db): Promise<IoTankRow[]> {
      if (farmIds.length === 0) return [];
      const { rows } = await sql<IoTankRow>`
        select d.farm_id as "farmId", d.uid, d.name, d.mac, d.settings,
          ${latestOf('levelMm', sql`l.value`)} as "levelMm", ${latestOf('levelMm', sql`l.at`)} as "levelAt",
          ${latestOf('lowSetpoint', sql`l.value`)} as "lowSetpoint"
        from device d where d.farm_id = any(${[...farmIds]}) and d.kind = 'sensor'
          and d.type = any(${[...tankTypes]}) and d.deleted_at is null and d.mac is not null
        order by lower(d.name), d.id`.execute(trx);
      return rows;
    },

    /** What a sensor that may be gone was called. */
    async nameOf(farmId: number, uid: string, trx: Db): Promise<string> {
      const row = await trx
        .selectFrom('device')
        .select('name')
        .where('farm_id', '=', farmId)
        .where('uid', '=', uid)
        .executeTakeFirst();
      return row?.name ?? uid;
    },

    /** The newest of each input and relay. */
    async ports(farmId: number, deviceId: number): Promise<PortRow[]> {
      const { rows } = await sql<PortRow>`
        select x.metric, l.at, l.value from series x
        join latest l on l.farm_id = x.farm_id and l.series_id = x.id
        where x.farm_id = ${farmId} and x.device_id = ${deviceId} and x.metric ~ '^(input|relay)[1-6]$'
          and l.at is not null`.execute(db);
      return rows;
    },

    /** Whoever changes the settings of a gateway waits for whoever does so already. */
    async lock(trx: Db, gatewayId: number): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtext('headrace inputs and relays'), ${gatewayId})`.execute(
        trx,
      );
    },

    async write(
      trx: Db,
      { farmId, deviceId }: Pick<IoGatewayRow, 'farmId' | 'deviceId'>,
      row: { settings: IoSettings; told: string; rev: number; version: number },
    ): Promise<void> {
      const columns = { ...row, settings: JSON.stringify(row.settings) };
      await trx
        .insertInto('gateway_io')
        .values({ farm_id: farmId, device_id: deviceId, ...columns })
        .onConflict((conflict) => conflict.columns(['farm_id', 'device_id']).doUpdateSet(columns))
        .execute();
    },

    async noteSent(farmId: number, deviceId: number, rev: number, at: Date): Promise<void> {
      await db
        .updateTable('gateway_io')
        .set({ sent_rev: rev, sent_at: at })
        .where('farm_id', '=', farmId)
        .where('device_id', '=', deviceId)
        .execute();
    },
  };
}
export type GatewayIoRepo = ReturnType<typeof createGatewayIoRepo>;

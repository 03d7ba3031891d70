import { sql } from 'kysely';
import type { Radio } from '@headrace/contract/rules/spare-readiness';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import type { Db } from '../../db/client.ts';
import type { DeviceKind, DeviceRow, FarmRow } from '../../db/schema.ts';
import { type GatewayLimits, readGatewayLimits } from '../gateways/unit-limits.repo.ts';
import type { FarmUnits, Unit, UnitHeld, UnitProgram } from '../irrigation-devices/farm-units.ts';
import { readOneUnit } from '../irrigation-devices/one-unit.ts';
import { createKeptLists } from '../../kept-lists.ts';
import { remember } from '../../remember.ts';
import { readRadioPath } from './read-radio-path.ts';
import { reportTimes } from './report-times.ts';
import type { ValveOrders, ValveRow } from './valve-facts.ts';
import { createSchedulesSent, isSendingTo, readSentTo } from './schedules-sent.ts';
import { createValveOrders, ordersOfOne } from './valve-orders.ts';

type Placed = Pick<DeviceRow, 'uid' | 'name' | 'serial_number' | 'lat' | 'lng'>;

/** A sprinkler with what it last said, what it is to water by and what it holds. Times in epoch ms; null: it has not said. */
export interface SprinklerRow extends Placed, ValveRow {
  readonly id: number;
  readonly mac: string | null;
  readonly settings: DeviceRow['settings'];
  /** The gateway that hears it; null: the farm's first for sprinklers. */
  readonly gateway_id: number | null;
  readonly groups: readonly string[];
  readonly charge: number | null;
  readonly charge_at: number | null;
  readonly hops: number | null;
  readonly schedule_num: number | null;
  readonly cycle_day: number | null;
  readonly cycle_day_at: number | null;
  readonly cycle_len: number | null;
  readonly mode: string | null;
  readonly polled_at: string | null;
  readonly wanted: UnitProgram | null;
  readonly held: UnitHeld | null;
  /** A schedule is being sent to it. */
  readonly is_sending: boolean;
  /** Since when a person wants it to water nothing. */
  readonly stop_since: number | null;
  /** Of a spare: another unit in use, here or elsewhere, has its serial number. */
  readonly has_twin: boolean;
}

/** Gateways, repeaters, sensors and points of interest. */
export interface PlaceRow extends Placed, GatewayLimits {
  readonly kind: Exclude<DeviceKind, 'sprinkler'>;
  readonly status_at: number | null;
  readonly is_member: boolean;
  /** Of a point of interest: its kind. */
  readonly icon: string | null;
}

/** The sprinklers of a farm, with what their statuses are reckoned with. */
export interface FarmSprinklers {
  /** What is made of them may be kept by it. */
  readonly farm: object;
  /** By name; the same list and the same rows as before as long as nothing of them is otherwise. */
  readonly rows: readonly SprinklerRow[];
  /** Whether the row at this place is in a group. */
  readonly isIn: (place: number, groupId: number) => boolean;
  readonly radio: Radio | null;
  readonly isScheduled: boolean;
}

export interface OneSprinkler {
  readonly row: SprinklerRow;
  readonly reportedAt: SprinklerInfo['reportedAt'];
  readonly radio: Radio | null;
  readonly isScheduled: boolean;
}

export interface GroupKey {
  readonly id: number;
  readonly name: string;
}

export function createSprinklerStatusRepo(db: Db, farmUnits: FarmUnits) {
  const orders = createValveOrders(db);
  const sent = createSchedulesSent(db);
  const rowsOf = createKeptLists<Unit, SprinklerRow>();
  return {
    farm(farmId: number): Promise<FarmRow | undefined> {
      return db
        .selectFrom('farm')
        .selectAll()
        .where('id', '=', farmId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
    },

    group(farmId: number, name: string): Promise<GroupKey | undefined> {
      return db
        .selectFrom('device_group')
        .select(['id', 'name'])
        .where('farm_id', '=', farmId)
        .where(sql`lower(name)`, '=', sql`lower(${name})`)
        .executeTakeFirst();
    },

    /** All of the farm. */
    async sprinklers(farmId: number): Promise<FarmSprinklers> {
      const [{ farm, units, twins, radio, isScheduled }, ordersNow, sentNow] = await Promise.all([
        farmUnits.withTwins(farmId),
        orders(farmId),
        sent(farmId),
      ]);
      const named = [...twins].toSorted((one, other) => one - other).join();
      const rows = await rowsOf(farm, units, [named, ordersNow, sentNow], (unit) => {
        const { id } = unit.record;
        return toRow(unit, twins.has(id), ordersNow.get(id) ?? null, sentNow.has(id));
      });
      return { farm, rows, isIn: (place, groupId) => isMember(units[place], groupId), radio, isScheduled };
    },

    /**
     * One sprinkler, and what of its farm its status is reckoned with; undefined: there is none. A spare is compared with all
     * others, so that they are read as well.
     */
    async one(farmId: number, deviceId: number): Promise<OneSprinkler | undefined> {
      const [found, ordersNow, isSending] = await Promise.all([
        readOneUnit(db, farmId, deviceId),
        ordersOfOne(db, farmId, deviceId),
        isSendingTo(db, farmId, deviceId),
      ]);
      if (!found) return undefined;
      const { unit, isScheduled } = found;
      const reportedAt = reportTimes(unit);
      if (unit.record.settings['isSpareUnit'] !== true)
        return { row: toRow(unit, false, ordersNow, isSending), reportedAt, radio: null, isScheduled };
      const [{ twins }, radio] = await Promise.all([farmUnits.withTwins(farmId), farmUnits.radio(farmId)]);
      const row = toRow(unit, twins.has(deviceId), ordersNow, isSending);
      return { row, reportedAt, radio, isScheduled };
    },

    /** The uids of those that a schedule is being sent to. */
    sentTo: (farmId: number) => readSentTo(db, farmId),

    path: (farmId: number, deviceId: number) => readRadioPath(db, farmId, deviceId),

    /** With what they last said are low batteries and wrong clocks. */
    gateways: (farmId: number) => readGatewayLimits(db, farmId),

    async places(farmId: number, groupId: number | null): Promise<PlaceRow[]> {
      const { rows } = await sql<PlaceRow>`
        select d.id, d.uid, d.kind, d.type, d.name, d.serial_number, d.lat, d.lng,
          case when d.kind = 'poi' then d.settings->>'icon' end as icon,
          date_part('epoch', coalesce(g.contact_at, v.at)) * 1000 as status_at,
          (g.settings->>'chargeThreshold')::float8 as charge_threshold,
          (g.settings->>'clockTreshold')::float8 as clock_threshold,
          exists (select from device_group_member m
            where m.farm_id = d.farm_id and m.device_id = d.id and m.group_id = ${groupId}) as is_member
        from device d
        left join gateway_state g on g.farm_id = d.farm_id and g.device_id = d.id
        left join lateral (select max(l.at) as at from series s
          join latest l on l.farm_id = s.farm_id and l.series_id = s.id
          where s.farm_id = d.farm_id and s.device_id = d.id) v on true
        where d.farm_id = ${farmId} and d.kind <> 'sprinkler' and d.deleted_at is null
        order by d.id`.execute(db);
      return rows;
    },
  };
}
export type SprinklerStatusRepo = ReturnType<typeof createSprinklerStatusRepo>;

const isMember = (unit: Unit | undefined, groupId: number) =>
  unit?.groups.some(({ id }) => id === groupId) === true;

const toRow = remember(
  (
    { record, value, fact, status_at, groups, wanted, held, stop }: Unit,
    hasTwin: boolean,
    valveOrders: ValveOrders | null,
    isSending: boolean,
  ): SprinklerRow => {
    const [charge, valve, cycleDay] = [value('charge'), value('valve'), value('cycleDay')];
    // By name: spread, each of thousands of records takes ten times as long.
    return {
      id: record.id,
      uid: record.uid,
      name: record.name,
      serial_number: record.serial_number,
      mac: record.mac,
      lat: record.lat,
      lng: record.lng,
      settings: record.settings,
      gateway_id: record.gateway_id,
      groups: groups.map(({ name }) => name),
      status_at,
      charge: charge?.value ?? null,
      charge_at: charge?.at ?? null,
      clock: value('clock')?.value ?? null,
      hops: value('hops')?.value ?? null,
      valve: valve?.value ?? null,
      valve_at: valve?.at ?? null,
      open_since: fact('openSince'),
      valve_off: fact('valveOff'),
      valve_orders: valveOrders,
      schedule_num: value('scheduleNum')?.value ?? null,
      cycle_day: cycleDay?.value ?? null,
      cycle_day_at: cycleDay?.at ?? null,
      cycle_len: value('cycleLen')?.value ?? null,
      ipc_crc: fact('ipcCrc'),
      mode: fact('mode'),
      polled_at: fact('polledAt'),
      wanted,
      held,
      is_sending: isSending,
      stop_since: stop?.since ?? null,
      has_twin: hasTwin,
    };
  },
);

import { sql } from 'kysely';
import type { WaterApplication } from '@headrace/contract/farms';
import type { ClockReport } from '@headrace/contract/rules/schedule/clocks-set';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { unitIsLive } from '../../db/under-way.ts';
import { gatewayFinder } from '../gateways/unit-limits.ts';

/** Epoch ms. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Names of the sets that a unit is to hold and holds; null: not known. */
export interface SetNames {
  readonly wanted: string | null;
  readonly held: string | null;
}

/** Of `device d`: a sprinkler that is to water by what it was sent. */
const inService = sql`d.kind = 'sprinkler' and d.deleted_at is null
  and (d.settings->>'outOfService')::boolean is not true
  and (d.settings->>'isSpareUnit')::boolean is not true`;

const ms = (column: string) => sql`date_part('epoch', ${sql.ref(column)}) * 1000`;

/** Every query stays on the farm. */
export function createTimelineRepo(db: Db) {
  return {
    /** Units whose newest programme has been sent and not been answered yet. */
    async onTheirWay(farmId: number): Promise<ReadonlySet<number>> {
      const { rows } = await sql<{ id: number }>`
        select p.device_id as id from unit_program p join command_unit u
          on u.farm_id = p.farm_id and u.command_id = p.command_id and u.device_id = p.device_id
        where p.farm_id = ${farmId} and ${sql.raw(unitIsLive('u'))}`.execute(db);
      return new Set(rows.map(({ id }) => id));
    },

    /** Whether the gateway that speaks for a unit isn't connected, by the number of the one that the unit names. */
    async awayGateways(farmId: number): Promise<(gatewayId: number | null) => boolean> {
      const { rows } = await sql<{ id: number; type: number; online: boolean }>`
        select d.id, d.type, coalesce(g.online, false) as online
        from device d left join gateway_state g on g.farm_id = d.farm_id and g.device_id = d.id
        where d.farm_id = ${farmId} and d.kind = 'gateway' and d.deleted_at is null order by d.id`.execute(
        db,
      );
      const gatewayOf = gatewayFinder(rows);
      return (gatewayId) => gatewayOf(gatewayId)?.online === false;
    },

    /** Until when units are held, where no hand let them water since. */
    async holds(farmId: number): Promise<ReadonlyMap<number, number>> {
      const { rows } = await sql<{ id: number; until: number }>`
        select m.device_id as id, date_part('epoch', max(h.until_at)) * 1000 as until
        from paddock_hold h join paddock_hold_unit m on m.farm_id = h.farm_id and m.hold_id = h.id
        where h.farm_id = ${farmId} and h.ended_at is null and exists (select from unit_stop s
          where s.farm_id = m.farm_id and s.device_id = m.device_id and s.lifted_by is null and s.kind = 'hold')
        group by m.device_id`.execute(db);
      return new Map(rows.map(({ id, until }) => [id, until]));
    },

    /** Paddock holds of a time, over or not, oldest first. */
    async holdTimes(farmId: number, { from, to }: Span): Promise<readonly HoldTime[]> {
      const { rows } = await sql<HoldTime>`
        select ${ms('h.from_at')} as "from", date_part('epoch', coalesce(h.ended_at, h.until_at)) * 1000 as until,
          h.reason, array_agg(m.device_id) as "deviceIds"
        from paddock_hold h join paddock_hold_unit m on m.farm_id = h.farm_id and m.hold_id = h.id
        where h.farm_id = ${farmId} and h.from_at < ${new Date(to)}
          and coalesce(h.ended_at, h.until_at) > ${new Date(from)}
        group by h.farm_id, h.id order by h.from_at`.execute(db);
      return rows;
    },

    /** `water`: how its sprinklers water, where the group says so. */
    groups: (farmId: number): Promise<GroupRow[]> =>
      db
        .selectFrom('device_group')
        .select(['uid', 'name', 'wal_config as water'])
        .where('farm_id', '=', farmId)
        .execute(),

    /**
     * When somebody last changed the farm's clock since then, and how many sprinklers in service were sent before it what they are to water by;
     * undefined: nobody did.
     */
    async clockSet({ id, uid }: Pick<FarmRow, 'id' | 'uid'>, since: Date): Promise<ClockSet | undefined> {
      const { rows } = await sql<ClockSet>`
        select ${ms('c.at')} as at, c.fields, (select count(*)::int from unit_program p
            join device d on d.farm_id = p.farm_id and d.id = p.device_id and ${inService}
            where p.farm_id = c.farm_id and p.wanted_at < c.at and p.entries <> '[]') as units
        from change_log c
        where c.farm_id = ${id} and c.uid = ${uid} and c.kind = 'farm' and c.what = 'changed' and c.at > ${since}
          and exists (select from jsonb_array_elements(c.fields) f
            where f->>'field' in ('timeZone', 'dstEnabled', 'rawOffset', 'dstOffset'))
        order by c.id desc limit 1`.execute(db);
      return rows[0];
    },

    /** What each sprinkler in service last said of its clock; null: nothing. */
    async clocks(farmId: number): Promise<(ClockReport | null)[]> {
      const { rows } = await sql<{ driftS: number | null; at: number | null }>`
        select l.value as "driftS", ${ms('l.at')} as at
        from device d
        left join series s on s.farm_id = d.farm_id and s.device_id = d.id and s.metric = 'clock'
        left join latest l on l.farm_id = s.farm_id and l.series_id = s.id
        where d.farm_id = ${farmId} and ${inService}`.execute(db);
      return rows.map(({ driftS, at }) => (driftS === null || at === null ? null : { driftS, at }));
    },

    async setNames(farmId: number, deviceIds: readonly number[]): Promise<ReadonlyMap<number, SetNames>> {
      const { rows } = await sql<SetNames & { id: number }>`
        select p.device_id as id, w.name as wanted, h.name as held
        from unit_program p
        left join unit_held u on u.farm_id = p.farm_id and u.device_id = p.device_id and u.until is null
        left join schedule_set w on w.farm_id = p.farm_id and w.id = p.set_id
        left join schedule_set h on h.farm_id = p.farm_id
          and h.id = case u.crc when p.crc then p.set_id when p.before->>'crc' then (p.before->>'set_id')::int end
        where p.farm_id = ${farmId} and p.device_id = any(${[...deviceIds]}::int[])`.execute(db);
      return new Map(rows.map(({ id, ...names }) => [id, names]));
    },

    async uidsOf(farmId: number, deviceIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
      const { rows } = await sql<{ id: number; uid: string }>`select id, uid from device
        where farm_id = ${farmId} and id = any(${[...deviceIds]}::int[])`.execute(db);
      return new Map(rows.map(({ id, uid }) => [id, uid]));
    },

    /** What a set has for each unit: a row for each line that it is in. */
    async setUnits(farmId: number, setId: number): Promise<SetRow[]> {
      return db
        .selectFrom('schedule_set_unit')
        .select(['device_id as deviceId', 'schedule_group as line', 'entries'])
        .where('farm_id', '=', farmId)
        .where('set_id', '=', setId)
        .execute();
    },
  };
}
export interface ClockSet {
  readonly at: number;
  readonly fields: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
  readonly units: number;
}

export interface GroupRow {
  readonly uid: string;
  readonly name: string;
  readonly water: WaterApplication | null;
}

export type TimelineRepo = ReturnType<typeof createTimelineRepo>;

/** Epoch ms. */
export interface HoldTime {
  readonly from: number;
  readonly until: number;
  readonly reason: string;
  readonly deviceIds: readonly number[];
}

export interface SetRow {
  readonly deviceId: number;
  readonly line: string;
  readonly entries: readonly ScheduleEntry[];
}

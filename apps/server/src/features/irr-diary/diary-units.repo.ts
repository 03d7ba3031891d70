import { sql } from 'kysely';
import type { WaterApplication } from '@headrace/contract/farms';
import type { ReportedRun } from '@headrace/contract/rules/schedule/applied';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import { isPartOf } from '../waterings/unit-rates.ts';

/** Epoch ms. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What was sent to a sprinkler, or is to be held by it. */
export interface WantedRow {
  readonly deviceId: number;
  /** Epoch ms. */
  readonly at: number;
  readonly crc: string;
  readonly entries: readonly ScheduleEntry[];
  readonly cycleDays: number;
}

export interface DiaryUnit {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly serial: string;
  readonly isPart: boolean;
  readonly isOutOfService: boolean;
  /** Those of now. */
  readonly groupIds: readonly number[];
  /** What it is to hold now, and what it was to hold before that, the oldest first. */
  readonly wanted: readonly Omit<WantedRow, 'deviceId'>[];
}

/** In which groups a sprinkler was, by name, and on which line, from then on. */
export interface Grouping {
  readonly groups: readonly Pick<DiaryGroup, 'uid' | 'name'>[];
  readonly line: string;
}
export interface GroupingRow extends Grouping {
  readonly deviceId: number;
  /** Epoch ms. */
  readonly since: number;
}

export interface DiaryGroup {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly water: WaterApplication | null;
}

export interface HeldRow {
  readonly deviceId: number;
  /** Epoch ms. */
  readonly since: number;
  readonly until: number | null;
  readonly crc: string;
  readonly entries: readonly ScheduleEntry[] | null;
  readonly cycleDays: number | null;
  readonly stoppedAt: number | null;
}

export interface RunRow extends Omit<ReportedRun, 'unit'> {
  readonly deviceId: number;
  readonly isPart: boolean;
}

/** A Valve On that was carried out, until it ended; epoch ms. */
export interface OpeningRow extends Span {
  readonly deviceId: number;
}

export interface ClockRow {
  readonly deviceId: number;
  readonly s: number;
  /** Epoch ms. */
  readonly at: number;
}

type RunTuple = [
  deviceId: number,
  openedAt: number,
  openedHow: RunRow['openedHow'],
  openUntil: number,
  closedAt: number | null,
  closedHow: RunRow['closedHow'],
  lps: number,
  mmPerMin: number,
  isPart: boolean,
];

const toRun = ([
  deviceId,
  openedAt,
  openedHow,
  openUntil,
  closedAt,
  closedHow,
  lps,
  mmPerMin,
  isPart,
]: RunTuple): RunRow => ({
  deviceId,
  openedAt,
  openedHow,
  openUntil,
  closedAt,
  closedHow,
  lps,
  mmPerMin,
  isPart,
});

const ms = (column: string) => sql`round(date_part('epoch', ${sql.ref(column)}) * 1000)::float8`;

/** What a farm's sprinklers were to do and did: of each a fixed number of queries, however many there are. */
export function createDiaryUnitsRepo(db: Db) {
  return {
    /** Those that the farm has, or had in the time, and that were ever in the group; by name. */
    async units(farmId: number, groupUid: string | null, { from }: Span): Promise<DiaryUnit[]> {
      const { rows } = await sql<DiaryUnit>`
        select d.id, d.uid, d.name, d.serial_number as serial, ${sql.raw(isPartOf('d'))} as "isPart",
          coalesce((d.settings->>'outOfService')::boolean, false) as "isOutOfService",
          coalesce(m.ids, '{}') as "groupIds",
          case when p.device_id is null then '[]'::jsonb else
            case when p.before is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object(
              'at', round(date_part('epoch', (p.before->>'wanted_at')::timestamptz) * 1000), 'crc', p.before->>'crc',
              'entries', p.before->'entries', 'cycleDays', p.before->'cycle_days')) end
            || jsonb_build_array(jsonb_build_object('at', ${ms('p.wanted_at')}, 'crc', p.crc, 'entries', p.entries,
              'cycleDays', p.cycle_days)) end as wanted
        from device d
        left join unit_program p on p.farm_id = d.farm_id and p.device_id = d.id
        left join (select device_id, array_agg(group_id) as ids from device_group_member where farm_id = ${farmId}
          group by device_id) m on m.device_id = d.id
        where d.farm_id = ${farmId} and d.kind = 'sprinkler' and (d.deleted_at is null or d.deleted_at > ${new Date(from)})
          and (${groupUid}::text is null or exists (select from unit_grouping o where o.farm_id = d.farm_id
            and o.device_id = d.id and o.groups @> jsonb_build_array(jsonb_build_object('uid', ${groupUid}::text))))
        order by d.id`.execute(db);
      return rows;
    },

    /** From before a moment on, the oldest first. */
    async groupings(farmId: number, before: number): Promise<GroupingRow[]> {
      const { rows } = await sql<GroupingRow>`
        select o.device_id as "deviceId", ${ms('o.since')} as since, o.groups, o.line
        from unit_grouping o
        where o.farm_id = ${farmId} and (o.since < ${new Date(before)} or not exists (select from unit_grouping e
          where e.farm_id = o.farm_id and e.device_id = o.device_id and e.since < o.since))
        order by o.device_id, o.since`.execute(db);
      return rows;
    },

    async count(farmId: number): Promise<number> {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from device where farm_id = ${farmId} and kind = 'sprinkler' and deleted_at is null`.execute(
        db,
      );
      return rows[0]?.n ?? 0;
    },

    async groups(farmId: number): Promise<DiaryGroup[]> {
      const { rows } = await sql<DiaryGroup>`
        select id, uid, name, wal_config as water from device_group where farm_id = ${farmId}`.execute(db);
      return rows;
    },

    /** What each held at any moment of the time, oldest first. */
    async held(farmId: number, { from, to }: Span): Promise<HeldRow[]> {
      const { rows } = await sql<HeldRow>`
        select h.device_id as "deviceId", ${ms('h.since')} as since, ${ms('h.until')} as until, h.crc, h.entries,
          h.cycle_days as "cycleDays", ${ms('h.stopped_at')} as "stoppedAt"
        from unit_held h
        where h.farm_id = ${farmId} and h.since < ${new Date(to)} and (h.until is null or h.until > ${new Date(from)})
        order by h.device_id, h.since`.execute(db);
      return rows;
    },

    /** Runs that began in the time, oldest first. One row of JSON: thousands of rows take four times as long. */
    async runs(farmId: number, { from, to }: Span): Promise<RunRow[]> {
      const { rows } = await sql<{ runs: RunTuple[] | null }>`
        select json_agg(json_build_array(r.device_id, ${ms('r.opened_at')}, r.opened_how, ${ms('r.open_until')},
          ${ms('r.closed_at')}, r.closed_how, r.lps, r.mm_per_min, r.is_part) order by r.opened_at) as runs
        from watering_run r
        where r.farm_id = ${farmId} and r.opened_at >= ${new Date(from)} and r.opened_at < ${new Date(to)}`.execute(
        db,
      );
      return (rows[0]?.runs ?? []).map(toRun);
    },

    async openings(farmId: number, { from, to }: Span): Promise<OpeningRow[]> {
      const { rows } = await sql<OpeningRow>`
        select u.device_id as "deviceId", ${ms('u.opened_at')} as from,
          round(date_part('epoch', least(u.closed_at, u.closes_by)) * 1000)::float8 as to
        from command_unit u
        where u.farm_id = ${farmId} and u.opened_at >= ${new Date(from)} and u.opened_at < ${new Date(to)}
          and u.closes_by is not null
        order by u.opened_at`.execute(db);
      return rows;
    },

    /** How far each clock was off when that was last said before a moment, by days. */
    async clocks(farmId: number, before: number): Promise<ClockRow[]> {
      const { rows } = await sql<ClockRow>`
        select s.device_id as "deviceId", r.last_value as s, ${ms('r.last_at')} as at
        from series s
        cross join lateral (select last_value, last_at from reading_day d
          where d.farm_id = s.farm_id and d.series_id = s.id and d.at < ${new Date(before)}
          order by d.at desc limit 1) r
        where s.farm_id = ${farmId} and s.metric = 'clock'`.execute(db);
      return rows;
    },

    /** What was sent to these sprinklers before a moment, the newest eight of each; oldest first. */
    async sends(farmId: number, deviceIds: readonly number[], before: number): Promise<WantedRow[]> {
      if (deviceIds.length === 0) return [];
      const { rows } = await sql<WantedRow>`
        select k.id as "deviceId", ${ms('c.created_at')} as at, c.crc, c.entries, c.days as "cycleDays"
        from unnest(${deviceIds}::int[]) as k (id)
        cross join lateral (select o.created_at, u.crc, u.entries, coalesce((o.payload->>'cycleLen')::int, 1) as days
          from command_unit u join command o on o.farm_id = u.farm_id and o.id = u.command_id
          where u.farm_id = ${farmId} and u.device_id = k.id and u.entries is not null and u.crc is not null
            and u.state <> 'cancelled' and o.created_at < ${new Date(before)}
          order by u.at desc limit 8) c
        order by c.created_at`.execute(db);
      return rows;
    },
  };
}
export type DiaryUnitsRepo = ReturnType<typeof createDiaryUnitsRepo>;

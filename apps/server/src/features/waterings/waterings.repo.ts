import { sql } from 'kysely';
import type { WaterApplication } from '@headrace/contract/farms';
import type { WateringRun } from '@headrace/contract/waterings';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import { agreedWaters, isPartOf, waterOf } from './unit-rates.ts';

/** Where a page ends: when its last run opened, epoch ms, and which of those it is. */
export interface Place {
  readonly ms: number;
  readonly id: number;
}

export interface RunQuery {
  readonly farmId: number;
  /** Epoch ms. */
  readonly from: number;
  readonly to: number;
  /** Of one sprinkler alone. */
  readonly uid: string | null;
  readonly after: Place | null;
  readonly limit: number;
}

export type RunRow = Omit<WateringRun, 'openedAt' | 'openUntil' | 'closedAt' | 'endsAt'> & {
  readonly id: string;
  readonly openedAt: Date;
  readonly openUntil: Date;
  readonly closedAt: Date | null;
  /** When the command that opened it was to close it. */
  readonly closesBy: Date | null;
  /** What the unit held when it opened; null where that isn't known. */
  readonly entries: readonly ScheduleEntry[] | null;
  readonly cycleDays: number | null;
};

interface RatesRow {
  readonly uid: string;
  readonly water: WaterApplication;
  readonly isPart: boolean;
}

export interface FirstStart {
  readonly groupUid: string;
  readonly nth: number;
  readonly at: Date;
}

/** Epoch ms. */
export interface RunSpan {
  readonly from: number;
  readonly to: number;
}

export function createWateringsRepo(db: Db) {
  return {
    /** Runs that were open between `from` and `to`, oldest first. */
    async runs({ farmId, from, to, uid, after, limit }: RunQuery): Promise<RunRow[]> {
      const { rows } = await sql<RunRow>`${selectRuns}
        where r.farm_id = ${farmId} and r.opened_at < ${new Date(to)}
          and (r.closed_at is null or r.closed_at > ${new Date(from)})
          and (${uid}::text is null or d.uid = ${uid})
          and (${after?.id ?? null}::bigint is null
            or (r.opened_at, r.id) > (to_timestamp(${after?.ms ?? 0}::float8 / 1000), ${after?.id ?? 0}::bigint))
        order by r.opened_at, r.id
        limit ${limit}`.execute(db);
      return rows;
    },

    /** What a sprinkler is set to give. */
    async water(farmId: number, deviceId: number): Promise<WaterApplication | null> {
      const { rows } = await sql<{ water: WaterApplication | null }>`
        select ${sql.raw(waterOf('k.farm_id', 'k.device_id'))} as water
        from (select ${farmId}::int as farm_id, ${deviceId}::int as device_id) k`.execute(db);
      return rows[0]?.water ?? null;
    },

    /** What each of a farm's sprinklers is set to give. */
    async rates(farmId: number): Promise<RatesRow[]> {
      const { rows } = await sql<RatesRow>`
        select d.uid, coalesce(w.water, f.wal_config) as water, ${sql.raw(isPartOf('d'))} as "isPart"
        from device d join farm f on f.id = d.farm_id
        left join ${sql.raw(agreedWaters(String(farmId)))} w on w.device_id = d.id
        where d.farm_id = ${farmId} and d.kind = 'sprinkler' and d.deleted_at is null`.execute(db);
      return rows;
    },

    /** When each valve that opened or closed since `from` (epoch ms) last did so. */
    async moves(farmId: number, from: number): Promise<{ uid: string; at: Date }[]> {
      const since = new Date(from);
      const { rows } = await sql<{ uid: string; at: Date }>`
        select d.uid, max(greatest(r.opened_at, r.closed_at)) as at
        from watering_run r join device d on d.farm_id = r.farm_id and d.id = r.device_id and d.deleted_at is null
        where r.farm_id = ${farmId} and (r.opened_at >= ${since} or r.closed_at >= ${since})
        group by d.uid`.execute(db);
      return rows;
    },

    /**
     * Which of these days (when each began, epoch ms, in order; the last is where they end) a sprinkler of the farm was heard on. A day
     * at a time: on most of them the first that is looked at was.
     */
    async heardDays(farmId: number, starts: readonly number[]): Promise<number[]> {
      const all = starts.map((at) => new Date(at).toISOString());
      const { rows } = await sql<{ nth: number }>`
        select k.nth::int as nth
        from unnest(${all.slice(0, -1)}::timestamptz[], ${all.slice(1)}::timestamptz[]) with ordinality as k (since, until, nth)
        where exists (select from watering_run r
            where r.farm_id = ${farmId} and r.opened_at >= k.since and r.opened_at < k.until)
          or exists (select from series s
            join device d on d.farm_id = s.farm_id and d.id = s.device_id and d.kind = 'sprinkler'
            join reading_day r on r.farm_id = s.farm_id and r.series_id = s.id and r.at >= k.since and r.at < k.until
            where s.farm_id = ${farmId} and s.metric in ('valve', 'clock'))`.execute(db);
      return rows.map(({ nth }) => nth - 1);
    },

    /** On which of the days sprinklers of these groups, as they were grouped then, first opened; days as above. */
    async firstStarts(
      farmId: number,
      groups: readonly string[],
      starts: readonly number[],
    ): Promise<FirstStart[]> {
      const days = sql`${starts.map((at) => new Date(at).toISOString())}::timestamptz[]`;
      const [from, to] = [new Date(starts[0] ?? 0), new Date(starts.at(-1) ?? 0)];
      const { rows } = await sql<FirstStart>`
        with once_in as materialized (select distinct u.device_id from unit_grouping u
          cross join lateral jsonb_array_elements(u.groups) g
          where u.farm_id = ${farmId} and g->>'uid' = any(${[...groups]}::text[]))
        select g->>'uid' as "groupUid", width_bucket(r.opened_at, ${days}) - 1 as nth, min(r.opened_at) as at
        from once_in k
        join watering_run r on r.farm_id = ${farmId} and r.device_id = k.device_id
          and r.opened_at >= ${from} and r.opened_at < ${to}
        cross join lateral (select u.groups from unit_grouping u
          where u.farm_id = r.farm_id and u.device_id = r.device_id and u.since <= r.opened_at
          order by u.since desc limit 1) u
        cross join lateral jsonb_array_elements(u.groups) g
        where g->>'uid' = any(${[...groups]}::text[])
        group by 1, 2`.execute(db);
      return rows;
    },

    /** A sprinkler's last runs that began in a time, the newest first. */
    async newest(farmId: number, deviceId: number, { from, to }: RunSpan, limit: number): Promise<RunRow[]> {
      const { rows } = await sql<RunRow>`${selectRuns}
        where r.farm_id = ${farmId} and r.device_id = ${deviceId}
          and r.opened_at >= ${new Date(from)} and r.opened_at < ${new Date(to)}
        order by r.opened_at desc limit ${limit}`.execute(db);
      return rows;
    },
  };
}

export type WateringsRepo = ReturnType<typeof createWateringsRepo>;

// A Valve On and the report of the valve that it opens are told apart by seconds.
const selectRuns = sql`
  select r.id, d.uid, r.opened_at as "openedAt", r.opened_how as "openedHow", r.open_until as "openUntil",
    r.closed_at as "closedAt", r.closed_how as "closedHow", c.uid as "commandId", c.closes_by as "closesBy",
    h.entries, h.cycle_days as "cycleDays", r.mm_per_min as "mmPerMin"
  from watering_run r
  join device d on d.farm_id = r.farm_id and d.id = r.device_id and d.deleted_at is null
  left join lateral (select h.entries, h.cycle_days from unit_held h
    where h.farm_id = r.farm_id and h.device_id = r.device_id
      and h.since <= r.opened_at and (h.until is null or h.until > r.opened_at)
    order by h.since desc limit 1) h on true
  left join lateral (select c.uid, u.closes_by from command_unit u
    join command c on c.farm_id = u.farm_id and c.id = u.command_id
    where u.farm_id = r.farm_id and u.device_id = r.device_id
      and u.opened_at between r.opened_at - interval '2 minutes' and r.opened_at + interval '2 minutes'
    order by u.opened_at limit 1) c on true`;

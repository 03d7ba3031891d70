import { sql } from 'kysely';
import type { CountedUnit } from '@headrace/contract/health';
import type { HealthCounts } from '@headrace/contract/rules/health-figures';
import type { Db } from '../../db/client.ts';

/** A snapshot's counts. `day`: YYYY-MM-DD on the farm's clock. */
export type HealthDayRow = HealthCounts & { readonly day: string };

export interface HistoryRow {
  readonly date: string;
  readonly value: number;
  /** In service and in contact at the end of that day. */
  readonly inContact: number;
  readonly units: CountedUnit[];
}

export interface HistoryQuery {
  readonly farmId: number;
  /** Its number in `historyTypes`. */
  readonly kind: number;
  /** YYYY-MM-DD, both included. */
  readonly start: string;
  readonly stop: string;
  readonly isNamed: boolean;
}

export function createHealthRepo(db: Db) {
  return {
    /** The newest snapshots that are not before `since`, oldest first. */
    async days(farmId: number, since: string): Promise<HealthDayRow[]> {
      const { rows } = await sql<HealthDayRow>`
        select day::text, in_contact as "inContact", clock_ok as "clockOk", battery_ok as "batteryOk",
          schedule_ok as "scheduleOk"
        from health_day where farm_id = ${farmId} and day >= ${since}::date order by day`.execute(db);
      return rows;
    },

    /**
     * Of each day with a snapshot, how many units were of a kind, and by request which they are. Counted by running totals of
     * who came and who went, in which each day that is asked for has a place: comparing each span, or each change, with each day of a
     * year would be millions of comparisons.
     */
    async history({ farmId, kind, start, stop, isNamed }: HistoryQuery): Promise<HistoryRow[]> {
      const { rows } = await sql<HistoryRow>`
        with spans as (
          select device_id, since, until from unit_span
          where farm_id = ${farmId} and kind = ${kind} and since <= ${stop}::date
            and (until is null or until > ${start}::date)
        ), steps as (
          select day, sum(step) as step from (
            select greatest(since, ${start}::date) as day, count(*) as step from spans group by 1
            union all
            select until, -count(*) from spans where until is not null group by 1
            union all
            select day, 0 from health_day where farm_id = ${farmId} and day between ${start}::date and ${stop}::date
          ) ends group by day
        ), totals as (
          select day, sum(step) over (order by day) as value from steps
        )
        select h.day::text as date, t.value::int as value, h.in_contact as "inContact", coalesce(n.units, '[]') as units
        from health_day h
        join totals t on t.day = h.day
        left join lateral (
          select json_agg(json_build_object('id', case when d.deleted_at is null then d.uid end, 'name', d.name,
              'serialNumber', d.serial_number) order by d.name, d.id) as units
          from spans s join device d on d.farm_id = ${farmId} and d.id = s.device_id
          where ${isNamed}::bool and s.since <= h.day and (s.until is null or s.until > h.day)
        ) n on true
        where h.farm_id = ${farmId} and h.day between ${start}::date and ${stop}::date
        order by h.day`.execute(db);
      return rows;
    },
  };
}
export type HealthRepo = ReturnType<typeof createHealthRepo>;

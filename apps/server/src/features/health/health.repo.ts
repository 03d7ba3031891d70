import { sql } from 'kysely';
import type { CountedUnit } from '@headrace/contract/health';
import type { HealthCounts } from '@headrace/contract/rules/health-figures';
import type { Db } from '../../db/client.ts';

/** A snapshot's counts. `day`: YYYY-MM-DD on the farm's clock. */
export type HealthDayRow = HealthCounts & { readonly day: string };

export interface HistoryRow {
  readonly date: string;
  readonly value: number;
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

    /** Of each day with a snapshot, how many units were of a kind, and by request which they are. */
    async history({ farmId, kind, start, stop, isNamed }: HistoryQuery): Promise<HistoryRow[]> {
      const { rows } = await sql<HistoryRow>`
        select h.day::text as date, count(s.device_id)::int as value,
          coalesce(json_agg(json_build_object('id', case when d.deleted_at is null then d.uid end, 'name', d.name,
              'serialNumber', d.serial_number) order by d.name, d.id)
            filter (where ${isNamed}::bool and d.id is not null), '[]') as units
        from health_day h
        left join unit_span s on s.farm_id = h.farm_id and s.kind = ${kind}
          and s.since <= h.day and (s.until is null or s.until > h.day)
        left join device d on d.farm_id = s.farm_id and d.id = s.device_id
        where h.farm_id = ${farmId} and h.day between ${start}::date and ${stop}::date
        group by h.day order by h.day`.execute(db);
      return rows;
    },
  };
}
export type HealthRepo = ReturnType<typeof createHealthRepo>;

import { sql } from 'kysely';
import type { AdviceEntries } from '@headrace/contract/irrigation-advice';
import type { WaterApplication } from '@headrace/contract/farms';
import type { Db } from '../../db/client.ts';

/** What people entered of a group, or of the farm where the uid is empty. */
export interface SettingsRow {
  readonly groupUid: string;
  readonly body: AdviceEntries;
  readonly version: number;
  readonly updatedAt: Date;
  readonly by: string;
}

/** A group as advice needs it; times in epoch ms. */
export interface GroupRow {
  readonly uid: string;
  readonly name: string;
  readonly water: WaterApplication | null;
  readonly sprinklers: number;
  /** Of what was last sent to its sprinklers: mean minutes of a cycle, and days of the longest; null: nothing was. */
  readonly minutes: number | null;
  readonly cycleDays: number | null;
  readonly heardAt: number | null;
}

/** Days are YYYY-MM-DD. */
export interface WeatherRow {
  readonly day: string;
  readonly et0Mm: number | null;
  readonly rainMm: number | null;
  readonly enteredEt0Mm: number | null;
  readonly enteredRainMm: number | null;
}
export interface AppliedRow {
  readonly groupUid: string;
  readonly day: string;
  readonly mm: number;
  readonly mostMm: number;
  readonly notKnown: number;
}
export interface AdvisedRow {
  readonly day: string;
  readonly cycles: number | null;
  readonly mm: number | null;
  readonly isHeldBack: boolean;
  readonly madeAt: Date | null;
  readonly note: string;
  readonly noteBy: string;
  readonly noteAt: Date | null;
}

const dayText = (column: string) => sql`to_char(${sql.ref(column)}, 'YYYY-MM-DD')`;

/** Every query stays on the farm. */
export function createAdviceRepo(db: Db) {
  return {
    async settings(farmId: number, from: Db = db): Promise<SettingsRow[]> {
      const { rows } = await sql<SettingsRow>`
        select s.group_uid as "groupUid", s.body, s.version, s.updated_at as "updatedAt", coalesce(a.name, '') as by
        from advice_settings s left join account a on a.id = s.updated_by where s.farm_id = ${farmId}`.execute(
        from,
      );
      return rows;
    },

    /** By uid. */
    async groups(farmId: number): Promise<GroupRow[]> {
      const { rows } = await sql<GroupRow>`
        select g.uid, g.name, g.wal_config as water, count(d.id)::int as sprinklers,
          avg(p.minutes)::float8 as minutes, max(p.cycle_days) as "cycleDays", max(w.at)::float8 as "heardAt"
        from device_group g
        left join device_group_member m on m.farm_id = g.farm_id and m.group_id = g.id
        left join device d on d.farm_id = m.farm_id and d.id = m.device_id and d.kind = 'sprinkler' and d.deleted_at is null
          and not coalesce((d.settings->>'outOfService')::boolean, false)
        left join lateral (select p.cycle_days, (select sum((e->>'duration')::int) from jsonb_array_elements(p.entries) e) as minutes
          from unit_program p where p.farm_id = d.farm_id and p.device_id = d.id and jsonb_array_length(p.entries) > 0) p on true
        left join (select s.device_id, max(round(date_part('epoch', coalesce(l.heard_at, l.at)) * 1000)) as at
          from series s join latest l on l.farm_id = s.farm_id and l.series_id = s.id
          where s.farm_id = ${farmId} and s.metric in ('valve', 'clock') group by s.device_id) w on w.device_id = d.id
        where g.farm_id = ${farmId}
        group by g.id, g.uid, g.name, g.wal_config`.execute(db);
      return rows;
    },

    async weather(farmId: number, from: string, to: string): Promise<WeatherRow[]> {
      const { rows } = await sql<WeatherRow>`
        select ${dayText('day')} as day, et0_mm as "et0Mm", rain_mm as "rainMm", entered_et0_mm as "enteredEt0Mm",
          entered_rain_mm as "enteredRainMm"
        from weather_day where farm_id = ${farmId} and day between ${from}::date and ${to}::date`.execute(db);
      return rows;
    },

    async applied(farmId: number, from: string, to: string): Promise<AppliedRow[]> {
      const { rows } = await sql<AppliedRow>`
        select group_uid as "groupUid", ${dayText('day')} as day, mm, most_mm as "mostMm", not_known as "notKnown"
        from applied_day where farm_id = ${farmId} and day between ${from}::date and ${to}::date`.execute(db);
      return rows;
    },

    async advised(farmId: number, groupUid: string, from: string): Promise<AdvisedRow[]> {
      const { rows } = await sql<AdvisedRow>`
        select ${dayText('d.day')} as day, d.cycles, d.mm, d.is_held_back as "isHeldBack", d.made_at as "madeAt", d.note,
          coalesce(a.name, '') as "noteBy", d.note_at as "noteAt"
        from advice_day d left join account a on a.id = d.note_by
        where d.farm_id = ${farmId} and d.group_uid = ${groupUid} and d.day >= ${from}::date`.execute(db);
      return rows;
    },
  };
}
export type AdviceRepo = ReturnType<typeof createAdviceRepo>;

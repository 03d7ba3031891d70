import { sql } from 'kysely';
import type { AdviceEntries } from '@headrace/contract/irrigation-advice';
import type { ForecastDay } from '@headrace/contract/weather';
import type { Db } from '../../db/client.ts';
import { claimOnce } from '../../db/once.ts';
import type { PastEt0 } from '../weather/weather.service.ts';
import type { AppliedMm } from '../irr-diary/applied-days.ts';

interface By {
  readonly accountId: number | null;
  readonly now: Date;
}

/** A group's advice of a day. */
export interface MadeAdvice {
  readonly groupUid: string;
  readonly cycles: number;
  readonly mm: number;
  readonly isHeldBack: boolean;
}

/** Writes what people enter, and what each day's weather, irrigation and advice were. */
export function createAdviceWriter(db: Db) {
  return {
    /** One change of a farm's settings at a time. */
    inTransaction: <T>(farmId: number, work: (trx: Db) => Promise<T>): Promise<T> =>
      db.transaction().execute(async (trx) => {
        await claimOnce(trx);
        await sql`select pg_advisory_xact_lock(hashtext('headrace irrigation advice'), ${farmId})`.execute(
          trx,
        );
        return work(trx);
      }),

    async saveSettings(
      trx: Db,
      farmId: number,
      { groupUid, body, version }: { groupUid: string; body: AdviceEntries; version: number },
      { accountId, now }: By,
    ): Promise<void> {
      await sql`insert into advice_settings (farm_id, group_uid, body, version, updated_by, updated_at)
        values (${farmId}, ${groupUid}, ${JSON.stringify(body)}::jsonb, ${version}, ${accountId}, ${now})
        on conflict (farm_id, group_uid) do update set body = excluded.body, version = excluded.version,
          updated_by = excluded.updated_by, updated_at = excluded.updated_at`.execute(trx);
    },

    async enterDay(
      farmId: number,
      { day, et0Mm, rainMm }: { day: string; et0Mm: number | null; rainMm: number | null },
      { accountId, now }: By,
    ): Promise<void> {
      await sql`insert into weather_day (farm_id, day, entered_et0_mm, entered_rain_mm, entered_by, entered_at)
        values (${farmId}, ${day}::date, ${et0Mm}, ${rainMm}, ${accountId}, ${now})
        on conflict (farm_id, day) do update set entered_et0_mm = excluded.entered_et0_mm,
          entered_rain_mm = excluded.entered_rain_mm, entered_by = excluded.entered_by, entered_at = excluded.entered_at`.execute(
        db,
      );
    },

    /** What a forecast said of its own day. */
    async noteWeather(
      farmId: number,
      { date, et0, rain }: ForecastDay,
      { source, isDemo, now }: { source: string; isDemo: boolean; now: Date },
    ): Promise<void> {
      await sql`insert into weather_day (farm_id, day, et0_mm, rain_mm, source, is_demo, noted_at)
        values (${farmId}, ${date}::date, ${et0}, ${rain}, ${source}, ${isDemo}, ${now})
        on conflict (farm_id, day) do update set et0_mm = coalesce(excluded.et0_mm, weather_day.et0_mm),
          rain_mm = coalesce(excluded.rain_mm, weather_day.rain_mm), source = excluded.source, is_demo = excluded.is_demo,
          noted_at = excluded.noted_at`.execute(db);
    },

    /** Of days on which nobody was there to note what was forecast; the others stay as they were noted. */
    async notePastEt0(farmId: number, days: readonly PastEt0[], now: Date): Promise<void> {
      const [first] = days;
      if (!first) return;
      await sql`insert into weather_day (farm_id, day, et0_mm, source, is_demo, noted_at)
        select ${farmId}, k.day, k.mm, ${first.source}, ${first.isDemo}, ${now}
        from unnest(${days.map(({ day }) => day)}::date[], ${days.map(({ mm }) => mm)}::float8[]) as k (day, mm)
        on conflict (farm_id, day) do update set et0_mm = excluded.et0_mm, source = excluded.source,
          is_demo = excluded.is_demo, noted_at = excluded.noted_at
        where weather_day.et0_mm is null`.execute(db);
    },

    async noteApplied(farmId: number, day: string, applied: readonly AppliedMm[], now: Date): Promise<void> {
      if (applied.length === 0) return;
      await sql`insert into applied_day (farm_id, group_uid, day, mm, most_mm, not_known, noted_at)
        select ${farmId}, k.uid, ${day}::date, k.mm, k.most, k.n, ${now}
        from unnest(${applied.map(({ groupUid }) => groupUid)}::text[], ${applied.map(({ mm }) => mm)}::float8[],
          ${applied.map(({ mostMm }) => mostMm)}::float8[], ${applied.map(({ notKnown }) => notKnown)}::int[]) as k (uid, mm, most, n)
        on conflict (farm_id, group_uid, day) do update set mm = excluded.mm, most_mm = excluded.most_mm,
          not_known = excluded.not_known, noted_at = excluded.noted_at`.execute(db);
    },

    /** The first of a day stays. */
    async noteAdvice(farmId: number, day: string, made: readonly MadeAdvice[], now: Date): Promise<void> {
      if (made.length === 0) return;
      await sql`insert into advice_day (farm_id, group_uid, day, cycles, mm, is_held_back, made_at)
        select ${farmId}, k.uid, ${day}::date, k.cycles, k.mm, k.held, ${now}
        from unnest(${made.map(({ groupUid }) => groupUid)}::text[], ${made.map(({ cycles }) => cycles)}::int[],
          ${made.map(({ mm }) => mm)}::float8[], ${made.map(({ isHeldBack }) => isHeldBack)}::boolean[]) as k (uid, cycles, mm, held)
        on conflict (farm_id, group_uid, day) do update set cycles = excluded.cycles, mm = excluded.mm,
          is_held_back = excluded.is_held_back, made_at = excluded.made_at where advice_day.made_at is null`.execute(
        db,
      );
    },

    async note(
      farmId: number,
      { groupUid, day, note }: { groupUid: string; day: string; note: string },
      { accountId, now }: By,
    ): Promise<void> {
      await sql`insert into advice_day (farm_id, group_uid, day, note, note_by, note_at)
        values (${farmId}, ${groupUid}, ${day}::date, ${note}, ${accountId}, ${now})
        on conflict (farm_id, group_uid, day) do update set note = excluded.note, note_by = excluded.note_by,
          note_at = excluded.note_at`.execute(db);
    },

    /** Of all farms that use advice; their ids. */
    async farms(): Promise<number[]> {
      const { rows } = await sql<{ id: number }>`
        select distinct s.farm_id as id from advice_settings s join farm f on f.id = s.farm_id and f.deleted_at is null
        order by 1`.execute(db);
      return rows.map(({ id }) => id);
    },

    /** Of these days, the groups that the farm has now and whose mm nobody noted. */
    async missing(
      farmId: number,
      days: readonly string[],
    ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
      const { rows } = await sql<{ day: string; groups: string[] }>`
        select to_char(k.day, 'YYYY-MM-DD') as day, array_agg(g.uid) as groups
        from unnest(${[...days]}::date[]) as k (day)
        join device_group g on g.farm_id = ${farmId}
        where not exists (select from applied_day a where a.farm_id = g.farm_id and a.group_uid = g.uid and a.day = k.day)
        group by k.day`.execute(db);
      return new Map(rows.map(({ day, groups }) => [day, new Set(groups)]));
    },

    /** Of these days, those of which a group that the farm has now has nothing noted, or, of days after `late`, nothing since `stale`. */
    async due(
      farmId: number,
      days: readonly string[],
      { late, stale }: { late: string; stale: Date },
    ): Promise<string[]> {
      const { rows } = await sql<{ day: string }>`
        select to_char(k.day, 'YYYY-MM-DD') as day from unnest(${[...days]}::date[]) as k (day)
        where exists (select from device_group g where g.farm_id = ${farmId}
          and not exists (select from applied_day a where a.farm_id = g.farm_id and a.group_uid = g.uid and a.day = k.day
            and (k.day <= ${late}::date or a.noted_at >= ${stale})))
        order by 1`.execute(db);
      return rows.map(({ day }) => day);
    },

    farm: (farmId: number) =>
      db.selectFrom('farm').selectAll().where('id', '=', farmId).executeTakeFirstOrThrow(),
  };
}
export type AdviceWriter = ReturnType<typeof createAdviceWriter>;

import { type Kysely, sql } from 'kysely';

/**
 * What a sprinkler gave when it watered: L/s, mm a minute of a full circle, and whether it waters a part of one. Of runs so far that is
 * what is set now; from here on a change of settings changes no day that is over.
 */
const statements = [
  `alter table watering_run add column lps float8, add column mm_per_min float8, add column is_part boolean`,
  `update watering_run r set lps = w.flow, is_part = w.is_part,
      mm_per_min = case w.type when 'SprinklerParameters' then 60 * w.flow / w.coverage else w.flow * 8.620428 * 7.2 / 1440 end
    from (
      select d.farm_id, d.id, coalesce((d.settings->>'isPartSprinkler')::boolean, false) as is_part,
        (k.config->>'sprinklerFlow')::float8 as flow, k.config->>'type' as type,
        greatest((k.config->>'sprinklerCoverage')::float8, 1) as coverage
      from device d join farm f on f.id = d.farm_id
      cross join lateral (select coalesce((
        select case when count(distinct g.wal_config) = 1 then min(g.wal_config::text)::jsonb end
        from device_group_member m join device_group g on g.farm_id = m.farm_id and g.id = m.group_id
        where m.farm_id = d.farm_id and m.device_id = d.id and g.wal_config is not null), f.wal_config) as config) k
      where d.kind = 'sprinkler') w
    where r.farm_id = w.farm_id and r.device_id = w.id`,
  'update watering_run set lps = 0, mm_per_min = 0, is_part = false where lps is null or mm_per_min is null or is_part is null',
  `alter table watering_run alter column lps set not null, alter column mm_per_min set not null,
    alter column is_part set not null, add check (lps >= 0 and mm_per_min >= 0)`,
  // The diary asks for a farm's runs by when they began.
  'create index watering_run_opened on watering_run (farm_id, opened_at)',
  // And for the Valve Ons of that time.
  'create index command_unit_opened on command_unit (farm_id, opened_at) where opened_at is not null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

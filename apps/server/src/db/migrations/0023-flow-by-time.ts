import { type Kysely, sql } from 'kysely';

/**
 * Rates get what they amount to and how much of the time they speak for, counters the most they gained a minute. What is stored
 * already is filled in from raw history, as far as that is kept, by the job that makes a farm's hours and days anew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['reading_hour', 'reading_day'])
    await sql
      .raw(
        `alter table ${table} add column area double precision, add column covered_min double precision,
          add column fastest double precision`,
      )
      .execute(db);
  await sql
    .raw(`alter table farm_clock_change add column flows_only boolean not null default false`)
    .execute(db);
  await sql
    .raw(
      `insert into farm_clock_change (farm_id, at, flows_only) select id, date_trunc('milliseconds', now()), true from farm where deleted_at is null
        on conflict do nothing`,
    )
    .execute(db);
}

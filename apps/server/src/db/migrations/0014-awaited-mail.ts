import { type Kysely, sql } from 'kysely';

/** A link that somebody waits for doesn't stand in line behind a thousand alerts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox add column is_awaited boolean not null default false`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** What of a flood each of those who had it in the bell alone has been told since: the rest of it waits, as where one alert is paused longer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table alert_flood add column told jsonb not null default '{}'`.execute(db);
}

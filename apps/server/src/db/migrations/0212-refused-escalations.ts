import { type Kysely, sql } from 'kysely';

/** Whether a person wants to be told where others did not answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw('alter table alert_preference add column escalations boolean not null default true')
    .execute(db);
}

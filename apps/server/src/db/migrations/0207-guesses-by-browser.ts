import { type Kysely, sql } from 'kysely';

/**
 * Which known browser a wrong password came from, as lists of signed-in devices name it, or that somebody was signed in; null: a browser
 * that nobody knows. It says what `known_device` said, and which one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table sign_in_failure add column device text').execute(db);
  await sql.raw("update sign_in_failure set device = '' where known_device").execute(db);
  await sql.raw('alter table sign_in_failure drop column known_device').execute(db);
}

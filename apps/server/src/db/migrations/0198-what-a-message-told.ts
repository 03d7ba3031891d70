import { type Kysely, sql } from 'kysely';

/** Whoever answers from a message has seen it as it was told there; of messages before, nobody knows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table answer_key add column class text`.execute(db);
}

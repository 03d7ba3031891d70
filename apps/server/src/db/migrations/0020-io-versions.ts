import { type Kysely, sql } from 'kysely';

/** Who saves inputs and relays hears of what somebody else has saved since they were read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table gateway_io add column version int not null default 1`.execute(db);
}

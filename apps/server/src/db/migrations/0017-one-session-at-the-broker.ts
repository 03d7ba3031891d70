import { type Kysely, sql } from 'kysely';

/** What devices say waits at the broker for whichever server takes it: no server's own session is left to be looked after. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop table broker_session').execute(db);
}

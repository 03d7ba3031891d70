import { type Kysely, sql } from 'kysely';

/** With each answer it is counted what a gateway has under way: beside thousands that wait these are a hundred at most. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index command_unit_under_way on command_unit (farm_id, gateway_id, lane)
    where state in ('queued', 'sent', 'accepted') and cmd_id is not null`.execute(db);
}

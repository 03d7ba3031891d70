import { type Kysely, sql } from 'kysely';

/**
 * Which units of a send have another line is found by comparing sets. The join of before and after was planned once for a
 * connection, by the first update that it saw: where that was of a single unit, a send to 5,000 compared each with each, 2 s long.
 */
const statement = `create or replace function note_moved_groupings() returns trigger language plpgsql as $$
    begin
      perform note_groupings(moved.farm_id, array_agg(moved.device_id)) from (
        select farm_id, device_id, schedule_group from changed except select farm_id, device_id, schedule_group from before) moved
      group by moved.farm_id;
      return null;
    end $$`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statement).execute(db);
}

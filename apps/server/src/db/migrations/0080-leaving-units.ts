import { type Kysely, sql } from 'kysely';

/** Sprinklers that left their farm with a schedule are few among all devices, and looked for every half minute. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index device_leaving on device (farm_id, id) where settings @> '{"isLeaving": true}'`.execute(
    db,
  );
}

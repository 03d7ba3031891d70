import { type Kysely, sql } from 'kysely';

/** What a farm had decoded anew lately is told with each of its sensors: found without reading the farm's whole history. */
const statements = [
  "create index change_log_decoded_anew on change_log (farm_id, at) where what = 'decoded anew'",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

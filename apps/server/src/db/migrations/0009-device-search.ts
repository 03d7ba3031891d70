import { type Kysely, sql } from 'kysely';

/** Devices are searched by how their name, serial number or MAC begins, farm by farm; the registry is asked for MACs it knows. */
const statements = [
  `create index device_search_name on device (farm_id, lower(name) text_pattern_ops) where deleted_at is null`,
  `create index device_search_serial on device (farm_id, lower(serial_number) text_pattern_ops) where deleted_at is null`,
  `create index device_search_mac on device (farm_id, mac text_pattern_ops) where deleted_at is null`,
  'create index registry_mac on registry (mac)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

import { type Kysely, sql } from 'kysely';

/**
 * Who says which serial number a MAC has: null is the operator or the manufacturer, else a farm, whose word counts for itself and
 * for others once its device was heard. Each farm has its own word, so that nobody can say something first for all.
 */
const statements = [
  'alter table registry add column claimed_by int references farm on delete cascade',
  `update registry r set claimed_by = d.farm_id from device d join farm f on f.id = d.farm_id
    where d.mac = r.mac and not f.is_demo`,
  'drop index registry_serial',
  `create unique index registry_serial
    on registry (lower(serial_number) text_pattern_ops, kind, coalesce(claimed_by, 0))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

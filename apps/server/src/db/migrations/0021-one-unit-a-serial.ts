import { type Kysely, sql } from 'kysely';

/** Case and blanks make no other serial number. */
const key = "lower(regexp_replace(serial_number, '\\s', '', 'g'))";
/** Sprinklers and repeaters are units of one radio and share their numbers. */
const family = "(case when kind = 'repeater' then 'sprinkler' else kind end)";
/** A unit that was taken off the farm, and one whose place alone is kept, leave their number to others. */
const holds = `deleted_at is null and kind <> 'poi' and ${key} <> '' and not settings @> '{"isPlaceholder": true}'`;

/**
 * A serial number is one unit of a farm. Units that share one already stay as they are: those in service come before spares, older
 * ones before newer, the first holds the number, and the others are marked, until somebody enters their own.
 */
const statements = [
  'alter table device add column shares_serial boolean not null default false',
  `update device d set shares_serial = true from (
    select farm_id, id, row_number() over (
      partition by farm_id, ${family}, ${key} order by settings @> '{"isSpareUnit": true}', id) as place
    from device where ${holds}) counted
    where counted.place > 1 and d.farm_id = counted.farm_id and d.id = counted.id`,
  `create unique index device_one_unit_a_serial on device (farm_id, ${family}, ${key}) where ${holds} and not shares_serial`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

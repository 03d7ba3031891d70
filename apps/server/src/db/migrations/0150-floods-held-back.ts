import { type Kysely, sql } from 'kysely';

/** Who was told of a flood in the bell alone, for a pause or their night, and is told by their ways when that is over. */
const statements = [
  `alter table alert_flood add column is_over boolean not null default false,
    add column held_for integer[] not null default '{}',
    -- From then on what began, and is still so, is told them.
    add column held_since timestamptz`,
  `create index alert_flood_held on alert_flood (farm_id) where held_for <> '{}'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

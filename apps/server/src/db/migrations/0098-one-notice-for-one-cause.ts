import { type Kysely, sql } from 'kysely';

/** When we listened to devices, so that what nobody heard isn't held against them; and farms of which too much is told at once. */
const statements = [
  `create table listening (
    id int generated always as identity primary key,
    from_at timestamptz not null,
    to_at timestamptz not null
  )`,
  'create index listening_to on listening (to_at)',
  `create table alert_flood (
    farm_id int primary key references farm on delete cascade,
    since timestamptz not null
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

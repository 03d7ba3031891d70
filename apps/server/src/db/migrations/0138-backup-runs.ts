import { type Kysely, sql } from 'kysely';

/** How backups of the whole server went, and trials to restore one. */
const statements = [
  `create table backup_run (
    id int generated always as identity primary key,
    kind text not null check (kind in ('backup', 'drill')),
    at timestamptz not null,
    -- By a timer, as far as one can tell: it is missed where it stays away.
    is_scheduled boolean not null,
    path text not null,
    bytes bigint,
    -- When the backup was made that a drill restored.
    made_at timestamptz,
    took_ms int not null,
    -- Empty: it went well.
    fault text not null default ''
  )`,
  'create index backup_run_newest on backup_run (kind, at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

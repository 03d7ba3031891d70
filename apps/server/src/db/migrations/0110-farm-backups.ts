import { type Kysely, sql } from 'kysely';

/** The configuration of a farm as it was, to be restored. */
const statements = [
  `create table farm_backup (
    farm_id int not null references farm on delete cascade,
    id int generated always as identity,
    uid text not null unique,
    description text not null,
    created_at timestamptz not null,
    account_id int references account on delete set null,
    cause text not null check (cause in ('person', 'night', 'before')),
    -- Of the change log: nothing was changed since while it is the farm's.
    revision bigint not null,
    counts jsonb not null,
    content bytea not null,
    sha256 bytea not null,
    proved_at timestamptz,
    fault text not null default '',
    primary key (farm_id, id)
  )`,
  `create index farm_backup_unproved on farm_backup (created_at) where proved_at is null and fault = ''`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

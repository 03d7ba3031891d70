import { type Kysely, sql } from 'kysely';

/** What was done as one, with how each record was before: kept for 30 days, and undone once. */
const statements = [
  `create table change_batch (
    farm_id int not null references farm on delete cascade,
    id bigint generated always as identity,
    uid text not null,
    at timestamptz not null,
    account_id int references account on delete set null,
    act text not null,
    title text not null,
    records bytea not null,
    undoes bigint,
    undone_at timestamptz,
    undone_by int references account on delete set null,
    primary key (farm_id, id),
    unique (farm_id, uid)
  )`,
  'create index change_batch_at on change_batch (at)',
  'alter table change_log add column batch_id bigint',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

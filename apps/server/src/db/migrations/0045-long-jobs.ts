import { type Kysely, sql } from 'kysely';

/**
 * Work that takes longer than a call. `attempt` counts how often it was begun and fences what an earlier runner still writes; a
 * runner holds it until `lease_until`, by the database's clock.
 */
const statements = [
  `create table long_job (
    farm_id int not null references farm on delete cascade,
    id bigint generated always as identity,
    uid text not null unique,
    account_id int references account on delete set null,
    type text not null,
    payload jsonb not null,
    state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
    progress real not null default 0 check (progress between 0 and 1),
    progress_text text not null default '',
    result jsonb,
    error text not null default '',
    attempt int not null default 0,
    failures int not null default 0,
    asked_at timestamptz not null,
    run_after timestamptz not null,
    started_at timestamptz,
    lease_until timestamptz,
    cancel_asked_at timestamptz,
    finished_at timestamptz,
    kept_until timestamptz,
    primary key (farm_id, id),
    check ((finished_at is null) = (state in ('queued', 'running')))
  ) with (fillfactor = 70)`,
  `create index long_job_open on long_job (farm_id, id) where finished_at is null`,
  'create index long_job_kept on long_job (kept_until) where kept_until is not null',
  'create index long_job_account on long_job (account_id)',
  // When its uplinks were put in the queue: a job does it now, some time after it was asked for.
  'alter table decode_anew add column begun_at timestamptz, add column job_uid text',
  'update decode_anew set begun_at = asked_at',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

import { type Kysely, sql } from 'kysely';

/** What was asked for with an Idempotency-Key, for a day: written with what it made. The reply is sealed with the key. */
const statements = [
  `create table idempotency (
    account_id int not null references account on delete cascade,
    key_hash bytea not null,
    call_id uuid not null,
    fingerprint bytea not null,
    at timestamptz not null,
    reply bytea,
    primary key (account_id, key_hash)
  )`,
  'create index idempotency_at on idempotency (at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

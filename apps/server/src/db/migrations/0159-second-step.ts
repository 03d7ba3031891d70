import { type Kysely, sql } from 'kysely';

/** A second step of signing in: authenticator app, passkeys, recovery codes, and browsers that need none for a while. */
const statements = [
  // Null: one step. Kept in step with what the tables below hold.
  'alter table account add column second_step_since timestamptz',
  `create table authenticator (
    account_id int primary key references account on delete cascade,
    -- Sealed. Null: none is in use yet.
    secret bytea,
    -- The newest 30 s of which a code was taken: none counts twice.
    last_step bigint not null default 0,
    -- Sealed: one whose first code is waited for.
    pending bytea,
    pending_at timestamptz
  )`,
  `create table recovery_code (
    account_id int not null references account on delete cascade,
    code_hash bytea not null,
    used_at timestamptz,
    primary key (account_id, code_hash)
  )`,
  `create table passkey (
    uid uuid primary key default gen_random_uuid(),
    account_id int not null references account on delete cascade,
    -- Base64url, as browsers name it.
    credential_id text not null unique,
    public_key bytea not null,
    counter bigint not null,
    transports text[] not null,
    is_synced boolean not null,
    name text not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`,
  'create index passkey_account on passkey (account_id)',
  `create table sign_in_ticket (
    -- SHA-256 of the ticket, or of the challenge that a passkey has to sign.
    hash bytea primary key,
    account_id int references account on delete cascade,
    kind text not null check (kind in ('password', 'mail', 'passkey', 'new-passkey')),
    -- False: the password was wrong, and whoever gave it isn't told yet.
    is_proved boolean not null,
    known_device boolean not null,
    -- Whom it was given to, of an IPv6 address its /64.
    network text not null,
    tries int not null default 0,
    at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  'create index sign_in_ticket_account on sign_in_ticket (account_id, at)',
  'create index sign_in_ticket_expires on sign_in_ticket (expires_at)',
  'alter table known_device add column remember_hash bytea, add column remembered_until timestamptz',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

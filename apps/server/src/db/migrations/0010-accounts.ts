import { type Kysely, sql } from 'kysely';

/**
 * What a person's account needs: proof of its address, keys that are mailed, notifications and the browsers that take
 * them; mail and text messages with their fate; what the operator has set and done.
 */
const statements = [
  `alter table account add column notes text not null default '', add column newsletter boolean not null default false,
    add column email_confirmed_at timestamptz, add column accepted_terms text, add column terms_accepted_at timestamptz,
    add column is_staff boolean not null default false, add column closes_at timestamptz,
    add column tlm_subscription boolean not null default true`,
  // Accounts were made by the operator until now.
  'update account set email_confirmed_at = created_at',
  `alter table session add column uid text not null default left(replace(gen_random_uuid()::text, '-', ''), 24)`,
  'create unique index session_uid on session (uid)',
  `create table account_key (
    key_hash bytea primary key,
    account_id int not null references account on delete cascade,
    purpose text not null check (purpose in ('confirm-email', 'reset-password', 'passwordless')),
    email text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  'create index account_key_account on account_key (account_id)',
  `create table notification (
    account_id int not null references account on delete cascade,
    id bigint generated always as identity,
    uid text not null unique,
    at timestamptz not null,
    title text not null,
    message text not null,
    link text not null default '',
    is_read boolean not null default false,
    primary key (account_id, id)
  )`,
  `create table push_device (
    id int generated always as identity primary key,
    uid text not null unique,
    account_id int not null references account on delete cascade,
    device_uid text not null,
    endpoint text not null unique,
    expires_at timestamptz,
    p256dh text not null,
    auth text not null,
    address text not null,
    user_agent text not null,
    created_at timestamptz not null
  )`,
  'create index push_device_account on push_device (account_id)',
  `alter table outbox add column way text not null default 'mail' check (way in ('mail', 'sms')),
    add column html text not null default '',
    add column state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
    add column tries int not null default 0, add column next_try_at timestamptz, add column sent_at timestamptz,
    add column error text not null default ''`,
  `create index outbox_waiting on outbox (next_try_at) where state = 'waiting'`,
  `create table installation (name text primary key, value jsonb not null, updated_at timestamptz not null)`,
  `create table audit (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    operator text not null,
    command text not null,
    arguments text not null,
    outcome text not null
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

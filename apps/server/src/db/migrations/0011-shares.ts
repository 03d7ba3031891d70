import { type Kysely, sql } from 'kysely';

/**
 * Shares of one farm or of an owner's whole account, from the invitation to their end; who did what to them; and
 * support's sessions. Until now a share of the whole account was a row per farm, marked by `Account` (16) on `farms`.
 */
const statements = [
  `create table share (
    id int generated always as identity primary key,
    uid text not null unique,
    owner_id int not null references account on delete cascade,
    farm_id int references farm on delete cascade,
    agent_id int references account on delete cascade,
    email text not null check (email = lower(email)),
    contact jsonb not null default '{}',
    state text not null check (state in ('pending', 'accepted', 'rejected')),
    template int not null check (template between 1 and 4),
    permissions jsonb not null,
    ends_at timestamptz,
    ended_at timestamptz,
    key_hash bytea unique,
    sent_at timestamptz not null,
    created_at timestamptz not null,
    answered_at timestamptz,
    last_used_at timestamptz,
    check (state <> 'accepted' or agent_id is not null)
  )`,
  'create unique index share_of_person on share (owner_id, coalesce(farm_id, 0), email)',
  // What every request's access asks; and nobody has one farm or account twice.
  `create unique index share_of_farm on share (agent_id, farm_id) where state = 'accepted' and farm_id is not null`,
  `create unique index share_of_account on share (agent_id, owner_id) where state = 'accepted' and farm_id is null`,
  'create index share_farm on share (farm_id) where farm_id is not null',
  'create index share_agent on share (agent_id)',
  'create index share_email on share (email)',
  'create index share_ending on share (ends_at) where ended_at is null and ends_at is not null',
  `insert into share (uid, owner_id, farm_id, agent_id, email, contact, state, template, permissions, ends_at, sent_at,
      created_at, answered_at)
    select left(replace(gen_random_uuid()::text, '-', ''), 24), owner_id, farm_id, agent_id, email,
      jsonb_build_object('name', name), 'accepted', template, permissions, ends_at, created_at, created_at, created_at
    from (
      select f.owner_id, s.farm_id, a.id as agent_id, lower(a.email) as email, a.name, s.template, s.permissions,
        s.expires_at as ends_at, s.created_at
      from farm_share s join farm f on f.id = s.farm_id join account a on a.id = s.account_id
      where (s.permissions->>'farms')::int & 16 = 0
      union all
      (select distinct on (f.owner_id, a.id) f.owner_id, null, a.id, lower(a.email), a.name, s.template,
        s.permissions || jsonb_build_object('farms', (s.permissions->>'farms')::int & 15), s.expires_at, s.created_at
      from farm_share s join farm f on f.id = s.farm_id join account a on a.id = s.account_id
      where (s.permissions->>'farms')::int & 16 <> 0
      order by f.owner_id, a.id, s.created_at desc, s.farm_id desc)
    ) converted
    where owner_id <> agent_id`,
  'drop table farm_share',
  `create table access_log (
    id bigint generated always as identity primary key,
    owner_id int not null references account on delete cascade,
    farm_id int references farm on delete set null,
    farm_name text not null default '',
    actor_id int references account on delete set null,
    at timestamptz not null,
    what text not null,
    by_name text not null,
    whom text not null,
    note text not null default '',
    detail jsonb not null default '{}'
  )`,
  'create index access_log_owner on access_log (owner_id, id)',
  'create index access_log_farm on access_log (farm_id)',
  'create index access_log_actor on access_log (actor_id)',
  `create unique index access_log_look on access_log (actor_id, farm_id, ((at at time zone 'UTC')::date))
    where what = 'support looked'`,
  `create table support_session (
    id int generated always as identity primary key,
    account_id int not null references account on delete cascade,
    farm_id int not null references farm on delete cascade,
    reason text not null,
    opened_at timestamptz not null,
    ends_at timestamptz not null,
    closed_at timestamptz
  )`,
  'create unique index support_session_open on support_session (account_id, farm_id) where closed_at is null',
  'create index support_session_farm on support_session (farm_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

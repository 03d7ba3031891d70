import { type Kysely, sql } from 'kysely';

/** What people want to be told of a farm, what became so, and who was told. */
const statements = [
  `create table alert_rule (
    farm_id int not null references farm on delete cascade,
    id int generated always as identity,
    uid text not null unique,
    name text not null,
    kind text not null,
    enabled boolean not null,
    -- Empty: all that there are, of the kind in \`watch\` or of all kinds that it can watch.
    device_ids int[] not null default '{}',
    watch text,
    -- Of gateways: which of their inputs.
    inputs int[] not null default '{}',
    condition text not null,
    value float8,
    clear_value float8,
    hold_min int not null,
    class text,
    version int not null default 1,
    created_by int references account on delete set null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (farm_id, id)
  )`,
  `create table alert_incident (
    farm_id int not null references farm on delete cascade,
    id bigint generated always as identity,
    uid text not null unique,
    -- What it was told by; the alert may be gone, its name stays.
    rule_id int,
    rule_name text not null,
    kind text not null,
    class text not null,
    opened_at timestamptz not null,
    ended_at timestamptz,
    answered_by int references account on delete set null,
    answered_at timestamptz,
    version int not null default 1,
    primary key (farm_id, id)
  )`,
  'create index alert_incident_open on alert_incident (farm_id) where ended_at is null',
  'create index alert_incident_opened on alert_incident (farm_id, opened_at)',
  `create table alert_episode (
    farm_id int not null references farm on delete cascade,
    id bigint generated always as identity,
    rule_id int not null,
    device_id int not null,
    -- Which of a device's inputs or errors; 0: the device.
    part int not null default 0,
    incident_id bigint,
    state text not null check (state in ('pending', 'firing', 'answered', 'clearing', 'ended')),
    class text not null,
    since timestamptz not null,
    fired_at timestamptz,
    answered_at timestamptz,
    clear_since timestamptz,
    ended_at timestamptz,
    value float8,
    peak float8,
    came_back int not null default 0,
    -- What the sentence about it is made of.
    facts jsonb not null default '{}',
    due_at timestamptz,
    primary key (farm_id, id),
    foreign key (farm_id, incident_id) references alert_incident on delete cascade
  )`,
  `create unique index alert_episode_open on alert_episode (farm_id, rule_id, device_id, part)
    where state <> 'ended'`,
  `create index alert_episode_due on alert_episode (due_at) where due_at is not null`,
  'create index alert_episode_incident on alert_episode (farm_id, incident_id)',
  `create index alert_episode_fired on alert_episode (farm_id, rule_id, device_id, part, fired_at)`,
  // The last change of an input that an alert watches: what it is compared with after a restart.
  `create table alert_input (
    farm_id int not null,
    rule_id int not null,
    device_id int not null,
    part int not null,
    at timestamptz not null,
    is_on boolean not null,
    primary key (farm_id, rule_id, device_id, part),
    foreign key (farm_id, rule_id) references alert_rule on delete cascade
  )`,
  `create table alert_step (
    farm_id int not null references farm on delete cascade,
    id bigint generated always as identity,
    incident_id bigint not null,
    at timestamptz not null,
    what text not null,
    by_account int references account on delete set null,
    note text not null,
    primary key (farm_id, id),
    foreign key (farm_id, incident_id) references alert_incident on delete cascade
  )`,
  'create index alert_step_incident on alert_step (farm_id, incident_id)',
  `create table alert_notice (
    farm_id int not null references farm on delete cascade,
    step_id bigint not null,
    account_id int not null references account on delete cascade,
    primary key (farm_id, step_id, account_id),
    foreign key (farm_id, step_id) references alert_step on delete cascade
  )`,
  'create index alert_notice_account on alert_notice (account_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

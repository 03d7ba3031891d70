import { type Kysely, sql } from 'kysely';

/** A message can be answered where it is read, and a mail ends what it is part of. */
const statements = [
  `create table answer_key (
    farm_id int not null,
    key_hash bytea not null unique,
    incident_id bigint not null,
    account_id int not null references account on delete cascade,
    expires_at timestamptz not null,
    primary key (farm_id, key_hash),
    foreign key (farm_id, incident_id) references alert_incident on delete cascade
  )`,
  'create index answer_key_incident on answer_key (farm_id, incident_id)',
  'create index answer_key_account on answer_key (account_id)',
  'create index answer_key_expires on answer_key (expires_at)',
  // Where a mail is ended with one click, and what it belongs to.
  `alter table outbox add column unsubscribe text not null default '', add column thread text`,
  // Receipts and replies of SMS.
  `create index outbox_provider on outbox (provider_id) where way = 'sms' and provider_id is not null`,
  `create index outbox_sms on outbox (recipient, id) where way = 'sms'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

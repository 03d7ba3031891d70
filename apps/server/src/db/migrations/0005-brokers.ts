import { type Kysely, sql } from 'kysely';

/**
 * Several servers behind one outside broker: whose session is waiting there, hellos that may arrive out of order, and
 * keys in the form in which Mosquitto checks them (a key is told once, so it can't be made later).
 */
const statements = [
  `create table broker_session (
    client_id text primary key,
    seen_at timestamptz not null
  )`,
  'alter table gateway_state add column hello_at timestamptz',
  'alter table gateway_key add column broker_hash text',
  'alter table integration_key add column broker_hash text',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

import { type Kysely, sql } from 'kysely';

/** Mail that is to be sent. Where no mail server is set it stays here, and the operator's command shows it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table outbox (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    recipient text not null,
    subject text not null,
    body text not null
  )`.execute(db);
  await sql`create index outbox_recipient on outbox (recipient, at)`.execute(db);
}

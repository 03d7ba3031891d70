import { type Kysely, sql } from 'kysely';

/** Codes that somebody signed in gives to change how the account is signed in to are counted by the account: any browser can name itself anew. */
const statements = [
  `alter table sign_in_ticket drop constraint sign_in_ticket_kind_check,
    add constraint sign_in_ticket_kind_check check (kind in ('password', 'mail', 'own', 'passkey', 'new-passkey'))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

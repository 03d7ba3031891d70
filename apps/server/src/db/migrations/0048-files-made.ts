import { type Kysely, sql } from 'kysely';

/** How many files an account had made on its newest day. */
const statements = [
  `create table files_made (
    account_id int primary key references account on delete cascade,
    day date not null,
    files int not null
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

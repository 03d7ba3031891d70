import { type Kysely, sql } from 'kysely';

/** Who cancelled a command last: of the account, so that a closed one leaves no name. */
const statements = [
  'alter table command add cancelled_by_id int references account on delete set null',
  'create index command_cancelled_by on command (cancelled_by_id) where cancelled_by_id is not null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

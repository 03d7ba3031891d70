import { type Kysely, sql } from 'kysely';

/** However much it is used, a session ends. Those that are open have the whole time from now on: their people are told before. */
const statements = [
  `alter table session add column ends_at timestamptz not null default now() + interval '90 days'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

import { type Kysely, sql } from 'kysely';

/** What a farm's water supply allows. */
const statements = [
  `create table farm_supply (
    farm_id int primary key references farm on delete cascade,
    -- L/s; null: nobody has said.
    max_lps float8 check (max_lps > 0),
    windows jsonb not null default '[]',
    avoid jsonb not null default '[]',
    notes text not null default '',
    version int not null default 1,
    updated_by int references account on delete set null,
    updated_at timestamptz not null default now()
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

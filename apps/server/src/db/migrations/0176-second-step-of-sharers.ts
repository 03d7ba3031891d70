import { type Kysely, sql } from 'kysely';

/** An owner asks the people with whom farms are shared for a second step. Servers that remember rights forget those that it changes. */
const statements = [
  // From then on who has none is shut out; null: nobody is asked. Told: how far people were reminded of it.
  `alter table account add column sharing_second_step_from timestamptz,
    add column sharing_second_step_told text check (sharing_second_step_told in ('soon', 'shut'))`,
  `create index account_asks_second_step on account (sharing_second_step_from) where sharing_second_step_from is not null`,
  `create or replace function tell_second_step_access() returns trigger language plpgsql as $$
    begin
      perform tell_access_of('account ' || new.id);
      if old.sharing_second_step_from is distinct from new.sharing_second_step_from then
        perform tell_access_of('farm ' || id) from farm where owner_id = new.id and deleted_at is null;
      end if;
      return null;
    end $$`,
  `create trigger tell_access_second_step after update on account for each row
    when ((old.second_step_since is null) <> (new.second_step_since is null)
      or old.sharing_second_step_from is distinct from new.sharing_second_step_from)
    execute function tell_second_step_access()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

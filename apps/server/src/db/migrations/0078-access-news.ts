import { type Kysely, sql } from 'kysely';

/**
 * Every change of who may do what is told on the channel `headrace_access` when it is committed, whoever made it: `account 7` or
 * `farm 12`. Servers that remember rights forget those. Uses of sessions and shares are no changes.
 */
const statements = [
  `create or replace function tell_access_of(whose text) returns void language sql as $$ select pg_notify('headrace_access', whose) $$`,
  `create or replace function tell_session_access() returns trigger language plpgsql as $$
    begin perform tell_access_of('account ' || old.account_id); return null; end $$`,
  `create trigger tell_access_update after update on session for each row
    when (old.token_hash is distinct from new.token_hash or old.account_id is distinct from new.account_id or new.expires_at < old.expires_at)
    execute function tell_session_access()`,
  `create trigger tell_access_delete after delete on session for each row execute function tell_session_access()`,
  `create or replace function tell_account_access() returns trigger language plpgsql as $$
    begin perform tell_access_of('account ' || old.id); return null; end $$`,
  `create trigger tell_access_update after update on account for each row
    when ((old.uid, old.type, old.approved, old.is_staff, old.must_change_password, old.subscription_valid_until)
      is distinct from (new.uid, new.type, new.approved, new.is_staff, new.must_change_password, new.subscription_valid_until))
    execute function tell_account_access()`,
  `create trigger tell_access_delete after delete on account for each row execute function tell_account_access()`,
  `create or replace function tell_share_access() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then perform tell_access_of('account ' || old.agent_id) where old.agent_id is not null; end if;
      if tg_op <> 'DELETE' then perform tell_access_of('account ' || new.agent_id) where new.agent_id is not null; end if;
      return null;
    end $$`,
  `create trigger tell_access_change after insert or delete on share for each row execute function tell_share_access()`,
  `create trigger tell_access_update after update on share for each row
    when ((old.agent_id, old.owner_id, old.farm_id, old.state, old.permissions, old.ends_at)
      is distinct from (new.agent_id, new.owner_id, new.farm_id, new.state, new.permissions, new.ends_at))
    execute function tell_share_access()`,
  `create or replace function tell_support_access() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then perform tell_access_of('account ' || old.account_id); end if;
      if tg_op <> 'DELETE' then perform tell_access_of('account ' || new.account_id); end if;
      return null;
    end $$`,
  `create trigger tell_access_change after insert or update or delete on support_session for each row
    execute function tell_support_access()`,
  `create or replace function tell_farm_access() returns trigger language plpgsql as $$
    begin perform tell_access_of('farm ' || old.id); return null; end $$`,
  `create trigger tell_access_change after update or delete on farm for each row execute function tell_farm_access()`,
  // Once for each farm of a statement, which may change five thousand.
  `create or replace function tell_device_access() returns trigger language plpgsql as $$
    begin perform tell_access_of('farm ' || farm_id) from (select distinct farm_id from before) changed; return null; end $$`,
  `create trigger tell_access_update after update on device referencing old table as before for each statement
    execute function tell_device_access()`,
  `create trigger tell_access_delete after delete on device referencing old table as before for each statement
    execute function tell_device_access()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

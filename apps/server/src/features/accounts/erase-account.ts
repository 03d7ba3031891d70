import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { AccountRow } from '../../db/schema.ts';

export const dueAccounts = (db: Db, now: Date): Promise<AccountRow[]> =>
  db.selectFrom('account').selectAll().where('closes_at', '<=', now).orderBy('closes_at').execute();

/** An address that nobody confirmed for so long, ms. */
const UNPROVED_MS = 30 * 86_400_000;

/**
 * Accounts whose address was never confirmed, 30 days after they were made, where nothing hangs on them: nobody signed in within
 * that time, no device on their farms, no share given or had, nothing sent there by an owner. They are due at once.
 */
export async function closeUnproved(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - UNPROVED_MS);
  await sql`update account a set closes_at = ${now}, updated_at = ${now}
    where email_confirmed_at is null and closes_at is null and created_at < ${before}
      and not is_demo and not is_staff and email not like '%@closed.invalid'
      and not exists (select from session s where s.account_id = a.id and s.last_used_at > ${before})
      and not exists (select from share s where s.owner_id = a.id or s.agent_id = a.id or (s.email = a.email and s.state = 'pending'))
      and not exists (select from farm f join device d on d.farm_id = f.id
        where f.owner_id = a.id and f.deleted_at is null and d.deleted_at is null)`.execute(db);
}

/** False when the account is kept after all, or another server was quicker. Safe to do again after a crash. */
export async function claimForErasing(db: Db, accountId: number, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('account')
    .set({ approved: false, updated_at: now })
    .where('id', '=', accountId)
    .where('closes_at', '<=', now)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function farmsOf(db: Db, ownerId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('farm')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** An owner's farms by name, with how many people they are shared with now. */
export async function sharedFarmsOf(
  db: Db,
  ownerId: number,
  now: Date,
): Promise<{ farm: string; people: number }[]> {
  const rows = await db
    .selectFrom('farm')
    .leftJoin('share', (join) =>
      join
        .onRef('share.owner_id', '=', 'farm.owner_id')
        .on('share.state', '=', 'accepted')
        .on((eb) => eb.or([eb('share.farm_id', 'is', null), eb('share.farm_id', '=', eb.ref('farm.id'))]))
        .on((eb) => eb.or([eb('share.ends_at', 'is', null), eb('share.ends_at', '>', now)])),
    )
    .where('farm.owner_id', '=', ownerId)
    .where('farm.deleted_at', 'is', null)
    .select((eb) => ['farm.name as farm', eb.fn.count<string>('share.agent_id').distinct().as('people')])
    .groupBy(['farm.id', 'farm.name'])
    .orderBy('farm.name')
    .execute();
  return rows.map(({ farm, people }) => ({ farm, people: Number(people) }));
}

const OWN_TABLES = [
  'known_device',
  'authenticator',
  'recovery_code',
  'passkey',
  'sign_in_ticket',
  'account_settings',
  'alert_preference',
  'account_key',
  'notification',
  'push_device',
  'page_view',
  'command_seen',
  'support_session',
] as const;

/**
 * Deletes what is kept about a person; the accounts with which something was shared. An owner's row stays, without anything
 * in it that names somebody, since deleted farms and their history of changes refer to it.
 */
export async function eraseAccount(trx: Db, account: AccountRow, now: Date): Promise<number[]> {
  for (const table of OWN_TABLES)
    await trx
      .deleteFrom(table as 'page_view')
      .where('account_id', '=', account.id)
      .execute();
  await trx.deleteFrom('sign_in_failure').where('email', '=', account.email).execute();
  const addresses = [account.email, account.pending_email ?? account.email];
  // An SMS has their number, and a message for a browser what it says.
  await trx
    .deleteFrom('outbox')
    .where((eb) => eb.or([eb('recipient', 'in', addresses), eb('account_id', '=', account.id)]))
    .execute();
  await trx.deleteFrom('access_log').where('owner_id', '=', account.id).execute();
  const shares = await trx
    .deleteFrom('share')
    .where((eb) => eb.or([eb('owner_id', '=', account.id), eb('agent_id', '=', account.id)]))
    .returning('agent_id')
    .execute();
  // What they could be brought back by names people too.
  await trx
    .deleteFrom('change_batch')
    .where('farm_id', 'in', trx.selectFrom('farm').select('id').where('owner_id', '=', account.id))
    .execute();
  const owned = await trx
    .selectFrom('farm')
    .select('id')
    .where('owner_id', '=', account.id)
    .executeTakeFirst();
  if (owned) await blank(trx, account, now);
  else await trx.deleteFrom('account').where('id', '=', account.id).execute();
  const agents = shares.map(({ agent_id }) => agent_id).filter((id) => id !== null && id !== account.id);
  return [...new Set(agents as number[])];
}

async function blank(trx: Db, { id, uid }: AccountRow, now: Date): Promise<void> {
  await trx
    .updateTable('account')
    .set({
      email: `${uid}@closed.invalid`,
      name: 'Closed account',
      password_hash: null,
      approved: false,
      mobile: null,
      country_code: null,
      notes: '',
      newsletter: false,
      is_staff: false,
      second_step_since: null,
      sharing_second_step_from: null,
      sharing_second_step_told: null,
      email_confirmed_at: null,
      pending_email: null,
      closes_at: null,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute();
}

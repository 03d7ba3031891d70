import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { AccountRow } from '../../db/schema.ts';
import { browserName } from '../../http/browser-name.ts';
import { alertsOfAccount } from './account-alerts.ts';
import { toOwnAccount } from './details.service.ts';
import { deviceOf } from './sessions.ts';

/** The newest of each list: a document that can be read. */
const MOST = 20_000;

/**
 * Everything that is kept about a person, as one JSON document that is made while it is sent, list by list. Left out is what
 * would open something: hashes, keys and the addresses at which browsers take notifications.
 */
export async function* accountData(db: Db, account: AccountRow, now: Date): AsyncGenerator<string> {
  let before = '{\n';
  for (const [name, read] of Object.entries(parts(db, account, now))) {
    yield `${before}${JSON.stringify(name)}: ${JSON.stringify(await read(), null, 2)}`;
    before = ',\n';
  }
  yield '\n}\n';
}

function parts(db: Db, account: AccountRow, now: Date): Record<string, () => unknown> {
  const { id } = account;
  // What went to an address, and who tried it, is its owner's alone: anybody may claim one.
  const address = account.email_confirmed_at ? account.email : null;
  return {
    madeAt: () => now.toISOString(),
    account: () => about(account),
    settings: () => settingsOf(db, id),
    signedIn: () => sessionsOf(db, id),
    knownBrowsers: () => knownBrowsers(db, id),
    secondStep: () => secondStepOf(db, account),
    failedSignIns: () => (address === null ? [] : failedSignIns(db, address)),
    mailedLinks: () => mailedLinks(db, id),
    messages: () => (address === null ? [] : messagesTo(db, address)),
    notifications: () => notificationsOf(db, id),
    ...alertsOfAccount(db, id, MOST),
    notifiedBrowsers: () => pushDevicesOf(db, id),
    farms: () => farmsOf(db, id),
    sharedWithOthers: () => sharesOf(db, 'owner_id', id),
    sharedWithMe: () => sharesOf(db, 'agent_id', id),
    accessLog: () => accessLog(db, id),
    changes: () => changesBy(db, id),
    commands: () => commandsBy(db, id),
    seenCommands: () => commandsSeenBy(db, id),
    pageViews: () => pageViewsOf(db, id),
  };
}

const about = (account: AccountRow) => ({
  id: account.uid,
  type: account.type,
  ...toOwnAccount(account),
  approved: account.approved,
  mustChangePassword: account.must_change_password,
  isStaff: account.is_staff,
  subscriptionValidUntil: account.subscription_valid_until,
  sendSms: account.send_sms,
  sendPush: account.send_push,
  sendEmail: account.send_email,
  sendAction: account.send_action,
  zone: account.zone,
  emailConfirmedAt: account.email_confirmed_at,
  acceptedTerms: account.accepted_terms,
  termsAcceptedAt: account.terms_accepted_at,
  updatedAt: account.updated_at,
});

const settingsOf = async (db: Db, id: number) =>
  (await db
    .selectFrom('account_settings')
    .select(['data', 'version', 'updated_at as updatedAt'])
    .where('account_id', '=', id)
    .executeTakeFirst()) ?? null;

async function sessionsOf(db: Db, id: number) {
  const rows = await db
    .selectFrom('session')
    .select(['address', 'user_agent', 'device_uid', 'created_at', 'last_used_at', 'expires_at'])
    .where('account_id', '=', id)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({
    browser: browserName(row.user_agent),
    userAgent: row.user_agent,
    address: row.address,
    device: deviceOf({ ...row, account_id: id }),
    signedInAt: row.created_at,
    lastUsedAt: row.last_used_at,
    endsAt: row.expires_at,
  }));
}

/** Without secrets and codes. */
async function secondStepOf(db: Db, { id, second_step_since }: AccountRow) {
  const app = await db
    .selectFrom('authenticator')
    .select('secret')
    .where('account_id', '=', id)
    .executeTakeFirst();
  const passkeys = await db
    .selectFrom('passkey')
    .select(['name', 'created_at as createdAt', 'last_used_at as lastUsedAt', 'is_synced as isSynced'])
    .where('account_id', '=', id)
    .orderBy('created_at')
    .execute();
  const recoveryCodes = await db
    .selectFrom('recovery_code')
    .select('used_at as usedAt')
    .where('account_id', '=', id)
    .execute();
  return { since: second_step_since, hasApp: (app?.secret ?? null) !== null, passkeys, recoveryCodes };
}

/** A browser by the name that lists of signed-in devices have for it: its own would let whoever sends it count as known. */
const named = <Row extends { device_uid: string; userAgent?: string }>(id: number, rows: readonly Row[]) =>
  rows.map(({ device_uid, ...row }) => ({
    device: deviceOf({ account_id: id, device_uid, user_agent: row.userAgent ?? '' }),
    ...row,
  }));

async function knownBrowsers(db: Db, id: number) {
  const rows = await db
    .selectFrom('known_device')
    .select(['device_uid', 'last_sign_in_at as lastSignInAt', 'remembered_until as secondStepSavedUntil'])
    .where('account_id', '=', id)
    .execute();
  return named(id, rows);
}

const failedSignIns = (db: Db, email: string) =>
  db.selectFrom('sign_in_failure').select(['at', 'address']).where('email', '=', email).limit(MOST).execute();

const mailedLinks = (db: Db, id: number) =>
  db
    .selectFrom('account_key')
    .select(['purpose', 'email', 'created_at as mailedAt', 'expires_at as endsAt', 'used_at as usedAt'])
    .where('account_id', '=', id)
    .orderBy('created_at')
    .execute();

/** Without their texts: links in them may still open something. */
const messagesTo = (db: Db, email: string) =>
  db
    .selectFrom('outbox')
    .select(['at', 'way', 'subject', 'state', 'sent_at as sentAt'])
    .where('recipient', '=', email)
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();

const notificationsOf = (db: Db, id: number) =>
  db
    .selectFrom('notification')
    .select(['at', 'title', 'message', 'link', 'is_read as isRead'])
    .where('account_id', '=', id)
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();

async function pushDevicesOf(db: Db, id: number) {
  const rows = await db
    .selectFrom('push_device')
    .select(['device_uid', 'address', 'user_agent as userAgent', 'created_at as addedAt'])
    .where('account_id', '=', id)
    .execute();
  return named(id, rows);
}

const farmsOf = (db: Db, id: number) =>
  db
    .selectFrom('farm')
    .select([
      'uid as id',
      'name',
      'address',
      'lat',
      'lng',
      'created_at as createdAt',
      'deleted_at as deletedAt',
    ])
    .where('owner_id', '=', id)
    .orderBy('id')
    .execute();

const sharesOf = (db: Db, side: 'owner_id' | 'agent_id', id: number) =>
  db
    .selectFrom('share')
    .innerJoin('account as owner', 'owner.id', 'share.owner_id')
    .leftJoin('farm', 'farm.id', 'share.farm_id')
    .select([
      'owner.name as owner',
      sql<string>`coalesce(farm.name, 'all farms')`.as('farm'),
      'share.email as with',
      'share.state',
      'share.permissions',
      'share.sent_at as sentAt',
      'share.answered_at as answeredAt',
      'share.ends_at as endsAt',
      'share.last_used_at as lastUsedAt',
    ])
    // What an owner noted of a person is the owner's own.
    .$if(side === 'owner_id', (query) => query.select('share.contact'))
    .where(`share.${side}`, '=', id)
    .orderBy('share.id')
    .execute();

const accessLog = (db: Db, id: number) =>
  db
    .selectFrom('access_log')
    .select(['at', 'what', 'farm_name as farm', 'by_name as by', 'whom', 'note', 'detail'])
    .where((eb) => eb.or([eb('owner_id', '=', id), eb('actor_id', '=', id)]))
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();

const changesBy = (db: Db, id: number) =>
  db
    .selectFrom('change_log')
    .select(['at', 'kind', 'name', 'what', 'fields'])
    .where('account_id', '=', id)
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();

const commandsBy = (db: Db, id: number) =>
  db
    .selectFrom('command')
    .select(['created_at as at', 'type', 'name', 'state'])
    .where('account_id', '=', id)
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();

const commandsSeenBy = (db: Db, id: number) =>
  db
    .selectFrom('command_seen as s')
    .innerJoin('command as c', (join) =>
      join.onRef('c.farm_id', '=', 's.farm_id').onRef('c.id', '=', 's.command_id'),
    )
    .select(['s.at', 'c.type', 'c.name'])
    .where('s.account_id', '=', id)
    .orderBy('s.at', 'desc')
    .limit(MOST)
    .execute();

async function pageViewsOf(db: Db, id: number) {
  const rows = await db
    .selectFrom('page_view')
    .select(['at', 'key', 'device_uid'])
    .where('account_id', '=', id)
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();
  return named(id, rows);
}

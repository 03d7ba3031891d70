import { sql } from 'kysely';
import type { SupportFarm } from '@headrace/contract/sharing';
import type { Db } from '../../db/client.ts';
import type { Caller } from '../../http/access-gate.ts';
import { notFound } from '../../http/errors.ts';
import { logAccess } from '../access/access-log.ts';
import type { Messages, Note } from '../messages/messages.ts';

/** How long support has full rights on a farm. */
const SESSION_MS = 3_600_000;
const FARMS_MAX = 20;

export interface SupportParts {
  readonly db: Db;
  readonly messages: Messages;
  /** This account's rights are others now: on all servers, and on its open pages. */
  readonly accessChanged: (accountId: number) => Promise<void>;
  readonly log: { warn(details: object, message: string): void };
}

/** The operator's staff on somebody's farm: opened with a reason, for an hour, and the owner is told. */
export function createSupportService({ db, messages, accessChanged, log }: SupportParts) {
  /** After the commit: what was done stays done, and the next is told, when one can't be. */
  const tell = (accountId: number, note: Note, now: Date): Promise<void> =>
    messages
      .notify(accountId, note, now)
      .catch((err: unknown) => log.warn({ err }, 'a notification about support not stored'));
  const renew = (accountId: number): Promise<void> =>
    accessChanged(accountId).catch((err: unknown) => log.warn({ err }, 'new rights not told'));

  async function told(closed: readonly Closed[], now: Date): Promise<void> {
    for (const { owner_id, account_id, farm_name, staff_name } of closed) {
      await renew(account_id);
      await tell(
        owner_id,
        {
          title: 'Support has ended',
          message: `${staff_name} of support no longer has full rights on ${farm_name}.`,
          link: '/invitations',
        },
        now,
      );
    }
  }

  return {
    async farms(value: string, caller: Caller, now: Date): Promise<{ farms: SupportFarm[] }> {
      return { farms: (await farmsFor(db, caller.accountId, now, { beginning: value })).map(toSupportFarm) };
    },

    /** An open session goes on for an hour from now, with the new reason. */
    async open(farmUid: string, reason: string, caller: Caller, now: Date): Promise<SupportFarm> {
      const farm = await db.transaction().execute(async (trx) => {
        // One session of a staff member at a time, also when two calls come at once.
        const staff = await trx
          .selectFrom('account')
          .select(['id', 'name'])
          .where('id', '=', caller.accountId)
          .forNoKeyUpdate()
          .executeTakeFirstOrThrow();
        const [farm] = await farmsFor(trx, staff.id, now, { uid: farmUid.toLowerCase() });
        if (!farm) throw notFound();
        await closeSessions(trx, { accountId: staff.id, farmId: farm.id }, now, { isQuiet: true });
        await trx
          .insertInto('support_session')
          .values({
            account_id: staff.id,
            farm_id: farm.id,
            reason: reason.trim(),
            opened_at: now,
            ends_at: new Date(now.getTime() + SESSION_MS),
          })
          .execute();
        const entry = { ownerId: farm.owner_id, farm, actor: staff, whom: '', note: reason.trim() };
        await logAccess(trx, [{ ...entry, what: 'support opened' }], now);
        return { ...farm, session_until: new Date(now.getTime() + SESSION_MS), staff_name: staff.name };
      });
      await renew(caller.accountId);
      await tell(
        farm.owner_id,
        {
          title: 'Support is on your farm',
          message: `${farm.staff_name} of support has full rights on ${farm.name} for an hour. The reason: ${reason.trim()}`,
          link: '/invitations',
        },
        now,
      );
      return toSupportFarm(farm);
    },

    /** Throws notFound where there is none open. */
    async close(farmUid: string, caller: Caller, now: Date): Promise<void> {
      const closed = await db.transaction().execute(async (trx) => {
        const [farm] = await farmsFor(trx, caller.accountId, now, { uid: farmUid.toLowerCase() });
        return farm ? closeSessions(trx, { accountId: caller.accountId, farmId: farm.id }, now) : [];
      });
      if (closed.length === 0) throw notFound();
      await told(closed, now);
    },

    /** Sessions whose hour is over hold nothing; this writes it down and tells it, once. */
    async endSessions(now: Date): Promise<void> {
      await told(await db.transaction().execute((trx) => closeSessions(trx, { endedBy: now }, now)), now);
    },
  };
}
export type SupportService = ReturnType<typeof createSupportService>;

interface Closed {
  account_id: number;
  staff_name: string;
  owner_id: number;
  farm_id: number;
  farm_name: string;
  ends_at: Date;
}

/** Closes and logs; `isQuiet` where the next line of the log says that it goes on. */
async function closeSessions(
  trx: Db,
  which: { accountId: number; farmId: number } | { endedBy: Date },
  now: Date,
  { isQuiet = false } = {},
): Promise<Closed[]> {
  let update = trx
    .updateTable('support_session as session')
    .from('account as staff')
    .from('farm')
    .set({ closed_at: now })
    .whereRef('staff.id', '=', 'session.account_id')
    .whereRef('farm.id', '=', 'session.farm_id')
    .where('session.closed_at', 'is', null);
  update =
    'endedBy' in which
      ? update.where('session.ends_at', '<=', which.endedBy)
      : update.where('session.account_id', '=', which.accountId).where('session.farm_id', '=', which.farmId);
  const closed = await update
    .returning([
      'session.account_id',
      'staff.name as staff_name',
      'farm.owner_id',
      'farm.id as farm_id',
      'farm.name as farm_name',
      'session.ends_at',
    ])
    .execute();
  if (isQuiet) return closed;
  const entries = closed.map((session) => ({
    ownerId: session.owner_id,
    farm: { id: session.farm_id, name: session.farm_name },
    actor: { id: session.account_id, name: session.staff_name },
    what: 'support closed' as const,
    whom: '',
    note: session.ends_at <= now ? 'The hour was over.' : '',
  }));
  await logAccess(trx, entries, now);
  return closed;
}

function farmsFor(db: Db, staffId: number, now: Date, which: { uid: string } | { beginning: string }) {
  const query = db
    .selectFrom('farm')
    .innerJoin('account as owner', 'owner.id', 'farm.owner_id')
    .leftJoin('support_session as session', (join) =>
      join
        .onRef('session.farm_id', '=', 'farm.id')
        .on('session.account_id', '=', staffId)
        .on('session.closed_at', 'is', null)
        .on('session.ends_at', '>', now),
    )
    .where('farm.deleted_at', 'is', null)
    .select([
      'farm.id',
      'farm.uid',
      'farm.name',
      'farm.owner_id',
      'owner.name as owner_name',
      'owner.email as owner_email',
      'session.ends_at as session_until',
    ])
    .orderBy(sql`session.id is null`)
    .orderBy(sql`lower(farm.name)`)
    .orderBy('farm.id')
    .limit(FARMS_MAX);
  if ('uid' in which) return query.where('farm.uid', '=', which.uid).execute();
  const text = which.beginning.trim().toLowerCase();
  return query
    .where(
      sql<boolean>`(starts_with(lower(farm.name), ${text}) or starts_with(lower(owner.name), ${text})
        or starts_with(owner.email, ${text}))`,
    )
    .execute();
}
type FarmFor = Awaited<ReturnType<typeof farmsFor>>[number];

const toSupportFarm = (farm: FarmFor): SupportFarm => ({
  farmUID: farm.uid,
  name: farm.name,
  ownerName: farm.owner_name,
  ownerEmail: farm.owner_email,
  sessionUntil: farm.session_until?.toISOString() ?? null,
});

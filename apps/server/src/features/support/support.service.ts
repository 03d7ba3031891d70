import type { SupportFarm } from '@headrace/contract/sharing';
import type { Db } from '../../db/client.ts';
import type { Caller } from '../../http/access-gate.ts';
import { notFound } from '../../http/errors.ts';
import { logAccess } from '../access/access-log.ts';
import type { Messages, Note } from '../messages/messages.ts';
import {
  addSession,
  type Closed,
  closeRows,
  type FarmFor,
  farmsFor,
  lockStaff,
  type WhichSessions,
} from './support.repo.ts';

/** How long support has full rights on a farm. */
const SESSION_MS = 3_600_000;

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

  async function notifyOwners(closed: readonly Closed[], now: Date): Promise<void> {
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
        const staff = await lockStaff(trx, caller.accountId);
        const [farm] = await farmsFor(trx, staff.id, now, { uid: farmUid.toLowerCase() });
        if (!farm) throw notFound();
        await closeSessions(trx, { accountId: staff.id, farmId: farm.id }, now, { isQuiet: true });
        const session_until = new Date(now.getTime() + SESSION_MS);
        await addSession(trx, {
          account_id: staff.id,
          farm_id: farm.id,
          reason: reason.trim(),
          opened_at: now,
          ends_at: session_until,
        });
        const entry = { ownerId: farm.owner_id, farm, actor: staff, whom: '', note: reason.trim() };
        await logAccess(trx, [{ ...entry, what: 'support opened' }], now);
        return { ...farm, session_until, staff_name: staff.name };
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
      await notifyOwners(closed, now);
    },

    /** Sessions whose hour is over hold nothing; this writes it down and tells it, once. */
    async endSessions(now: Date): Promise<void> {
      await notifyOwners(
        await db.transaction().execute((trx) => closeSessions(trx, { endedBy: now }, now)),
        now,
      );
    },
  };
}
export type SupportService = ReturnType<typeof createSupportService>;

/** Closes and logs; `isQuiet` where the next line of the log says that it goes on. */
async function closeSessions(
  trx: Db,
  which: WhichSessions,
  now: Date,
  { isQuiet = false } = {},
): Promise<Closed[]> {
  const closed = await closeRows(trx, which, now);
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

const toSupportFarm = (farm: FarmFor): SupportFarm => ({
  farmUID: farm.uid,
  name: farm.name,
  ownerName: farm.owner_name,
  ownerEmail: farm.owner_email,
  sessionUntil: farm.session_until?.toISOString() ?? null,
});

import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../db/client.ts';
import type { SignInTicketTable } from '../../../db/schema/accounts.ts';
import { hashToken, newToken } from '../tokens.ts';

const MINUTE = 60_000;
/** How long each may take, ms. */
const lifeMs = {
  password: 10 * MINUTE,
  mail: 10 * MINUTE,
  own: 10 * MINUTE,
  passkey: 5 * MINUTE,
  'new-passkey': 5 * MINUTE,
} as const satisfies Record<SignInTicketTable['kind'], number>;
export const TRIES = 5;

interface OfStrangers {
  tickets: number;
  here: number;
}

type Tried = Pick<Selectable<SignInTicketTable>, 'kind' | 'known_device' | 'device_uid'>;

export interface NewTicket {
  accountId: number | null;
  kind: SignInTicketTable['kind'];
  isProved: boolean;
  known: boolean;
  /** Whom it is given to. */
  network?: string;
  deviceUid?: string;
}

export function createTicketsRepo(db: Db) {
  return {
    /** `text`: one that is made elsewhere, as a challenge. */
    async add(
      { accountId, kind, isProved, known, network = '', deviceUid = '' }: NewTicket,
      now: Date,
      text = newToken(),
    ): Promise<string> {
      await db
        .insertInto('sign_in_ticket')
        .values({
          hash: hashToken(text),
          account_id: accountId,
          kind,
          is_proved: isProved,
          known_device: known,
          network,
          device_uid: deviceUid,
          at: now,
          expires_at: new Date(now.getTime() + lifeMs[kind]),
        })
        .execute();
      return text;
    },

    /** Counts a try of a second step from its beginning; undefined: the ticket is over. */
    tryOnce: (ticket: string, now: Date) =>
      db
        .updateTable('sign_in_ticket')
        .set((eb) => ({ tries: eb('tries', '+', 1) }))
        .where('hash', '=', hashToken(ticket))
        .where('kind', 'in', ['password', 'mail', 'own'])
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .where('tries', '<', TRIES)
        .returning(['account_id', 'kind', 'is_proved', 'known_device', 'device_uid', 'tries'])
        .executeTakeFirst(),

    /** True once, of as many that come at the same moment; with `accountId` only where it is that account's. */
    async use(
      ticket: string,
      kinds: readonly SignInTicketTable['kind'][],
      now: Date,
      accountId?: number,
    ): Promise<boolean> {
      const row = await db
        .updateTable('sign_in_ticket')
        .set({ used_at: now })
        .where('hash', '=', hashToken(ticket))
        .where('kind', 'in', [...kinds])
        .$if(accountId !== undefined, (some) => some.where('account_id', '=', accountId ?? 0))
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .returning('hash')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Of an account to browsers that never signed in to it since `since`: tickets, and those to one network. */
    async ofStrangers(accountId: number, since: Date, network = ''): Promise<OfStrangers> {
      const { rows } = await sql<OfStrangers>`
        select count(*)::int as tickets, count(*) filter (where network = ${network})::int as here from sign_in_ticket
        where account_id = ${accountId} and kind = 'password' and not known_device and at > ${since}`.execute(
        db,
      );
      return rows[0] ?? { tickets: 0, here: 0 };
    },

    /** Of an account to a browser that signed in to it before. */
    async ofKnown(accountId: number, deviceUid: string, since: Date): Promise<number> {
      const { tickets } = await db
        .selectFrom('sign_in_ticket')
        .select((eb) => eb.fn.countAll<string>().as('tickets'))
        .where('account_id', '=', accountId)
        .where('kind', '=', 'password')
        .where('known_device', '=', true)
        .where('device_uid', '=', deviceUid)
        .where('at', '>', since)
        .executeTakeFirstOrThrow();
      return Number(tickets);
    },

    /**
     * Codes tried for an account since `since` with tickets like this one: by all strangers, in this known browser, by mailed links, or
     * by whoever is signed in, whatever their browsers say they are.
     * Without the right password no code can be right: what is tried then is no reason to bar anybody.
     */
    async codesTried(accountId: number, like: Tried, since: Date): Promise<number> {
      const { rows } = await sql<{ tries: number }>`
        select coalesce(sum(tries), 0)::int as tries from sign_in_ticket
        where account_id = ${accountId} and is_proved and at > ${since}
          and kind = ${like.kind} and known_device = ${like.known_device}
          and (kind in ('mail', 'own') or not known_device or device_uid = ${like.device_uid})`.execute(db);
      return rows[0]?.tries ?? 0;
    },

    /** Wrong codes of whoever is signed in. */
    async ownWrong(accountId: number, since: Date): Promise<number> {
      const { rows } = await sql<{ wrong: number }>`
        select count(*)::int as wrong from sign_in_ticket
        where account_id = ${accountId} and kind = 'own' and used_at is null and at > ${since}`.execute(db);
      return rows[0]?.wrong ?? 0;
    },
  };
}
export type TicketsRepo = ReturnType<typeof createTicketsRepo>;

/** A day after they ended: until then the codes that were tried with them count. */
export async function purgeTickets(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('sign_in_ticket').where('expires_at', '<', before).execute();
}

/** Whoever is between two steps begins again; codes that were tried count no more. */
export async function endTickets(trx: Db, accountId: number): Promise<void> {
  await trx.deleteFrom('sign_in_ticket').where('account_id', '=', accountId).execute();
}

/** Browsers that were signed out from elsewhere are asked for the second step again. */
export async function forgetSignedOut(trx: Db, accountId: number): Promise<void> {
  await sql`update known_device set remember_hash = null, remembered_until = null
    where account_id = ${accountId} and remember_hash is not null
      and device_uid not in (select device_uid from session where account_id = ${accountId})`.execute(trx);
}

/** Keys that save a browser the second step. */
export function createRememberedRepo(db: Db) {
  return {
    async remember(accountId: number, deviceUid: string, until: Date): Promise<string | undefined> {
      const key = newToken();
      const row = await db
        .updateTable('known_device')
        .set({ remember_hash: hashToken(key), remembered_until: until })
        .where('account_id', '=', accountId)
        .where('device_uid', '=', deviceUid)
        .where('device_uid', '!=', '')
        .returning('account_id')
        .executeTakeFirst();
      return row && key;
    },

    async isRemembered(accountId: number, deviceUid: string, key: string, now: Date): Promise<boolean> {
      const row = await db
        .selectFrom('known_device')
        .select('account_id')
        .where('account_id', '=', accountId)
        .where('device_uid', '=', deviceUid)
        .where('remember_hash', '=', hashToken(key))
        .where('remembered_until', '>', now)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
export type RememberedRepo = ReturnType<typeof createRememberedRepo>;

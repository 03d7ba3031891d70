import type { LoginReply } from '@headrace/contract/accounts';
import type { SignedInDevice } from '@headrace/contract/account-details';
import { SESSION_DAYS, SESSION_MOST_DAYS } from '@headrace/contract/limits';
import type { Db } from '../../db/client.ts';
import type { AccountRow } from '../../db/schema.ts';
import type { Caller, SessionAccount } from '../../http/access-gate.ts';
import { unauthenticated } from '../../http/errors.ts';
import { browserName } from '../../http/browser-name.ts';
import { createSessionsRepo } from './sessions.repo.ts';
import { hashToken, newToken } from './tokens.ts';

const DAY = 86_400_000;
/** Of a session whose person has just shown who they are. */
const endsAt = (now: Date) => new Date(now.getTime() + SESSION_MOST_DAYS * DAY);
/** Without a use from now on, and at `end` at the latest. */
const expiresAt = (now: Date, end: Date) =>
  new Date(Math.min(now.getTime() + SESSION_DAYS * DAY, end.getTime()));
/** A session's use is written at most this often, ms. */
const TOUCH_MS = 5 * 60_000;

/** Where somebody signs in from. */
export interface SignInFrom {
  deviceUid: string;
  address: string;
  userAgent: string;
  /** The session that this browser has now. */
  tokenHash?: Buffer;
}

/** By what somebody signed in. A passkey is both steps; `browser`: one that was saved the second step. */
export interface SignInBy {
  readonly by: 'password' | 'mail' | 'passkey';
  readonly secondStep: 'none' | 'app' | 'recovery code' | 'passkey' | 'browser';
}

export interface SessionEffects {
  /** Somebody signed in. */
  opened(signedIn: { account: number; from: string } & SignInBy): void;
  /** The live connections of this token close at once. */
  ended(tokenHash: Buffer): void;
  /** They come back with the session's new token. */
  rotated(tokenHash: Buffer): void;
}

/** The same for all sign-ins of a browser: by the name that it gives itself, of which this tells nothing, or by what it is. */
export const deviceOf = (row: { account_id: number; device_uid: string; user_agent: string }): string =>
  hashToken(`${row.account_id} ${row.device_uid || browserName(row.user_agent)}`)
    .toString('hex')
    .slice(0, 16);

/** The same, of somebody who signs in. */
export const browserOf = (accountId: number, { deviceUid, userAgent }: SignInFrom): string =>
  deviceOf({ account_id: accountId, device_uid: deviceUid, user_agent: userAgent });

const lifeFrom = (now: Date) => ({ expiresAt: expiresAt(now, endsAt(now)), endsAt: endsAt(now) });

/** Who is signed in, and where. */
export function createSessions(db: Db, effects: SessionEffects) {
  const sessions = createSessionsRepo(db);
  const allEnded = (hashes: readonly Buffer[]) => hashes.forEach((hash) => effects.ended(hash));

  /** Somebody calls by a session that has been looked up: it lives on. */
  async function used(session: SessionAccount, tokenHash: Buffer, now: Date): Promise<Caller> {
    if (now.getTime() - session.last_used_at.getTime() > TOUCH_MS) {
      await sessions.touch(tokenHash, now, expiresAt(now, session.ends_at));
    }
    return {
      accountId: session.id,
      uid: session.uid,
      type: session.type,
      tokenHash,
      isStaff: session.is_staff,
      mustChangePassword: session.must_change_password,
      subscriptionValidUntil: session.subscription_valid_until,
    };
  }

  return {
    isKnownDevice: sessions.isKnownDevice,

    /** A browser has one session: the one before ends, whoever's it is, and one of this account that the browser lost. */
    async open(account: AccountRow, by: SignInBy, from: SignInFrom, now: Date): Promise<LoginReply> {
      const token = newToken();
      const hashes = await db.transaction().execute(async (trx) => {
        const opened = { ...from, tokenHash: hashToken(token), accountId: account.id };
        await sessions.add({ ...opened, at: now, ...lifeFrom(now) }, trx);
        return sessions.endEarlier(opened, from.tokenHash ?? null, trx);
      });
      allEnded(hashes);
      effects.opened({ account: account.id, from: from.address, ...by });
      return toLoginReply(account, token);
    },

    /** The account behind a token; using a session keeps it alive. */
    async callerOf(token: string, now: Date): Promise<Caller | null> {
      const tokenHash = hashToken(token);
      const session = await sessions.byHash(tokenHash, now);
      return session ? used(session, tokenHash, now) : null;
    },

    used,
    hashOf: hashToken,

    /** The newest use first. */
    async list({ accountId, tokenHash }: Caller, now: Date): Promise<SignedInDevice[]> {
      const rows = await sessions.ofAccount(accountId, now);
      return rows.map((row) => ({
        id: row.uid,
        device: deviceOf(row),
        browser: browserName(row.user_agent),
        address: row.address,
        signedInAt: new Date(row.created_at).toISOString(),
        lastUsedAt: new Date(row.last_used_at).toISOString(),
        endsAt: row.ends_at.toISOString(),
        hasPush: row.has_push,
        isThis: row.token_hash.equals(tokenHash),
      }));
    },

    async signOut({ tokenHash }: Caller): Promise<void> {
      await sessions.end(tokenHash);
      effects.ended(tokenHash);
    },

    /** False when the account has no such session. */
    async end({ accountId }: Caller, uid: string): Promise<boolean> {
      const hashes = await sessions.endByUids(accountId, [uid]);
      allEnded(hashes);
      return hashes.length > 0;
    },

    /** False when the account has no such browser, or it is signed in there by the caller's session alone. */
    async endDevice({ accountId, tokenHash }: Caller, device: string): Promise<boolean> {
      const rows = await sessions.ofAccount(accountId, new Date(0));
      const uids = rows
        .filter((row) => deviceOf(row) === device && !row.token_hash.equals(tokenHash))
        .map(({ uid }) => uid);
      const hashes = await sessions.endByUids(accountId, uids);
      allEnded(hashes);
      return hashes.length > 0;
    },

    async endOthers({ accountId, tokenHash }: Caller): Promise<void> {
      allEnded(await sessions.endAll(accountId, tokenHash, db));
    },

    /** Every session of the account; what `work` writes goes with it, all or nothing. */
    async endAll<T>(accountId: number, work: (trx: Db) => Promise<T>): Promise<T> {
      const { result, hashes } = await db.transaction().execute(async (trx) => ({
        result: await work(trx),
        hashes: await sessions.endAll(accountId, null, trx),
      }));
      allEnded(hashes);
      return result;
    },

    /** The caller has shown who they are: the session goes on with a new token, as if it began now. */
    async renew({ tokenHash }: Caller, now: Date): Promise<{ token: string; endsAt: string }> {
      const token = newToken();
      const after = { tokenHash: hashToken(token), ...lifeFrom(now) };
      if (!(await sessions.replaceToken(tokenHash, after, db))) throw unauthenticated();
      effects.rotated(tokenHash);
      return { token, endsAt: after.endsAt.toISOString() };
    },

    /**
     * The caller's session goes on with a new token, no longer than before, and all others end, together with what `work` writes. Staying
     * longer takes the second step too, where there is one: see `renew`.
     */
    async rotate({ accountId, tokenHash }: Caller, work: (trx: Db) => Promise<void>): Promise<string> {
      const token = newToken();
      const after = { tokenHash: hashToken(token) };
      const hashes = await db.transaction().execute(async (trx) => {
        await work(trx);
        const others = await sessions.endAll(accountId, tokenHash, trx);
        if (!(await sessions.replaceToken(tokenHash, after, trx))) throw unauthenticated();
        return others;
      });
      allEnded(hashes);
      effects.rotated(tokenHash);
      return token;
    },
  };
}
export type Sessions = ReturnType<typeof createSessions>;

function toLoginReply(account: AccountRow, token: string): LoginReply {
  return {
    name: account.name,
    email: account.email,
    token,
    type: account.type,
    hasMobile: account.mobile !== null,
    sendSms: account.send_sms,
    sendPush: account.send_push,
    sendEmail: account.send_email,
    sendAction: account.send_action,
    deviceId: null,
    subscriptionValidUntil: account.subscription_valid_until.toISOString(),
    mustChangePassword: account.must_change_password,
    isStaff: account.is_staff,
  };
}

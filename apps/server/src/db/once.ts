import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from './client.ts';
import { open, seal } from './seal.ts';

/** How long a call can be repeated, ms; how many of an account are known; and how large a reply is kept, bytes. */
export const ONCE_MS = 86_400_000;
const MOST = 1000;
const REPLY_MAX = 512 * 1024;
/** The first of two equal calls is waited for, ms. */
const WAIT_MS = 10_000;
const LOOK_MS = 40;

/** One call with a key that its sender made for what it wants done once. */
export interface OnceCall {
  readonly accountId: number;
  readonly key: string;
  /** What is asked for: the same key with anything else is a mistake. */
  readonly what: string;
}

export type OnceResult<T> =
  | { readonly kind: 'done'; readonly reply: T }
  /** The key was used for something else. */
  | { readonly kind: 'reused' }
  /** It was done, or is being done, and what was answered isn't known. */
  | { readonly kind: 'unknown' };

interface Running {
  readonly callId: string;
  readonly accountId: number;
  readonly keyHash: Buffer;
  readonly fingerprint: Buffer;
  readonly now: Date;
}

const running = new AsyncLocalStorage<Running>();

/** Another call with the same key has done it. */
class Repeated extends Error {}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/**
 * Writes down, in the transaction that makes something, which call makes it: of two with one key the second waits here for
 * the first, and makes nothing. Nothing to do where the call has no key.
 */
export async function claimOnce(trx: Db): Promise<void> {
  const call = running.getStore();
  if (!call) return;
  const { callId, accountId, keyHash, fingerprint, now } = call;
  const { call_id } = await trx
    .insertInto('idempotency')
    .values({ account_id: accountId, key_hash: keyHash, call_id: callId, fingerprint, at: now, reply: null })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'key_hash'])
        .doUpdateSet((eb) => ({ call_id: eb.ref('idempotency.call_id') })),
    )
    .returning('call_id')
    .executeTakeFirstOrThrow();
  if (call_id !== callId) throw new Repeated('this call was made before');
}

/** Calls that are done once, however often they come. docs/decisions/0055 */
export function createOnce(db: Db) {
  const rowOf = ({ accountId, keyHash, now }: Pick<Running, 'accountId' | 'keyHash' | 'now'>) =>
    db
      .selectFrom('idempotency')
      .select(['fingerprint', 'reply'])
      .where('account_id', '=', accountId)
      .where('key_hash', '=', keyHash)
      .where('at', '>', new Date(now.getTime() - ONCE_MS))
      .executeTakeFirst();

  /** Undefined: the key is new. */
  async function earlier(call: Running, key: string): Promise<OnceResult<unknown> | undefined> {
    for (const until = performance.now() + WAIT_MS; ; ) {
      const row = await rowOf(call);
      if (!row) return undefined;
      if (!row.fingerprint.equals(call.fingerprint)) return { kind: 'reused' };
      if (row.reply) return { kind: 'done', reply: JSON.parse(open(row.reply, key)) };
      if (performance.now() > until) return { kind: 'unknown' };
      await sleep(LOOK_MS);
    }
  }

  async function keep({ accountId, keyHash, callId }: Running, key: string, reply: unknown): Promise<void> {
    const text = JSON.stringify(reply);
    if (text.length > REPLY_MAX) return;
    await db
      .updateTable('idempotency')
      .set({ reply: seal(text, key) })
      .where('account_id', '=', accountId)
      .where('key_hash', '=', keyHash)
      .where('call_id', '=', callId)
      .execute();
  }

  return {
    /** Does `work`, which claims the key where it writes, unless a call with it was there within a day. */
    async run<T>(call: OnceCall, now: Date, work: () => Promise<T>): Promise<OnceResult<T>> {
      const { accountId, key } = call;
      const ours = {
        callId: randomUUID(),
        accountId,
        keyHash: sha256(key),
        fingerprint: sha256(call.what),
        now,
      };
      const known = await earlier(ours, key);
      if (known) return known as OnceResult<T>;
      await forgetOld(db, accountId, now);
      try {
        const reply = await running.run(ours, work);
        await keep(ours, key, reply);
        return { kind: 'done', reply };
      } catch (error) {
        if (!(error instanceof Repeated)) throw error;
        return ((await earlier(ours, key)) as OnceResult<T> | undefined) ?? { kind: 'unknown' };
      }
    },
  };
}
export type Once = ReturnType<typeof createOnce>;

/** The account's keys that are over, and the oldest where it has more than are kept. */
async function forgetOld(db: Db, accountId: number, now: Date): Promise<void> {
  const newest = await db
    .selectFrom('idempotency')
    .select('at')
    .where('account_id', '=', accountId)
    .orderBy('at', 'desc')
    .offset(MOST - 1)
    .limit(1)
    .executeTakeFirst();
  const over = new Date(now.getTime() - ONCE_MS);
  const before = newest && newest.at > over ? newest.at : over;
  await db.deleteFrom('idempotency').where('account_id', '=', accountId).where('at', '<=', before).execute();
}

/** Of all accounts. */
export async function forgetOnce(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('at', '<=', new Date(now.getTime() - ONCE_MS))
    .execute();
}

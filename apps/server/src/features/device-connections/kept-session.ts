import type { Db } from '../../db/client.ts';
import { readKept } from '../../db/made-once.ts';

/** The session in which an outside broker keeps messages for us: first in its memory, after a while also on its disk. */
export interface KeptSession {
  /** When the broker made it, ISO. */
  readonly openedAt: string;
  /** When a server last had it open, ISO. */
  readonly seenAt: string;
  /** When it was seen on the broker's disk, ISO; null: not seen there. */
  readonly savedAt: string | null;
}

const NAME = 'broker session';
/** A broker that we ship settings for writes every 30 s. One that had the session for longer without a break has written it. */
const SAVED_AFTER_MS = 75_000;

export const readKeptSession = async (db: Db): Promise<KeptSession | null> =>
  (await readKept<KeptSession>(db, NAME)) ?? null;

async function write(db: Db, session: KeptSession, now: Date): Promise<void> {
  const row = { value: JSON.stringify(session) as never, updated_at: now };
  await db
    .insertInto('installation')
    .values({ name: NAME, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

/**
 * A server has opened the session. `isNew`: the broker had none. If the broker has lost an earlier one, returns since when it kept nothing
 * for us; else null.
 */
export async function noteOpened(db: Db, isNew: boolean, now: Date): Promise<Date | null> {
  const before = await readKeptSession(db);
  const seenAt = now.toISOString();
  if (isNew || !before) await write(db, { openedAt: seenAt, seenAt, savedAt: null }, now);
  else await write(db, { ...before, seenAt }, now);
  return isNew && before ? new Date(before.seenAt) : null;
}

/** It is open still. */
export async function noteSeen(db: Db, now: Date): Promise<void> {
  const session = await readKeptSession(db);
  if (session) await write(db, { ...session, seenAt: now.toISOString() }, now);
}

export async function noteSaved(db: Db, now: Date): Promise<void> {
  const session = await readKeptSession(db);
  if (session) await write(db, { ...session, savedAt: now.toISOString() }, now);
}

/** What the broker acknowledges to devices is there again after its crash: the session is on its disk. */
export function isOnDisk(session: KeptSession | null): boolean {
  if (!session) return false;
  return (
    session.savedAt !== null || Date.parse(session.seenAt) - Date.parse(session.openedAt) > SAVED_AFTER_MS
  );
}

import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { conflict } from '../../http/errors.ts';

/** From so many on all MACs are locked at once: a lock for each would fill the database's table of locks. */
const MANY = 100;

/**
 * Throws conflict when a device has this MAC, on whichever farm; where isn't told. Readings are told apart by it. The lock
 * keeps two farms from taking the same one at once: the key begins with the farm.
 */
export async function refuseTakenMac(trx: Db, mac: string): Promise<void> {
  const [holder] = await macHolders(trx, [mac]);
  if (holder) throw conflict(`${TAKEN_MAC_TEXT} ${CONTEST_TEXT}`, 'macAddress');
}

export const TAKEN_MAC_TEXT = 'This MAC address is already in use.';
const CONTEST_TEXT = 'If it is of a device of yours, contest it under MAC Address Lookup.';

interface MacHolder {
  readonly id: number;
  readonly mac: string;
  readonly farm_id: number;
  readonly name: string;
}

/** Which of these MACs devices have. What a transaction is told stays true to its end. */
export async function macHolders(trx: Db, macs: readonly string[]): Promise<MacHolder[]> {
  await lock(trx, macs);
  return macHoldersNow(trx, macs);
}

/** The same, for who only looks: it keeps nobody from taking one meanwhile. */
export const macHoldersNow = (trx: Db, macs: readonly string[]): Promise<MacHolder[]> =>
  trx
    .selectFrom('device')
    .select(['id', 'mac', 'farm_id', 'name'])
    .where(sql<boolean>`mac = any(${macs})`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .$narrowType<{ mac: string }>()
    .execute();

/** Whoever takes few shares the lock of all, so that whoever takes many waits for them and they for him. */
async function lock(trx: Db, macs: readonly string[]): Promise<void> {
  if (macs.length >= MANY) {
    await sql`select pg_advisory_xact_lock(hashtextextended('headrace macs', 0))`.execute(trx);
    return;
  }
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('headrace macs', 0))`.execute(trx);
  // In one order, so that two who take the same ones don't deadlock.
  for (const mac of macs.toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`headrace mac ${mac}`}, 0))`.execute(trx);
}

import { type Gap, GAP_LEAST_MS } from '@headrace/contract/rules/alerts/silence';
import { RAW_RETENTION_DAYS } from '@headrace/contract/limits';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';

const DAY_MS = 86_400_000;
/** No device may be silent for longer than 90 days before it is told. */
const KEPT_DAYS = 100;

/**
 * We listen to devices at this moment. The gap before it, where that is one: since then nobody had. It is remembered as long as
 * readings are, so that their gaps can be explained.
 */
export async function noteListening(
  db: Db,
  now: Date,
  retentionDays = RAW_RETENTION_DAYS,
): Promise<Gap | null> {
  const since = new Date(now.getTime() - GAP_LEAST_MS);
  return db.transaction().execute(async (trx) => {
    const last = await trx
      .selectFrom('listening')
      .selectAll()
      .orderBy('to_at', 'desc')
      .limit(1)
      .forUpdate()
      .executeTakeFirst();
    if (last && last.to_at >= since) {
      await trx
        .updateTable('listening')
        .set({ to_at: sql`greatest(to_at, ${now})` })
        .where('id', '=', last.id)
        .execute();
      return null;
    }
    await trx.insertInto('listening').values({ from_at: now, to_at: now }).execute();
    await trx
      .deleteFrom('listening')
      .where('to_at', '<', new Date(now.getTime() - Math.max(KEPT_DAYS, retentionDays) * DAY_MS))
      .execute();
    return last ? { from: last.to_at.getTime(), to: now.getTime() } : null;
  });
}

/** When nobody listened, the oldest first; the last may go on until now. Empty where that was never noted. */
export async function readGaps(db: Db, now: Date): Promise<Gap[]> {
  const rows = await db.selectFrom('listening').selectAll().orderBy('from_at').execute();
  const starts = [...rows.slice(1).map(({ from_at }) => from_at.getTime()), now.getTime()];
  return rows
    .map(({ to_at }, index) => ({ from: to_at.getTime(), to: starts[index] ?? now.getTime() }))
    .filter(({ from, to }) => to - from > GAP_LEAST_MS);
}

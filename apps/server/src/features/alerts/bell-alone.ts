import type { HeldBackReason } from '@headrace/contract/rules/alerts/held-back';
import type { Db } from '../../db/client.ts';
import { LIMIT_BACK } from './ways-now.ts';
import { notifiedSince } from './who-hears.ts';

/**
 * Who has all of it in the bell alone, and why: its end is no message to somebody who was sent no beginning. Who is on it, and what joined,
 * go to nobody in another way.
 */
export async function heardInBellAlone(
  trx: Db,
  farmId: number,
  incidentId: string,
): Promise<ReadonlyMap<number, HeldBackReason>> {
  const rows = await notifiedSince(trx, farmId, incidentId)
    .select(['n.account_id', 's.id', 'n.held_back'])
    .where('s.what', 'not in', ['answered', 'joined'])
    .orderBy('s.id')
    .execute();
  const sent = new Set(
    rows.flatMap((row) => (row.held_back === null || row.held_back === LIMIT_BACK ? row.account_id : [])),
  );
  return new Map(
    rows.flatMap(({ account_id, held_back }) =>
      held_back === null || sent.has(account_id) ? [] : [[account_id, held_back] as const],
    ),
  );
}

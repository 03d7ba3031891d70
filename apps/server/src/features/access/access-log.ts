import type { AccessEvent } from '@headrace/contract/sharing';
import type { Db } from '../../db/client.ts';

/** Something that was done about an owner's farms, as the owner reads it. */
export interface AccessLogEntry {
  readonly ownerId: number;
  /** Null: the whole account. */
  readonly farm: { readonly id: number; readonly name: string } | null;
  readonly actor: { readonly id: number; readonly name: string } | null;
  readonly what: AccessEvent['what'];
  readonly whom: string;
  readonly note?: string;
  readonly detail?: Record<string, unknown>;
}

/** Who does what nobody did: an end by itself. */
const NOBODY = 'Headrace';

/** Belongs into the transaction of what it tells of. A second look of a staff member on the same day is none. */
export async function logAccess(trx: Db, entries: readonly AccessLogEntry[], at: Date): Promise<void> {
  if (entries.length === 0) return;
  await trx
    .insertInto('access_log')
    .values(
      entries.map(({ ownerId, farm, actor, what, whom, note = '', detail = {} }) => ({
        owner_id: ownerId,
        farm_id: farm?.id ?? null,
        farm_name: farm?.name ?? '',
        actor_id: actor?.id ?? null,
        at,
        what,
        by_name: actor?.name ?? NOBODY,
        whom,
        note,
        detail: JSON.stringify(detail),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** An owner's log, newest first, from before an entry. */
export async function readAccessLog(
  db: Db,
  ownerId: number,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<{ events: AccessEvent[]; isLast: boolean }> {
  let query = db
    .selectFrom('access_log')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (before !== undefined) query = query.where('id', '<', before);
  const rows = await query.execute();
  const events = rows.slice(0, limit).map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    what: row.what,
    farmName: row.farm_name,
    by: row.by_name,
    whom: row.whom,
    note: row.note,
  }));
  return { events, isLast: rows.length <= limit };
}

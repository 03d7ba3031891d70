import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { inUseText, readUsage } from './set-usage.ts';

export interface KnownSet {
  readonly id: number;
  readonly deletedAt: Date | null;
  /** Its sprinklers are gone: only the name is left. */
  readonly isEmpty: boolean;
  /** The newer set that took its place in lists. */
  readonly replacedBy: { readonly uid: string; readonly name: string; readonly replaces: number } | null;
  /** Why it can't leave the list; null: it can. */
  readonly inUse: string | null;
}

interface SetRow extends Omit<KnownSet, 'inUse' | 'replacedBy'> {
  readonly uid: string;
  readonly byUid: string | null;
  readonly byName: string | null;
}

/** All sets of the farm by uid, deleted and replaced ones too. */
export async function knownSets(trx: Db, farmId: number): Promise<Map<string, KnownSet>> {
  const usage = await readUsage(trx, farmId);
  const { rows } =
    await sql<SetRow>`select s.uid, s.id, s.deleted_at as "deletedAt", n.uid as "byUid", n.name as "byName",
      not exists (select from schedule_set_unit u where u.farm_id = s.farm_id and u.set_id = s.id) as "isEmpty"
    from schedule_set s left join lateral (select uid, name from schedule_set where farm_id = s.farm_id and replaces = s.id
      limit 1) n on true
    where s.farm_id = ${farmId}`.execute(trx);
  return new Map(
    rows.map(({ uid, byUid, byName, ...set }) => {
      const replacedBy = byUid === null ? null : { uid: byUid, name: byName ?? '', replaces: set.id };
      return [uid, { ...set, replacedBy, inUse: inUseText(usage.get(set.id)) }];
    }),
  );
}

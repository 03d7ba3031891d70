import type { Db } from '../../db/client.ts';

export interface FieldChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Something that somebody did to a farm, a device or a group. */
export interface LoggedChange {
  readonly farmId: number;
  readonly accountId: number | null;
  readonly kind: string;
  readonly uid: string;
  readonly name: string;
  readonly what: 'created' | 'changed' | 'deleted' | 'converted' | 'replaced battery' | 'reset location';
  readonly fields: readonly FieldChange[];
}

/** Written in the transaction of what it tells of: neither is there without the other. */
export async function logChanges(trx: Db, changes: readonly LoggedChange[], at: Date): Promise<void> {
  const rows = changes.map(({ farmId, accountId, kind, uid, name, what, fields }) => ({
    farm_id: farmId,
    at,
    account_id: accountId,
    kind,
    uid,
    name,
    what,
    fields: JSON.stringify(fields),
  }));
  for (let start = 0; start < rows.length; start += 1000)
    await trx
      .insertInto('change_log')
      .values(rows.slice(start, start + 1000))
      .execute();
}

/** The members that differ, one level deep; objects and lists as a whole. */
export function fieldChanges(before: object, after: object): FieldChange[] {
  const old = new Map(Object.entries(before));
  return Object.entries(after).flatMap(([field, to]) => {
    const from: unknown = old.get(field) ?? null;
    return isSame(from, to ?? null) ? [] : [{ field, from, to: to ?? null }];
  });
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** Members in the order of their names: jsonb keeps its own order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

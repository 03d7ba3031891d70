import { sql } from 'kysely';
import type { RecordKind } from '@headrace/contract/live';
import type { Db } from '../../db/client.ts';
import { tellServers } from '../../live/database-news.ts';

export interface FieldChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Something that somebody did to a farm, a device or a group. */
export interface LoggedChange {
  readonly farmId: number;
  readonly accountId: number | null;
  readonly kind: RecordKind;
  readonly uid: string;
  readonly name: string;
  readonly what:
    | 'created'
    | 'changed'
    | 'deleted'
    | 'converted'
    | 'replaced battery'
    | 'reset location'
    | 'restored'
    /** The kept messages of a sensor; `fields` says how many. */
    | 'decoded anew'
    /** Of a farm: it got the MAC of another farm's device, or that farm was told that it may. */
    | 'contested a MAC address'
    /** Of a device: another farm may get its MAC. */
    | 'MAC address contested'
    /** A gateway has carried out a command of theirs. */
    | 'changed by command';
  readonly fields: readonly FieldChange[];
  /** The open page that asked for it. */
  readonly page?: string | undefined;
  /** What it was done together with. */
  readonly batch?: { readonly id: string } | undefined;
}

const ROWS_OF_STATEMENT = 1000;

/**
 * Written in the transaction of what it tells of: neither is there without the other. The farm's open pages hear of it, on
 * whichever server they are, once it is committed.
 */
export async function logChanges(trx: Db, changes: readonly LoggedChange[], at: Date): Promise<void> {
  // As one text: a thousand rows as values of a statement keep the thread for tens of milliseconds.
  for (let start = 0; start < changes.length; start += ROWS_OF_STATEMENT) {
    const rows = changes.slice(start, start + ROWS_OF_STATEMENT).map(({ batch, page: _page, ...change }) => ({
      ...change,
      batchId: batch?.id ?? null,
    }));
    await sql`insert into change_log (farm_id, at, account_id, kind, uid, name, what, fields, batch_id)
      select "farmId", ${at}, "accountId", kind, uid, name, what, fields, "batchId"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n ("farmId" int, "accountId" int, kind text, uid text,
        name text, what text, fields jsonb, "batchId" bigint)`.execute(trx);
  }
  await tellPages(trx, changes);
}

/** One piece of news for all changes of a kind: it is sent once, however many they are. */
async function tellPages(trx: Db, changes: readonly LoggedChange[]): Promise<void> {
  const told = new Map(
    changes.map(({ farmId, kind, page }) => [
      `${farmId} ${kind} ${page}`,
      { kind: 'records-changed', farmId, record: kind, page } as const,
    ]),
  );
  for (const news of told.values()) await tellServers(trx, news);
}

/**
 * The members that differ, one level deep; objects and lists as a whole. What isn't there yet may count as on or off: setting
 * it is a change.
 */
export function fieldChanges(before: object, after: object): FieldChange[] {
  const old = new Map(Object.entries(before));
  return Object.entries(after).flatMap(([field, to]) => {
    const from: unknown = old.get(field) ?? null;
    return isSame(from, to ?? null) ? [] : [{ field, from, to: to ?? null }];
  });
}

/** Whatever the order of members. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  // Most values of thousands of devices: as text they would take a hundred times as long.
  if (typeof one === 'string' && typeof other === 'string') return false;
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

import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/client.ts';

/** Letters that happened no more go after so many days, and so do kept messages. */
export const KEPT_DAYS = 30;
/** What a farm wrote a day is remembered for so many days. */
const USAGE_DAYS = 40;

export interface DeadLetterRow {
  id: string;
  at: Date;
  firstAt: Date;
  reason: string;
  topic: string;
  sender: string;
  device: string;
  /** Size of the newest message. */
  bytes: number;
  /** The first 4 KiB of the first message. */
  payload: Buffer;
  count: number;
  taken: number;
  kept: number;
  isHeld: boolean;
  farmUid: string | null;
  farmName: string | null;
}

export interface LetterFilter {
  limit: number;
  farmUid?: string;
  farmId?: number;
  /** A part of the text. */
  reason?: string;
  /** About this device, or through this gateway. */
  mac?: string | undefined;
}

/** Newest first. */
export async function listDeadLetters(db: Db, filter: LetterFilter): Promise<DeadLetterRow[]> {
  let query = db
    .selectFrom('dead_letter as d')
    .leftJoin('farm as f', 'f.id', 'd.farm_id')
    .select([
      'd.id',
      'd.at',
      'd.first_at as firstAt',
      'd.reason',
      'd.topic',
      'd.sender',
      'd.device',
      'd.bytes',
    ])
    .select(['d.payload', 'd.is_held as isHeld', 'f.uid as farmUid', 'f.name as farmName'])
    .select([sql<number>`d.count::float8`.as('count'), sql<number>`d.taken::float8`.as('taken')])
    .select(
      sql<number>`(select count(*)::int from dead_letter_message m where m.letter_id = d.id)`.as('kept'),
    )
    .orderBy('d.at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(filter.limit);
  if (filter.farmUid !== undefined) query = query.where('f.uid', '=', filter.farmUid);
  if (filter.farmId !== undefined)
    query = query
      .where('d.farm_id', '=', filter.farmId)
      .clearOrderBy()
      .orderBy(sql`d.count = 0`)
      .orderBy('d.at', 'desc')
      .orderBy('d.id', 'desc');
  if (filter.reason !== undefined)
    query = query.where(sql<SqlBool>`position(lower(${filter.reason}) in lower(d.reason)) > 0`);
  if (filter.mac !== undefined)
    query = query.where(
      sql<SqlBool>`(d.device = ${filter.mac} or d.topic like ${`headrace/v1/${filter.mac}/%`})`,
    );
  return query.execute();
}

/** Drops what is older than 30 days: how much is kept at all is bounded as it is written. Returns how many rows went. */
export async function purgeDeadLetters(db: Db, now: Date): Promise<number> {
  const border = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  const letters = await db.deleteFrom('dead_letter').where('at', '<', border).executeTakeFirst();
  const messages = await db
    .deleteFrom('kept_message')
    .where('received_at', '<', border)
    .where('ready_at', 'is', null)
    .executeTakeFirst();
  const usedSince = new Date(now.getTime() - USAGE_DAYS * 86_400_000).toISOString().slice(0, 10);
  await db.deleteFrom('farm_usage').where('day', '<', usedSince).execute();
  return Number(letters.numDeletedRows) + Number(messages.numDeletedRows);
}

export interface KeptMessageRow {
  farmId: number;
  id: string;
  receivedAt: Date;
  topic: string;
  sender: Record<string, unknown>;
  bytes: number;
  payload: Buffer;
  readyAt: Date | null;
}

export interface KeptFilter {
  /** All farms unless given; 0: of no farm that was known. */
  readonly farmId?: number | undefined;
  readonly letterId?: string | undefined;
  /** Of those that wait for our clock, whose time has come. */
  readonly readyAt?: Date;
  /** Only what came then or later. */
  readonly receivedFrom?: Date;
  /** Only what is newer, by id; and no newer than this. */
  readonly after?: string | undefined;
  readonly upTo?: string | undefined;
}

export function createDeadLettersRepo(db: Db) {
  const kept = (filter: KeptFilter) => {
    let query = db.selectFrom('kept_message as k');
    if (filter.farmId !== undefined) query = query.where('k.farm_id', '=', filter.farmId);
    if (filter.letterId !== undefined)
      query = query.where(
        sql<SqlBool>`exists (select from dead_letter_message m
          where m.farm_id = k.farm_id and m.message_id = k.id and m.letter_id = ${filter.letterId})`,
      );
    query = filter.readyAt
      ? query.where('k.ready_at', '<=', filter.readyAt)
      : query.where('k.ready_at', 'is', null);
    if (filter.receivedFrom) query = query.where('k.received_at', '>=', filter.receivedFrom);
    if (filter.after !== undefined) query = query.where('k.id', '>', filter.after);
    if (filter.upTo !== undefined) query = query.where('k.id', '<=', filter.upTo);
    return query;
  };

  return {
    list: (filter: LetterFilter) => listDeadLetters(db, filter),

    /** A few, in the order in which they came. */
    messages: (filter: KeptFilter, limit: number): Promise<KeptMessageRow[]> =>
      kept(filter)
        .select(['k.farm_id as farmId', 'k.id', 'k.received_at as receivedAt', 'k.topic', 'k.sender'])
        .select(['k.bytes', 'k.payload', 'k.ready_at as readyAt'])
        .orderBy('k.id')
        .limit(limit)
        .execute(),

    async countAndLast(filter: KeptFilter): Promise<{ count: number; last: string | null }> {
      const row = await kept(filter)
        .select([sql<number>`count(*)::int`.as('count'), sql<string | null>`max(k.id)`.as('last')])
        .executeTakeFirstOrThrow();
      return row;
    },

    letter: (farmId: number, id: string) =>
      db
        .selectFrom('dead_letter')
        .select(['topic', 'at', 'first_at as firstAt', 'bytes', 'payload'])
        .where('farm_id', '=', farmId)
        .where('id', '=', id)
        .executeTakeFirst(),

    newestMessage: (farmId: number, letterId: string) =>
      db
        .selectFrom('kept_message as k')
        .innerJoin('dead_letter_message as m', (join) =>
          join.onRef('m.farm_id', '=', 'k.farm_id').onRef('m.message_id', '=', 'k.id'),
        )
        .select(['k.topic', 'k.received_at as receivedAt', 'k.bytes', 'k.payload'])
        .where('k.farm_id', '=', farmId)
        .where('m.letter_id', '=', letterId)
        .orderBy('k.id', 'desc')
        .limit(1)
        .executeTakeFirst(),

    names: (farmId: number, macs: readonly string[]) =>
      db
        .selectFrom('device')
        .select(['mac', 'name', 'kind'])
        .where('farm_id', '=', farmId)
        .where('mac', 'in', [...macs])
        .where('deleted_at', 'is', null)
        .execute(),
  };
}
export type DeadLettersRepo = ReturnType<typeof createDeadLettersRepo>;

import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/client.ts';

const KEPT_DAYS = 30;
const KEPT_ROWS = 200_000;

export interface DeadLetterRow {
  at: Date;
  reason: string;
  topic: string;
  sender: string;
  /** Size of the whole message. */
  bytes: number;
  /** Its first 4 KiB. */
  payload: Buffer;
  farmUid: string | null;
  farmName: string | null;
}

/** Newest first. `reason` is a part of the text. */
export function listDeadLetters(
  db: Db,
  filter: { limit: number; farmUid?: string; reason?: string },
): Promise<DeadLetterRow[]> {
  let query = db
    .selectFrom('dead_letter as d')
    .leftJoin('farm as f', 'f.id', 'd.farm_id')
    .select(['d.at', 'd.reason', 'd.topic', 'd.sender', 'd.bytes', 'd.payload'])
    .select(['f.uid as farmUid', 'f.name as farmName'])
    .orderBy('d.at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(filter.limit);
  if (filter.farmUid !== undefined) query = query.where('f.uid', '=', filter.farmUid);
  if (filter.reason !== undefined)
    query = query.where(sql<SqlBool>`position(lower(${filter.reason}) in lower(d.reason)) > 0`);
  return query.execute();
}

/** Drops what is older than 30 days, and the oldest beyond 200,000. Returns how many went. */
export async function purgeDeadLetters(db: Db, now: Date, keptRows = KEPT_ROWS): Promise<number> {
  const border = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  const old = await db.deleteFrom('dead_letter').where('at', '<', border).executeTakeFirst();
  const surplus = await sql`delete from dead_letter
    where id <= (select id from dead_letter order by id desc offset ${keptRows} limit 1)`.execute(db);
  return Number(old.numDeletedRows) + Number(surplus.numAffectedRows ?? 0);
}

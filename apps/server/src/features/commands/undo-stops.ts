import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { sqlClient } from '../../db/sql-client.ts';
import { reportedStoppedSince, stoppedSince } from '../programmes/must-not-water.ts';
import { lockStops, undoStops } from '../programmes/stop-writer.ts';
import type { CommandKey } from './answers.ts';

/** What an Inhibit leaves that is undone. */
export interface Undone {
  /** Whom it alone keeps from watering. */
  readonly uids: string[];
  /** How many others it went out to… */
  readonly others: number;
  /** …and how many of these stay inhibited. */
  readonly stayInhibited: number;
}

/** Of the units that an Inhibit went out to. */
export const undoStopsOf = (db: Db, key: CommandKey, at: Date): Promise<Undone> =>
  db.transaction().execute((trx) => undoIn(trx, key, at));

/** The same, and nothing is changed by it. */
export async function undoneIf(db: Db, key: CommandKey, at: Date): Promise<Undone> {
  const trx = await db.startTransaction().execute();
  try {
    return await undoIn(trx, key, at);
  } finally {
    await trx.rollback().execute();
  }
}

async function undoIn(trx: Db, { farmId, commandId }: CommandKey, at: Date): Promise<Undone> {
  const client = sqlClient(trx);
  await lockStops(client, farmId);
  await trx
    .updateTable('command')
    .set({ undone_at: at })
    .where('farm_id', '=', farmId)
    .where('id', '=', commandId)
    .execute();
  const units = await trx
    .selectFrom('command_unit as u')
    .innerJoin('device as d', (join) =>
      join.onRef('d.farm_id', '=', 'u.farm_id').onRef('d.id', '=', 'u.device_id'),
    )
    .select(['d.id', 'd.uid'])
    .where('u.farm_id', '=', farmId)
    .where('u.command_id', '=', commandId)
    .where(({ eb, or }) => or([eb('u.state', 'not in', ['queued', 'cancelled']), eb('u.sending', '>', 0)]))
    .execute();
  const keys = units.map(({ id: deviceId }) => ({ farmId, commandId, deviceId }));
  const stopped = new Set(await undoStops(client, farmId, keys));
  const others = units.filter(({ id }) => !stopped.has(id)).map(({ id }) => id);
  const uids = units.filter(({ id }) => stopped.has(id)).map(({ uid }) => uid);
  return { uids, others: others.length, stayInhibited: await inhibitedOf(trx, farmId, others) };
}

/** How many of them a person, a hold or their own word keeps from watering. */
async function inhibitedOf(trx: Db, farmId: number, deviceIds: readonly number[]): Promise<number> {
  if (deviceIds.length === 0) return 0;
  const { rows } = await sql<{ n: number }>`select count(*)::int as n
    from unnest(${deviceIds}::int[]) as k (device_id) cross join lateral (select ${farmId}::int as farm_id, k.device_id) u
    where ${sql.raw(stoppedSince)} is not null or ${sql.raw(reportedStoppedSince)} is not null`.execute(trx);
  return rows[0]?.n ?? 0;
}

import { type Selectable, type SqlBool, sql } from 'kysely';
import { DECODED_ANEW_A_DAY, UPLINKS_KEPT } from '@headrace/contract/limits';
import type { Db } from '../../db/client.ts';
import type { Database, DeviceRow } from '../../db/schema.ts';
import { tooMany, tryAgain } from '../../http/errors.ts';
import { roomAgain, roomLeft, type RoomLeft, type Use } from '../../room-again.ts';
import { logChanges } from '../changes/change-log.ts';
import { type By, logged } from '../devices/record-change.ts';
import { enqueueJob } from '../long-jobs/enqueue.ts';

export type AnewRow = Selectable<Database['decode_anew']>;

const DAY_MS = 86_400_000;
const lately = (now: Date) => new Date(now.getTime() - UPLINKS_KEPT.days * DAY_MS);

/** What network servers sent of a sensor and is kept as it came. */
export function createStoredUplinksRepo(db: Db) {
  return {
    /** What isn't decoded yet: how many, and when the oldest of it came. */
    async waiting(farmId: number, deviceId: number): Promise<{ count: number; since: Date } | null> {
      const { count, since } = await db
        .selectFrom('uplink_due as d')
        .innerJoin('uplink as u', (join) =>
          join.onRef('u.farm_id', '=', 'd.farm_id').onRef('u.id', '=', 'd.uplink_id'),
        )
        .select([sql<number>`count(*)::int`.as('count'), sql<Date | null>`min(u.received_at)`.as('since')])
        .where('d.farm_id', '=', farmId)
        .where('d.device_id', '=', deviceId)
        .where('d.anew', '=', false)
        .executeTakeFirstOrThrow();
      return since && { count, since };
    },

    /** Time of the oldest that can be decoded once more. */
    async keptSince(farmId: number, deviceId: number, now: Date): Promise<Date | null> {
      const oldest = await db
        .selectFrom('uplink')
        .select('at')
        .where('farm_id', '=', farmId)
        .where('device_id', '=', deviceId)
        .where('at', '>=', lately(now))
        .orderBy('at')
        .limit(1)
        .executeTakeFirst();
      return oldest?.at ?? null;
    },

    /** Undefined also where the farm is deleted. */
    anew(farmId: number, deviceId: number): Promise<AnewRow | undefined> {
      return db
        .selectFrom('decode_anew as a')
        .innerJoin('farm as f', (join) => join.onRef('f.id', '=', 'a.farm_id').on('f.deleted_at', 'is', null))
        .selectAll('a')
        .where('a.farm_id', '=', farmId)
        .where('a.device_id', '=', deviceId)
        .executeTakeFirst();
    },

    /** How many more messages the farm may have decoded anew. */
    anewRoom: async (farmId: number, now: Date): Promise<RoomLeft> =>
      roomLeft(await decodedAnew(db, farmId, now), DECODED_ANEW_A_DAY, now),

    /**
     * Asks for the last 30 days to be decoded once more, from the beginning where they already are: a long job does. Returns how many
     * uplinks these are, and the job where there are any. Stands in the farm's history. Throws tooMany where the farm has had as many
     * decoded anew lately as it may.
     */
    askAnew(device: DeviceRow, by: By): Promise<{ total: number; run: number; jobId: string | null }> {
      const { farm_id: farmId, id: deviceId } = device;
      const { now, accountId } = by;
      return db.transaction().execute(async (trx) => {
        const ofSensor = sql`farm_id = ${farmId} and device_id = ${deviceId}`;
        await sql`delete from uplink_due where ${ofSensor} and anew`.execute(trx);
        const counted = await sql<{ total: number }>`
          select count(*)::int as total from uplink where ${ofSensor} and at >= ${lately(now)}`.execute(trx);
        const total = counted.rows[0]?.total ?? 0;
        const over = total === 0 ? now : null;
        const asked = await sql<{ run: number }>`
          insert into decode_anew as a (farm_id, device_id, run, since, asked_at, total, begun_at, finished_at)
          values (${farmId}, ${deviceId}, 1, ${lately(now)}, ${now}, ${total}, ${over}, ${over})
          on conflict (farm_id, device_id) do update set run = a.run + 1, since = excluded.since, asked_at = excluded.asked_at,
            total = excluded.total, done = 0, changed = 0, failed = 0, problem = null, begun_at = excluded.begun_at,
            finished_at = excluded.finished_at, job_uid = null
          returning run`.execute(trx);
        const run = asked.rows[0]?.run ?? 0;
        if (total === 0) return { total, run, jobId: null };
        await refuseBeyond(trx, farmId, total, now);
        const fields = [{ field: 'messages', from: null, to: total }];
        await logChanges(trx, [logged(device, by, DECODED_ANEW, fields)], now);
        const job = { name: DECODE_ANEW_JOB };
        const jobId = await enqueueJob(trx, job, { deviceId, run }, { farmId, accountId }, now);
        await sql`update decode_anew set job_uid = ${jobId} where ${ofSensor}`.execute(trx);
        return { total, run, jobId };
      });
    },

    /** Puts the uplinks of this run in the queue, once however often it is called, and not where it was asked for again. */
    async beginAnew(farmId: number, { deviceId, run }: AnewRun, now: Date): Promise<void> {
      await db.transaction().execute(async (trx) => {
        // What an earlier run put there while this one was asked for.
        await trx
          .deleteFrom('uplink_due')
          .where('farm_id', '=', farmId)
          .where('device_id', '=', deviceId)
          .where('anew', '=', true)
          .where('run', '<', run)
          .execute();
        const anew = await trx
          .selectFrom('decode_anew')
          .selectAll()
          .where('farm_id', '=', farmId)
          .where('device_id', '=', deviceId)
          .forUpdate()
          .executeTakeFirst();
        if (anew?.run !== run || anew.begun_at) return;
        const added = await sql`
          insert into uplink_due (farm_id, anew, uplink_id, device_id, run)
          select farm_id, true, id, device_id, ${run}::int from uplink
          where farm_id = ${farmId} and device_id = ${deviceId} and at >= ${anew.since}`.execute(trx);
        const total = Number(added.numAffectedRows ?? 0);
        await trx
          .updateTable('decode_anew')
          .set({ total, begun_at: now, finished_at: total === 0 ? now : null })
          .where('farm_id', '=', farmId)
          .where('device_id', '=', deviceId)
          .execute();
      });
    },

    /** What of this run isn't decoded yet stays as it was. Within the transaction that `db` is. */
    async endAnew(farmId: number, { deviceId, run }: AnewRun, now: Date): Promise<void> {
      await db
        .deleteFrom('uplink_due')
        .where('farm_id', '=', farmId)
        .where('device_id', '=', deviceId)
        .where('anew', '=', true)
        .where('run', '=', run)
        .execute();
      await db
        .updateTable('decode_anew')
        .set({ begun_at: now, finished_at: now, problem: 'It was cancelled.' })
        .where('farm_id', '=', farmId)
        .where('device_id', '=', deviceId)
        .where('run', '=', run)
        .where('finished_at', 'is', null)
        .execute();
    },
  };
}

/** One time that a sensor's uplinks were asked to be decoded once more. */
export interface AnewRun {
  readonly deviceId: number;
  readonly run: number;
}

/** The long job's name. */
export const DECODE_ANEW_JOB = 'decode anew';

/** Throws tooMany. One at a time of a farm, so that two who ask together are both counted. */
async function refuseBeyond(trx: Db, farmId: number, wanted: number, now: Date): Promise<void> {
  await trx.selectFrom('farm').select('id').where('id', '=', farmId).forNoKeyUpdate().execute();
  const uses = await decodedAnew(trx, farmId, now);
  const { left } = roomLeft(uses, DECODED_ANEW_A_DAY, now);
  if (wanted <= left) return;
  const restMs = roomAgain(uses, DECODED_ANEW_A_DAY, wanted, now).getTime() - now.getTime();
  throw tooMany(
    `A farm can have ${number.format(DECODED_ANEW_A_DAY)} messages decoded anew in 24 hours. These are ${number.format(wanted)}, and ${number.format(left)} are left. ${tryAgain(restMs)}`,
    restMs,
  );
}

const DECODED_ANEW = 'decoded anew';
const number = new Intl.NumberFormat('en-NZ');

/** How many messages a farm's people asked to have decoded anew within 24 hours, and when, as its history says. */
function decodedAnew(db: Db, farmId: number, now: Date): Promise<Use[]> {
  return (
    db
      .selectFrom('change_log')
      .select(['at', sql<number>`coalesce((fields -> 0 ->> 'to')::int, 0)`.as('count')])
      .where('farm_id', '=', farmId)
      .where('kind', '=', 'sensor')
      // By the letter, so that the planner sees that the index of these is enough.
      .where(sql<SqlBool>`what = ${sql.lit(DECODED_ANEW)}`)
      .where('at', '>', new Date(now.getTime() - DAY_MS))
      .execute()
  );
}
export type StoredUplinksRepo = ReturnType<typeof createStoredUplinksRepo>;

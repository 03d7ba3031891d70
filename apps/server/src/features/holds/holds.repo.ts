import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { claimOnce } from '../../db/once.ts';
import type { FarmRow } from '../../db/schema.ts';
import { sqlClient } from '../../db/sql-client.ts';
import { lockStops } from '../programmes/stop-writer.ts';
import { type HoldRow, isItsOwn, isStillStopped, readHolds, wasAsked } from './read-holds.ts';

/** A hold whose time is over. */
export interface DueHold {
  readonly id: number;
  readonly farmId: number;
  readonly until: Date;
}

export interface NewHold {
  readonly farmId: number;
  readonly uid: string;
  readonly groupUid: string;
  readonly name: string;
  readonly reason: string;
  readonly from: Date;
  readonly until: Date;
  readonly accountId: number;
  readonly commandId: number;
  readonly deviceIds: readonly number[];
}

const UNITS_AT_ONCE = 1000;
/** Device `d`; one that isn't takes no end. */
const isInService = sql`not coalesce((d.settings->>'outOfService')::boolean, false)
  and not coalesce((d.settings->>'isSpareUnit')::boolean, false)`;

export function createHoldsRepo(db: Db) {
  const read = (farmId: number, where: ReturnType<typeof sql>) => readHolds(db, farmId, where);

  return {
    /** Those that were under way in a time. */
    between: (farmId: number, from: Date, to: Date) =>
      read(farmId, sql`h.from_at < ${to} and coalesce(h.ended_at, 'infinity') > ${from}`),

    /** Those that go on, and those that ended since then and whose sprinklers did not all take it. */
    current: (farmId: number, endedSince: Date) =>
      read(
        farmId,
        sql`(h.ended_at is null or h.ended_at > ${endedSince} and exists (select from paddock_hold_unit m
          where m.farm_id = h.farm_id and m.hold_id = h.id and ${isStillStopped}))`,
      ),

    one: async (farmId: number, uid: string): Promise<HoldRow | undefined> =>
      (await read(farmId, sql`h.uid = ${uid}`))[0],

    /** In the transaction of its Inhibit. */
    async add(trx: Db, hold: NewHold): Promise<void> {
      await claimOnce(trx);
      const { farmId, deviceIds } = hold;
      const { id } = await trx
        .insertInto('paddock_hold')
        .values({
          farm_id: farmId,
          uid: hold.uid,
          group_uid: hold.groupUid,
          name: hold.name,
          reason: hold.reason,
          from_at: hold.from,
          until_at: hold.until,
          account_id: hold.accountId,
          command_id: hold.commandId,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      for (let start = 0; start < deviceIds.length; start += UNITS_AT_ONCE) {
        const some = deviceIds.slice(start, start + UNITS_AT_ONCE);
        await trx
          .insertInto('paddock_hold_unit')
          .values(some.map((deviceId) => ({ farm_id: farmId, hold_id: id, device_id: deviceId })))
          .execute();
      }
    },

    /** False where it is over. */
    async change(farmId: number, uid: string, until: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('paddock_hold')
        .set({ until_at: until })
        .where('farm_id', '=', farmId)
        .where('uid', '=', uid)
        .where('ended_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Of all farms. */
    async due(now: Date): Promise<DueHold[]> {
      const { rows } = await sql<DueHold>`select h.id, h.farm_id as "farmId", h.until_at as until
        from paddock_hold h join farm f on f.id = h.farm_id and f.deleted_at is null
        where h.ended_at is null and h.until_at <= ${now} order by h.until_at limit 100`.execute(db);
      return rows;
    },

    /** Those that were ended before then, while the server died before it let all of their sprinklers water. */
    async unreleased(before: Date): Promise<(DueHold & { uids: string[]; endedAt: Date })[]> {
      const { rows } = await sql<DueHold & { uids: string[]; endedAt: Date }>`
        select * from (select h.id, h.farm_id as "farmId", h.until_at as until, h.ended_at as "endedAt",
            array(select d.uid from paddock_hold_unit m join device d on d.farm_id = m.farm_id and d.id = m.device_id
              and d.deleted_at is null and ${isInService}
              where m.farm_id = h.farm_id and m.hold_id = h.id and ${isItsOwn} and not ${wasAsked}) as uids
          from paddock_hold h join farm f on f.id = h.farm_id and f.deleted_at is null
          where h.ended_at <= ${before} and h.ended_at > ${before}::timestamptz - interval '1 day' and not h.is_missed) k
        where uids <> '{}' limit 100`.execute(db);
      return rows;
    },

    async noteMissed({ farmId, id }: Pick<DueHold, 'farmId' | 'id'>): Promise<void> {
      await sql`update paddock_hold set is_missed = true where farm_id = ${farmId} and id = ${id}`.execute(
        db,
      );
    },

    farm: (farmId: number): Promise<FarmRow> =>
      db.selectFrom('farm').selectAll().where('id', '=', farmId).executeTakeFirstOrThrow(),

    /**
     * It is over from now on; whoever ends it at the same time gets null. Resolves to the sprinklers that its own stop keeps from
     * watering. `missed`: nobody lets them water by itself.
     */
    async end(
      { farmId, id }: Pick<DueHold, 'farmId' | 'id'>,
      { at, isMissed, dueBy = null }: { at: Date; isMissed: boolean; dueBy?: Date | null },
    ): Promise<string[] | null> {
      return db.transaction().execute(async (trx) => {
        // Two that end at once: the second sees that the first is over, and lets their common units water.
        await lockStops(sqlClient(trx), farmId);
        const { rows } = await sql<{ uids: string[] }>`with ended as (
          update paddock_hold set ended_at = ${at}, is_missed = ${isMissed} where farm_id = ${farmId} and id = ${id}
            and ended_at is null and (${dueBy}::timestamptz is null or until_at <= ${dueBy}) returning *)
        select coalesce((select array_agg(d.uid order by d.name, d.id) from paddock_hold_unit m
          join device d on d.farm_id = m.farm_id and d.id = m.device_id and d.deleted_at is null
          where m.farm_id = h.farm_id and m.hold_id = h.id and ${isItsOwn}), '{}') as uids
        from ended h`.execute(trx);
        return rows[0]?.uids ?? null;
      });
    },

    /** In the transaction of a command that lets its sprinklers water again. */
    async noteEnd(trx: Db, { farmId, id }: Pick<DueHold, 'farmId' | 'id'>, commandId: number): Promise<void> {
      await sql`update paddock_hold set is_missed = false, end_command_ids = end_command_ids || ${commandId}::int
        where farm_id = ${farmId} and id = ${id}`.execute(trx);
    },
  };
}
export type HoldsRepo = ReturnType<typeof createHoldsRepo>;

import { sql } from 'kysely';
import type { PaddockHold } from '@headrace/contract/paddock-holds';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { sqlClient } from '../../db/sql-client.ts';
import { lockStops } from '../programmes/stop-writer.ts';

export type HoldRow = Omit<
  PaddockHold,
  'farmUID' | 'groupUID' | 'from' | 'until' | 'endedAt' | 'total' | 'stopped' | 'units' | 'stillStopped'
> & {
  readonly id: number;
  readonly groupUID: string;
  readonly from: Date;
  readonly until: Date;
  readonly endedAt: Date | null;
  readonly units: { readonly uid: string; readonly isStopped: boolean; readonly hasSaid: boolean }[];
};

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

const HOLDS_MOST = 200;
const UNITS_AT_ONCE = 1000;

/** Unit `m` of hold `h` is stopped by a hold alone, and no other hold that goes on keeps it from watering. */
const isItsOwn = sql`exists (select from unit_stop s where s.farm_id = m.farm_id and s.device_id = m.device_id
    and s.lifted_by is null and s.kind = 'hold')
  and not exists (select from paddock_hold_unit om join paddock_hold o on o.farm_id = om.farm_id and o.id = om.hold_id
    where om.farm_id = m.farm_id and om.device_id = m.device_id and o.id <> h.id and o.ended_at is null)`;
/** After the end of hold `h`: nobody let `m` water again, or it did not take it and nobody has stopped it since. */
const isStillStopped = sql`(${isItsOwn} or (exists (select from command_unit u where u.farm_id = m.farm_id
    and u.command_id = h.end_command_id and u.device_id = m.device_id and u.state in ('failed', 'expired'))
  and not exists (select from unit_stop s where s.farm_id = m.farm_id and s.device_id = m.device_id and s.lifted_by is null)))`;
/** By its own word, or by what it answered to the Inhibit. */
const hasSaid = sql`(exists (select from unit_held w where w.farm_id = m.farm_id and w.device_id = m.device_id and w.until is null
    and (w.stopped_at is not null or w.entries = '[]'))
  or exists (select from command_unit u where u.farm_id = m.farm_id and u.command_id = h.command_id and u.device_id = m.device_id
    and u.state = 'done'))`;

export function createHoldsRepo(db: Db) {
  async function read(farmId: number, where: ReturnType<typeof sql>): Promise<HoldRow[]> {
    const { rows } = await sql<HoldRow>`
      select h.id, h.uid, h.group_uid as "groupUID", h.name, h.reason, h.from_at as "from", h.until_at as until,
        coalesce(a.name, '') as by, h.ended_at as "endedAt", h.is_missed as "isMissed",
        coalesce(c.uid, '') as "commandId", e.uid as "endCommandId",
        (select coalesce(json_agg(json_build_object('uid', d.uid,
            'isStopped', case when h.ended_at is null then exists (select from unit_stop s where s.farm_id = m.farm_id
              and s.device_id = m.device_id and s.lifted_by is null) else ${isStillStopped} end,
            'hasSaid', ${hasSaid}) order by d.id), '[]')
          from paddock_hold_unit m join device d on d.farm_id = m.farm_id and d.id = m.device_id and d.deleted_at is null
          where m.farm_id = h.farm_id and m.hold_id = h.id) as units
      from paddock_hold h left join account a on a.id = h.account_id
      left join command c on c.farm_id = h.farm_id and c.id = h.command_id
      left join command e on e.farm_id = h.farm_id and e.id = h.end_command_id
      where h.farm_id = ${farmId} and ${where} order by h.from_at desc, h.id desc limit ${HOLDS_MOST}`.execute(
      db,
    );
    return rows;
  }

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

    /** Those that were ended before then, while the server died before it let their sprinklers water. */
    async unreleased(before: Date): Promise<(DueHold & { uids: string[]; endedAt: Date })[]> {
      const { rows } = await sql<DueHold & { uids: string[]; endedAt: Date }>`
        select * from (select h.id, h.farm_id as "farmId", h.until_at as until, h.ended_at as "endedAt",
            array(select d.uid from paddock_hold_unit m join device d on d.farm_id = m.farm_id and d.id = m.device_id
              and d.deleted_at is null where m.farm_id = h.farm_id and m.hold_id = h.id and ${isItsOwn}) as uids
          from paddock_hold h join farm f on f.id = h.farm_id and f.deleted_at is null
          where h.ended_at <= ${before} and h.ended_at > ${before}::timestamptz - interval '1 day'
            and h.end_command_id is null and not h.is_missed) k
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

    async noteEnd({ farmId, id }: Pick<DueHold, 'farmId' | 'id'>, commandUid: string): Promise<void> {
      await sql`update paddock_hold set is_missed = false, end_command_id = (select c.id from command c where c.farm_id = ${farmId} and c.uid = ${commandUid})
        where farm_id = ${farmId} and id = ${id}`.execute(db);
    },
  };
}
export type HoldsRepo = ReturnType<typeof createHoldsRepo>;

import { type RawBuilder, sql } from 'kysely';
import { typesThat } from '@headrace/device/commands';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import type { HoldEnd, PaddockHold } from '@headrace/contract/paddock-holds';
import type { Db } from '../../db/client.ts';
import { unitIsLive } from '../../db/under-way.ts';

type OfUnits = 'units' | 'total' | 'stopped' | 'stillStopped' | 'end';
export type HoldRow = Omit<PaddockHold, 'farmUID' | 'groupUID' | 'from' | 'until' | 'endedAt' | OfUnits> & {
  readonly id: number;
  readonly groupUID: string;
  readonly from: Date;
  readonly until: Date;
  readonly endedAt: Date | null;
  readonly units: readonly HoldUnit[];
};

/** A sprinkler of a hold. */
export interface HoldUnit {
  readonly uid: string;
  readonly name: string;
  readonly isStopped: boolean;
  readonly hasAnswered: boolean;
  /** Of a hold that is over: what became of it. */
  readonly how: 'again' | 'waits' | HoldEnd['others'][number]['why'] | null;
  /** What it answered. */
  readonly note: string | null;
  /** Since when it is so; of `held` until when. */
  readonly at: string | null;
}

const HOLDS_MOST = 200;

const otherHolds = sql`from paddock_hold_unit om join paddock_hold o on o.farm_id = om.farm_id and o.id = om.hold_id
  where om.farm_id = m.farm_id and om.device_id = m.device_id and o.id <> h.id and o.ended_at is null`;
/** Unit `m` of hold `h` is stopped by a hold alone, and no other hold that goes on keeps it from watering. */
export const isItsOwn = sql`(exists (select from unit_stop s where s.farm_id = m.farm_id and s.device_id = m.device_id
    and s.lifted_by is null and s.kind = 'hold') and not exists (select ${otherHolds}))`;

const ofEnd = sql`from command_unit u where u.farm_id = m.farm_id and u.command_id = any(h.end_command_ids)
  and u.device_id = m.device_id`;
/** The hold's end went to it, or was to. */
export const wasAsked = sql`exists (select ${ofEnd})`;
/** A command of the end did what it was for: of a skipped unit it was done before. */
const isTaken = sql`(u.state = 'done' or u.state = 'skipped' and not u.held_back)`;
/** By its own word since the end, or by what it answered to somebody's Uninhibit since then. */
const watersAgain = sql`(exists (select from unit_held w
    join device_fact f on f.farm_id = w.farm_id and f.device_id = w.device_id and f.name = 'ipcCrc' and f.value = w.crc
    where w.farm_id = m.farm_id and w.device_id = m.device_id and w.until is null and w.stopped_at is null
      and w.crc <> ${inhibitedCrc} and f.at > h.ended_at)
  or exists (select from command_unit x join command xc on xc.farm_id = x.farm_id and xc.id = x.command_id
    where x.farm_id = m.farm_id and x.device_id = m.device_id and x.at >= h.ended_at and x.state = 'done'
      and (jsonb_array_length(x.entries) > 0 or xc.type in (${sql.raw(typesThat('uninhibits').join(', '))}))))`;
/** After the end of hold `h`: nobody let `m` water again, or it took no command of the end and nobody has stopped it since. */
export const isStillStopped = sql`(${isItsOwn} or (exists (select ${ofEnd} and u.state in ('failed', 'expired'))
  and not exists (select ${ofEnd} and (${isTaken} or ${sql.raw(unitIsLive('u'))}))
  and not exists (select from unit_stop s where s.farm_id = m.farm_id and s.device_id = m.device_id and s.lifted_by is null)
  and not ${watersAgain}))`;
/** By its own word, or by what it answered to the Inhibit. */
const hasAnswered = sql`(exists (select from unit_held w where w.farm_id = m.farm_id and w.device_id = m.device_id and w.until is null
    and (w.stopped_at is not null or w.entries = '[]'))
  or exists (select from command_unit u where u.farm_id = m.farm_id and u.command_id = h.command_id and u.device_id = m.device_id
    and u.state = 'done'))`;

/** What became of unit `m` at the end of hold `h`: of several commands the one that it took counts, else the newest. */
const outcome = sql`left join lateral (select u.state, u.note, u.at, ${isTaken} as "isTaken" ${ofEnd}
    order by ${isTaken} desc, u.command_id desc limit 1) e on h.ended_at is not null
  left join unit_stop s on h.ended_at is not null and s.farm_id = m.farm_id and s.device_id = m.device_id and s.lifted_by is null
  left join lateral (select max(o.until_at) as until ${otherHolds}) o on h.ended_at is not null`;
const how = sql`case when h.ended_at is null then null
  when e."isTaken" then 'again'
  when ${sql.raw(unitIsLive('e'))} then 'waits'
  when s.kind = 'inhibit' then 'inhibited'
  when o.until is not null then 'held'
  when ${watersAgain} then 'again'
  when e.state is not null then 'failed'
  else 'notAsked' end`;

/** The newest first, with how each of their sprinklers stands. */
export async function readHolds(db: Db, farmId: number, where: RawBuilder<unknown>): Promise<HoldRow[]> {
  const { rows } = await sql<HoldRow>`
    select h.id, h.uid, h.group_uid as "groupUID", h.name, h.reason, h.from_at as "from", h.until_at as until,
      coalesce(a.name, '') as by, h.ended_at as "endedAt", h.is_missed as "isMissed", coalesce(c.uid, '') as "commandId",
      array(select x.uid from command x where x.farm_id = h.farm_id and x.id = any(h.end_command_ids) order by x.id) as "endCommandIds",
      (select coalesce(json_agg(json_build_object('uid', d.uid, 'name', d.name,
          'isStopped', case when h.ended_at is null then exists (select from unit_stop s where s.farm_id = m.farm_id
            and s.device_id = m.device_id and s.lifted_by is null) else ${isStillStopped} end,
          'hasAnswered', ${hasAnswered}, 'how', ${how}, 'note', e.note,
          'at', case ${how} when 'inhibited' then s.since when 'held' then o.until else e.at end) order by d.name, d.id), '[]')
        from paddock_hold_unit m join device d on d.farm_id = m.farm_id and d.id = m.device_id and d.deleted_at is null ${outcome}
        where m.farm_id = h.farm_id and m.hold_id = h.id) as units
    from paddock_hold h left join account a on a.id = h.account_id
    left join command c on c.farm_id = h.farm_id and c.id = h.command_id
    where h.farm_id = ${farmId} and ${where} order by h.from_at desc, h.id desc limit ${HOLDS_MOST}`.execute(
    db,
  );
  return rows;
}

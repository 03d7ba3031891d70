import { sql } from 'kysely';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import { unitIsLive } from '../../db/under-way.ts';
import { speakingGatewayOf } from '../devices/speaking-gateway.ts';
import { reportedStoppedSince, stoppedSince } from '../programmes/must-not-water.ts';
import type { CommandKey } from './answers.ts';
import { heardAt, maxTtl, type OwnTarget } from './own-commands.repo.ts';

/** A unit that a send did not reach, and what it is to hold. */
export interface CatchUp extends OwnTarget {
  readonly crc: string;
  readonly entries: readonly ScheduleEntry[];
  readonly cycleDays: number;
  /** The send. */
  readonly commandId: number | null;
  /** Another unit stands there since. */
  readonly isNewUnit: boolean;
}

/** A unit to which nothing goes by itself any more, and why; empty: it holds it. */
export type CatchUpOver = CommandKey & { readonly deviceId: number; readonly why: string };

const NOT_IN_SERVICE = 'it is not in service any more';
export const overNote = (why: string) => `Not sent by itself any more: ${why}.`;
/** What the log says of a unit that was made a spare, put out of service or deleted while it waited to be heard. */
export const OVER_BY_SERVICE = overNote(NOT_IN_SERVICE);

const AGAIN_HOURS = 6;
const TRIES_MOST = 10;
/** Degrees: as far as from one sprinkler to the next. A place that was only set right on the map is the same. */
const SAME_PLACE = 0.0004;

const isShelved = sql`(coalesce((d.settings->>'outOfService')::boolean, false) or coalesce((d.settings->>'isSpareUnit')::boolean, false))`;
/** Of unit `d`, which is to hold `p`. */
const holdsIt = sql`coalesce(h.crc = p.crc and h.stopped_at is null and coalesce(h.cycle_days, p.cycle_days) = p.cycle_days, false)`;
/** By a word after the send, and nobody here sent it: a database that was put back knows nothing of newer sends. */
const holdsForeign = sql`coalesce(h.entries is null and h.crc <> ${inhibitedCrc} and h.since > p.wanted_at and not p.is_new_unit, false)`;
const isMoved = sql`(coalesce(abs(d.lat - p.lat) > ${SAME_PLACE} or abs(d.lng - p.lng) > ${SAME_PLACE}, false)
  or exists (select from schedule_set_unit x where x.farm_id = p.farm_id and x.set_id = p.set_id and x.device_id = p.device_id
    and x.group_uid not in ('', 'FARM') and not exists (select from device_group g
      join device_group_member m on m.farm_id = g.farm_id and m.group_id = g.id and m.device_id = p.device_id
      where g.farm_id = p.farm_id and g.uid = x.group_uid)))`;
const programmes = sql`unit_program p join device d on d.farm_id = p.farm_id and d.id = p.device_id
  left join unit_held h on h.farm_id = p.farm_id and h.device_id = p.device_id and h.until is null`;
/** A stop of a person, or its own word. Who is to hold nothing may be told so all the same. */
const mustNotWater = sql`(p.entries <> '[]' and (${sql.raw(stoppedSince)} is not null or ${sql.raw(reportedStoppedSince)} is not null))`;
/** What a gateway is given by itself goes to it one command after the other: the next has all that were heard meanwhile. */
const isOneUnderWay = sql`exists (select from command_unit x join command xc on xc.farm_id = x.farm_id and xc.id = x.command_id
  where x.farm_id = s.farm_id and x.gateway_id = s.device_id and ${sql.raw(unitIsLive('x'))} and xc.payload ? 'catchUp')`;

/** Farms of all owners: the server asks on its own behalf. */
export function createCatchUpsRepo(db: Db) {
  return {
    /**
     * Units that weren't reached and were heard since, at gateways that are there and have their list. A unit gets it again six hours
     * after the last time, at most ten times.
     */
    async due(now: Date, only?: readonly OwnTarget[], from: Db = db): Promise<CatchUp[]> {
      const isMeant = only
        ? sql`p.farm_id = ${only[0]?.farmId ?? 0} and p.device_id = any(${only.map(({ deviceId }) => deviceId)}::int[])`
        : sql`true`;
      const { rows } = await sql<CatchUp>`
        select d.farm_id as "farmId", s.device_id as "gatewayId", d.id as "deviceId", d.name, d.serial_number as "serialNumber",
          ${maxTtl}, p.crc, p.entries, p.cycle_days as "cycleDays", p.command_id as "commandId",
          p.is_new_unit as "isNewUnit"
        from ${programmes}
        cross join lateral (select p.farm_id, p.device_id) u
        join farm on farm.id = p.farm_id and farm.deleted_at is null
        join gateway_state s on s.farm_id = d.farm_id and s.device_id = ${speakingGatewayOf} and s.online and s.list_rev = s.acked_rev
        where p.catch_up_until > ${now} and p.catch_up_tries < ${TRIES_MOST} and ${isMeant}
          and (p.catch_up_tries = 0 or p.catch_up_from <= ${now}::timestamptz - interval '${sql.raw(String(AGAIN_HOURS))} hours')
          and (p.is_new_unit and p.catch_up_tries = 0 or ${heardAt} > p.catch_up_from)
          and d.kind = 'sprinkler' and d.mac is not null and d.deleted_at is null and not ${isShelved} and not ${isMoved}
          and not ${holdsIt} and not ${holdsForeign} and not ${mustNotWater} and not ${isOneUnderWay}
          and not exists (select from command_unit x where x.farm_id = d.farm_id and x.device_id = d.id and x.entries is not null
            and ${sql.raw(unitIsLive('x'))})
        order by p.farm_id, s.device_id, p.cycle_days, d.name, d.id`.execute(from);
      return rows;
    },

    /** Units for which it is over, since they hold it, or are to hold something else, or it took too long. */
    async over(now: Date, from: Db = db): Promise<CatchUpOver[]> {
      const { rows } = await sql<CatchUpOver>`
        select p.farm_id as "farmId", coalesce(p.command_id, 0) as "commandId", p.device_id as "deviceId", o.why
        from ${programmes}
        cross join lateral (select case when ${holdsIt} then ''
          when d.deleted_at is not null or d.kind <> 'sprinkler' or ${isShelved} then '${sql.raw(NOT_IN_SERVICE)}'
          when ${isMoved} then 'it was moved, or left its group'
          when ${holdsForeign} then 'it holds a schedule that Headrace did not send'
          when p.catch_up_until <= ${now} then 'it was not reached in two weeks'
          when p.catch_up_tries >= ${TRIES_MOST} and p.catch_up_from <= ${now}::timestamptz - interval '${sql.raw(String(AGAIN_HOURS))} hours'
            then 'it was sent ten times' end as why) o
        where p.catch_up_until is not null and o.why is not null order by 1, 3 limit 1000`.execute(from);
      return rows;
    },
  };
}

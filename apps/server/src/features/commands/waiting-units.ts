import type { Pool } from 'pg';
import { commandTypes, type UnitState } from '@headrace/contract/command-types';
import { lanes } from '@headrace/device/lanes';
import { numberArray } from '../../db/sql-arrays.ts';
import { unitIsLive } from '../../db/under-way.ts';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import { doneSince } from './done-since.ts';
import type { CommandKey, GatewayKey } from './answers.ts';
import type { SentCommand } from './down-messages.ts';
import { partsUnderWay } from './joined-polls.ts';

/** A unit of a command that has no end yet, with the command. */
export interface LiveUnit extends CommandKey, SentCommand {
  /** Of this unit. */
  readonly expiresAt: Date;
  readonly deviceId: number;
  readonly unitName: string;
  readonly mac: string;
  readonly state: UnitState;
  readonly cmdId: string | null;
  readonly entries: ScheduleEntry[] | null;
  readonly crc: string | null;
  /** What it said that it holds, after everything we last did to it, is this schedule's checksum… */
  readonly hasCrc: boolean;
  /** …and the length of its cycle, days; null: it has not said. */
  readonly cycleLen: number | null;
}

// What it says counts only where the unit's own report is newer than the last thing that was done to it.
const unitText = (
  units = 'command_unit',
) => `select u.farm_id as "farmId", u.command_id as "commandId", c.uid, c.type, c.name, c.payload,
    c.max_open_minutes as "maxOpenMinutes", coalesce(u.expires_at, c.expires_at) as "expiresAt", u.lane,
    u.device_id as "deviceId", d.name as "unitName", coalesce(d.mac, '') as mac, u.state, u.cmd_id as "cmdId", u.entries, u.crc,
    coalesce(f.value = u.crc and not ${doneSince(
      { farmId: 'u.farm_id', deviceId: 'u.device_id', at: 'f.at' },
      'x.command_id <> u.command_id',
    )}, false) as "hasCrc",
    case when u.crc is null then null else (select l.value from series s
      join latest l on l.farm_id = s.farm_id and l.series_id = s.id
      where s.farm_id = u.farm_id and s.device_id = u.device_id and s.metric = 'cycleLen') end as "cycleLen"
  from ${units} u
  join command c on c.farm_id = u.farm_id and c.id = u.command_id
  join device d on d.farm_id = u.farm_id and d.id = u.device_id
  left join device_fact f on f.farm_id = u.farm_id and f.device_id = u.device_id and f.name = 'ipcCrc' and u.crc is not null
  where u.farm_id = $1 and u.gateway_id = $2
    and case when u.lane = ${lanes.many} then c.expires_at else coalesce(u.expires_at, c.expires_at) end > $3`;

const { Ping } = commandTypes;

const unansweredText = `${unitText()} and u.state in ('sent', 'accepted') and c.type <> ${Ping}
  order by u.lane, u.seq, u.command_id, u.position`;

// A unit has one command of a lane at a time, and none beside one of a lower lane that is on its way. A stop waits for nothing,
// and one that got no answer for ten minutes holds nothing up; nor does a Ping, which asks whether the gateway is there.
const isFree = `(u.lane = ${lanes.stop} or c.type = ${Ping} or not exists (
  select from command_unit x join command xc on xc.farm_id = x.farm_id and xc.id = x.command_id
  where x.farm_id = u.farm_id and x.device_id = u.device_id and x.gateway_id = u.gateway_id
    and ${unitIsLive('x')} and xc.type <> ${Ping} and (x.lane = u.lane and x.command_id < u.command_id
      or x.lane < u.lane and (x.state = 'queued' or x.at > $3 - interval '10 minutes'))))`;

const dueText = `${unitText()} and u.state = 'queued' and (u.lane < ${lanes.many} or u.cmd_id is not null) and ${isFree}
  order by u.lane, u.command_id, u.position`;

const windowText = `select count(*)::int as n from command_unit
  where farm_id = $1 and gateway_id = $2 and lane = ${lanes.many}
    and ${unitIsLive()} and cmd_id is not null`;

const LOOKED_AT = 3;
// Of thousands that wait only the first are looked at.
const firstOfMany = `(select * from command_unit where farm_id = $1 and gateway_id = $2 and lane = ${lanes.many} and state = 'queued'
  and cmd_id is null order by command_id, position limit $5)`;
const nextOfManyText = `${unitText(firstOfMany)} and ${isFree} order by u.command_id, u.position limit $4`;

// Of sends after `$4`, those alone that say that they hold what is sent.
const sayIt = `(select x.* from command_unit x join device_fact y on y.farm_id = x.farm_id and y.device_id = x.device_id and y.name = 'ipcCrc'
  and y.value = x.crc where x.farm_id = $1 and x.gateway_id = $2 and x.lane = ${lanes.many} and x.state = 'queued'
    and x.cmd_id is null and x.command_id > $4)`;
const sayItText = `${unitText(sayIt)} and ${isFree} order by u.command_id, u.position`;

const newestOfManyText = `select command_id as n from command_unit where farm_id = $1 and gateway_id = $2
  and lane = ${lanes.many} and state = 'queued' and cmd_id is null order by command_id desc limit 1`;

// A poll that asks nobody itself is done with those that its units wait for.
const aheadText = `with p as materialized (
    select *, max(command_id) filter (where is_poll and not is_joined) over
      (partition by device_id order by command_id rows between unbounded preceding and 1 preceding) as waits_for
    from ${partsUnderWay} p where gateway_id = $2 and device_id <> gateway_id),
  last as (
    select command_id, case when bool_or(not is_joined) then command_id else coalesce(max(waits_for), command_id) end as id
    from p where lane = ${lanes.many} and (first_finish is not null or command_id = any($3::int[])) group by command_id)
  select last.command_id as "commandId", count(*)::int as units
  from last join p on not p.is_joined and (p.lane < ${lanes.many} or p.command_id <= last.id)
  group by last.command_id`;

/** How many units a gateway has to do until it is done with a command. */
export interface UpTo {
  readonly commandId: number;
  readonly units: number;
}

/** What of a gateway's commands has no end yet: what may go out, in which order, and how much is ahead of it. */
export function waitingUnitsOf(pool: Pool) {
  const read = async (text: string, { farmId, gatewayId }: GatewayKey, now: Date, ...more: unknown[]) =>
    (await pool.query<LiveUnit>(text, [farmId, gatewayId, now, ...more])).rows;
  const count = async (text: string, { farmId, gatewayId }: GatewayKey, ...more: unknown[]) =>
    (await pool.query<{ n: number }>(text, [farmId, gatewayId, ...more])).rows[0]?.n ?? 0;
  return {
    /** What is unanswered and in time, what stops water first. A Ping isn't asked twice. */
    unanswered: (key: GatewayKey, now: Date) => read(unansweredText, key, now),
    /** What waits and may go out now, but for sends to many units; and what an earlier turn had begun to send. */
    due: (key: GatewayKey, now: Date) => read(dueText, key, now),
    /** The next units of sends to many. */
    async nextOfMany(key: GatewayKey, now: Date, limit: number): Promise<LiveUnit[]> {
      const next = await read(nextOfManyText, key, now, limit, limit * LOOKED_AT);
      // Most of the first wait for something else: one behind them may go.
      return next.length < limit ? read(nextOfManyText, key, now, limit, null) : next;
    },
    /** The newest send to many that has units waiting; 0: none has. */
    newestOfMany: (key: GatewayKey) => count(newestOfManyText, key),
    /** Units of sends to many, after this one, that may go out by what others do, and say that they hold what they would get. */
    sayTheyHoldIt: (key: GatewayKey, now: Date, after: number) => read(sayItText, key, now, after),
    /** How many units of sends to many the gateway has now. */
    windowSize: (key: GatewayKey) => count(windowText, key),
    /**
     * Units without an end up to the last one of each send to many, itself included: of those whose finish was told when they were sent,
     * and of these commands.
     */
    async unitsUpTo({ farmId, gatewayId }: GatewayKey, commandIds: readonly number[]): Promise<UpTo[]> {
      return (await pool.query<UpTo>(aheadText, [farmId, gatewayId, numberArray(commandIds)])).rows;
    },
  };
}

import type { Pool } from 'pg';
import { schedulesTypes } from '@headrace/contract/schedules-types';
import { lanes } from '@headrace/device/lanes';
import { numberArray } from '../../db/sql-arrays.ts';
import { unitIsLive } from '../../db/under-way.ts';
import { reportedStoppedSince } from '../programmes/must-not-water.ts';
import type { GatewayKey } from './answers.ts';
import { doneSince } from './done-since.ts';
import type { NewUnit } from './commands.repo.ts';
import { partsUnderWay } from './joined-polls.ts';

/** When a unit was last heard, and whether it may be open. */
export interface LastHeard {
  readonly deviceId: number;
  /** Its newest word of any kind; null: never heard. */
  readonly heardAt: Date | null;
}
export interface HeardFacts extends LastHeard {
  readonly isOpen: boolean | null;
  /** A start is on its way to it, or what was opened has not been reported closed. */
  readonly mayOpen: boolean;
}

/** What is known of a unit before something is sent to it. */
export interface UnitFacts extends HeardFacts {
  readonly name: string;
  /** Spare or out of service. */
  readonly isShelved: boolean;
  /** The checksum of what it holds, by its own word. */
  readonly reportedCrc: string | null;
  /** That is one of those that were asked about, and was said after everything that was last done to it. */
  readonly saysWanted: boolean;
  readonly cycleLen: number | null;
  /** It must not water: somebody stopped it… */
  readonly isStopped: boolean;
  /** …or it says so itself. */
  readonly saysStopped: boolean;
}

const DAY_MS = 86_400_000;

// Values, starts and stops are read for all units at once: for thousands of them each by itself takes some ten times as long.
const valuesWhere = (
  more: string,
) => `select s.device_id, max(l.at) as heard_at, max(l.value) filter (where s.metric = 'valve') as valve,
    max(l.value) filter (where s.metric = 'cycleLen') as cycle_len
  from series s join latest l on l.farm_id = s.farm_id and l.series_id = s.id
  where s.farm_id = $1 and s.device_id = any($2::int[]) ${more} group by s.device_id`;
const starts = `select device_id from command_unit where farm_id = $1 and lane = ${lanes.start} and ${unitIsLive()}
  union select device_id from command_unit where farm_id = $1 and opened_at is not null and closed_at is null`;
const heardColumns = `d.id as "deviceId", greatest(v.heard_at, f.at) as "heardAt", v.valve = 1 as "isOpen", m.device_id is not null as "mayOpen"`;
const heardTables = (values = valuesWhere('')) => `device d left join (${values}) v on v.device_id = d.id
  left join (${starts}) m on m.device_id = d.id
  left join device_fact f on f.farm_id = d.farm_id and f.device_id = d.id and f.name = 'ipcCrc'`;

const heardText = `select ${heardColumns} from ${heardTables()} where d.farm_id = $1 and d.id = any($2::int[])`;

// Of its values only those that say something of it: who has not been heard lately by these is looked at again. What a unit says counts only
// where it is newer than the last thing that was done to it, which is asked of those that say what they are to hold.
const factsText = `select ${heardColumns}, d.name,
    coalesce((d.settings->>'outOfService')::boolean, false) or coalesce((d.settings->>'isSpareUnit')::boolean, false) as "isShelved",
    f.value as "reportedCrc", v.cycle_len as "cycleLen",
    case when f.value = any($3::text[]) then not ${doneSince({ farmId: 'd.farm_id', deviceId: 'd.id', at: 'f.at' })}
      else false end as "saysWanted",
    p.device_id is not null as "isStopped",
    case when h.device_id is null then false else ${reportedStoppedSince} is not null end as "saysStopped"
  from ${heardTables(valuesWhere("and s.metric in ('valve', 'cycleLen')"))} cross join lateral (select d.farm_id, d.id as device_id) u
  left join unit_stop p on p.farm_id = d.farm_id and p.device_id = d.id and p.lifted_by is null
  left join unit_held h on h.farm_id = d.farm_id and h.device_id = d.id and h.until is null and h.stopped_at is not null
  where d.farm_id = $1 and d.id = any($2::int[])`;

/** By device. Of who was heard within a day, `heardAt` may be an earlier word of that day. */
export async function readUnitFacts(
  pool: Pool,
  farmId: number,
  units: readonly NewUnit[],
  now: Date,
): Promise<ReadonlyMap<number, UnitFacts>> {
  const crcs = [...new Set(units.flatMap(({ crc }) => crc ?? []))];
  const facts = await read<UnitFacts>(pool, factsText, farmId, units, crcs);
  const since = now.getTime() - DAY_MS;
  const others = units.filter(({ deviceId }) => !wasHeard(facts.get(deviceId), since));
  if (others.length === 0) return facts;
  for (const [deviceId, { heardAt }] of await readHeard(pool, farmId, others)) {
    const known = facts.get(deviceId);
    if (known) facts.set(deviceId, Object.assign({}, known, { heardAt }));
  }
  return facts;
}

const wasHeard = (facts: LastHeard | undefined, since: number) =>
  facts?.heardAt != null && facts.heardAt.getTime() >= since;

/** The part of it that decides in which order units are reached. */
export const readHeard = (pool: Pool, farmId: number, units: readonly NewUnit[]) =>
  read<HeardFacts>(pool, heardText, farmId, units);

const saidText = `select device_id as "deviceId", at as "heardAt" from device_fact
  where farm_id = $1 and device_id = any($2::int[]) and name = 'ipcCrc' and at >= $3`;

/**
 * For a send, which asks who was heard within a day and who not for long. Most have said what they hold within a day; the values of
 * the others are read.
 */
export async function readLastHeard(
  pool: Pool,
  farmId: number,
  units: readonly NewUnit[],
  now: Date,
): Promise<ReadonlyMap<number, LastHeard>> {
  const ids = numberArray(units.map(({ deviceId }) => deviceId));
  const since = new Date(now.getTime() - DAY_MS);
  const { rows } = await pool.query<LastHeard>(saidText, [farmId, ids, since]);
  const heard = new Map<number, LastHeard>(rows.map((row) => [row.deviceId, row]));
  const others = units.filter(({ deviceId }) => !heard.has(deviceId));
  if (others.length === 0) return heard;
  for (const [deviceId, facts] of await readHeard(pool, farmId, others)) heard.set(deviceId, facts);
  return heard;
}

async function read<Facts extends HeardFacts>(
  pool: Pool,
  text: string,
  farmId: number,
  units: readonly NewUnit[],
  ...more: unknown[]
): Promise<Map<number, Facts>> {
  const ids = numberArray(units.map(({ deviceId }) => deviceId));
  const { rows } = await pool.query<Facts>(text, [farmId, ids, ...more]);
  return new Map(rows.map((row) => [row.deviceId, row]));
}

/** What a gateway still has to do for units before what is sent now. */
export interface AheadRow extends GatewayKey {
  readonly commandId: number;
  readonly type: number;
  readonly name: string;
  readonly lane: number;
  readonly units: number;
  /** A person's name; empty: the account was deleted. */
  readonly sentBy: string;
  readonly isAutomatic: boolean;
}

// What the new one ends, of schedules, is done by nobody any more.
const aheadText = `with p as materialized (
    select gateway_id, command_id, type, name, lane, count(*)::int as units from ${partsUnderWay} p
    where gateway_id = any($2) and device_id <> gateway_id and not is_joined
      and not (type = any($3::int[]) and (device_id in (select unnest($4::int[]))) is true)
    group by gateway_id, lane, command_id, type, name)
  select $1::int as "farmId", p.gateway_id as "gatewayId", p.command_id as "commandId", p.type, p.name, p.lane, p.units,
    coalesce(a.name, '') as "sentBy", c.payload ? 'automatic' as "isAutomatic"
  from p join command c on c.farm_id = $1 and c.id = p.command_id left join account a on a.id = c.account_id
  order by p.command_id`;

/** By command, the oldest first, but for schedules to those that are to get another one: these end. */
export async function readAhead(
  pool: Pool,
  farmId: number,
  gatewayIds: readonly number[],
  rescheduled: readonly number[],
): Promise<AheadRow[]> {
  const values = [farmId, gatewayIds, [...schedulesTypes], numberArray(rescheduled)];
  return (await pool.query<AheadRow>(aheadText, values)).rows;
}

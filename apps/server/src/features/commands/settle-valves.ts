import type { PoolClient } from 'pg';
import type { UnitState } from '@headrace/contract/command-types';
import { newestValveReport, newestValveReportAt } from '../series/newest-valve-report.ts';
import type { CommandKey, ValveReport } from './answers.ts';
import { writeCommandStates, writeSteps, writeUnits } from './command-writer.ts';
import { noteOpened } from './openings.ts';
import { whyClosed } from './valve-close.ts';
import { valveOffTypes, valveOnTypes } from './valve-types.ts';

const reportsText = `unnest($1::int[], $2::int[], $3::float8[]) as k (farm_id, device_id, ms)`;
const reportArrays = (reports: readonly ValveReport[]) => [
  reports.map(({ farmId }) => farmId),
  reports.map(({ deviceId }) => deviceId),
  reports.map(({ at }) => at),
];
// What the unit before a swap did isn't told by the one that came after it.
const isOfThisUnit =
  '(u.mac is null or u.mac = (select d.mac from device d where d.farm_id = u.farm_id and d.id = u.device_id))';

const opens = (reports: readonly ValveReport[]) => reports.filter(({ isOpen }) => isOpen);
const closes = (reports: readonly ValveReport[]) => reports.filter(({ isOpen }) => !isOpen);

/** A unit of a command that opened its valve. */
type Opened = CommandKey & { readonly deviceId: number };

/** What reports of valves changed. */
interface SeenValves {
  changed: (CommandKey & { isFinished: boolean })[];
  /** Of commands that this ended. */
  gateways: { farmId: number; gatewayId: number }[];
}

/** The commands that these reports may change, to be locked. */
export async function commandsOfValves(
  client: PoolClient,
  reports: readonly ValveReport[],
): Promise<CommandKey[]> {
  return [...(await reportedOpen(client, opens(reports))), ...(await openUnits(client, closes(reports)))];
}

/**
 * What units say of their valves, taken into the commands that opened them: a closed valve ends the opening and says
 * why; an open one is the answer that got lost. `answered`: openings that an answer told of just now.
 */
export async function settleValves(
  client: PoolClient,
  reports: readonly ValveReport[],
  answered: readonly Opened[],
  now: Date,
): Promise<SeenValves> {
  const opened = await takeOpened(client, opens(reports), now);
  const ended = await takeClosed(client, closes(reports));
  // Heard of late, after the unit had said that it is closed.
  ended.push(...(await takeClosed(client, await closedSince(client, [...answered, ...opened.units]))));
  const changed = ended.map(({ farmId, commandId }) => ({ farmId, commandId, isFinished: false }));
  return { gateways: opened.units, changed: [...opened.changed, ...changed] };
}

interface OpenUnit extends CommandKey {
  deviceId: number;
  openedAt: Date;
  closesBy: Date;
  offAskedAt: Date | null;
  offIsDone: boolean | null;
  reportedAt: Date;
}

const closedText = `select r.*, o.asked_at as "offAskedAt", o.is_done as "offIsDone" from (
    select u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId",
      u.opened_at as "openedAt", u.closes_by as "closesBy", to_timestamp(min(k.ms) / 1000) as "reportedAt"
    from ${reportsText}
    join command_unit u on u.farm_id = k.farm_id and u.device_id = k.device_id
    where u.opened_at is not null and u.closed_at is null and to_timestamp(k.ms / 1000) > u.opened_at
      and ${isOfThisUnit}
    group by u.farm_id, u.command_id, u.device_id) r
  left join lateral (select c.created_at as asked_at, x.state = 'done' and x.at <= r."reportedAt" as is_done
    from command_unit x join command c on c.farm_id = x.farm_id and c.id = x.command_id
    where x.farm_id = r."farmId" and x.device_id = r."deviceId" and x.state in ('sent', 'accepted', 'done')
      and x.at >= r."openedAt" and c.type in (${valveOffTypes})
    order by c.created_at limit 1) o on true
  order by 1, 2, 3`;

/** Openings under way that these reports end, each with the first Valve Off since: its answer comes after the report. */
async function openUnits(client: PoolClient, reports: readonly ValveReport[]): Promise<OpenUnit[]> {
  if (reports.length === 0) return [];
  const { rows } = await client.query<OpenUnit>({
    name: 'valves-closed',
    text: closedText,
    values: reportArrays(reports),
  });
  return rows;
}

async function takeClosed(client: PoolClient, reports: readonly ValveReport[]): Promise<Opened[]> {
  const rows = await openUnits(client, reports);
  if (rows.length === 0) return [];
  const ends = rows.map(({ offAskedAt: askedAt, offIsDone, ...row }) => {
    const off = askedAt && { askedAt, isDone: offIsDone === true };
    return { ...row, at: row.reportedAt, note: whyClosed({ ...row, off }, row.reportedAt) };
  });
  await client.query({
    name: 'valves-end',
    text: endText,
    values: [
      ends.map(({ farmId }) => farmId),
      ends.map(({ commandId }) => commandId),
      ends.map(({ deviceId }) => deviceId),
      ends.map(({ at }) => at),
      ends.map(({ note }) => note),
    ],
  });
  await writeSteps(
    client,
    ends.map((end) => ({ ...end, state: 'closed' })),
  );
  return rows;
}

const endText = `update command_unit u set closed_at = k.at, closed_why = k.note
  from unnest($1::int[], $2::int[], $3::int[], $4::timestamptz[], $5::text[])
    as k (farm_id, command_id, device_id, at, note)
  where u.farm_id = k.farm_id and u.command_id = k.command_id and u.device_id = k.device_id`;

const closedSinceText = `select u.farm_id as "farmId", u.device_id as "deviceId",
    extract(epoch from ${newestValveReportAt})::float8 * 1000 as at, false as "isOpen"
  from unnest($1::int[], $2::int[], $3::int[]) as k (farm_id, command_id, device_id)
  join command_unit u on u.farm_id = k.farm_id and u.command_id = k.command_id and u.device_id = k.device_id
  join series s on s.farm_id = u.farm_id and s.device_id = u.device_id and s.metric = 'valve'
  join latest l on l.farm_id = s.farm_id and l.series_id = s.id
  where u.opened_at is not null and u.closed_at is null and ${newestValveReport} = 0 and ${newestValveReportAt} > u.opened_at`;

/** What units of these openings last said, where that is closed. */
async function closedSince(client: PoolClient, opened: readonly Opened[]): Promise<ValveReport[]> {
  if (opened.length === 0) return [];
  const { rows } = await client.query<ValveReport>({
    name: 'valves-closed-since',
    text: closedSinceText,
    values: [
      opened.map(({ farmId }) => farmId),
      opened.map(({ commandId }) => commandId),
      opened.map(({ deviceId }) => deviceId),
    ],
  });
  return rows;
}

interface LateOpened extends CommandKey {
  deviceId: number;
  gatewayId: number;
  mac: string | null;
  before: UnitState;
  at: Date;
}

/** How long after its last moment to begin an opening may first be reported. */
const REPORTED_WITHIN = "interval '10 minutes'";

// The newest Valve On that had gone out explains an open valve, whatever became of it; an older one doesn't, nor one that
// failed before a Valve Off was carried out. When it went out is its first step as sent; its `at` where it has none.
const openedText = `select "farmId", "commandId", "deviceId", "gatewayId", mac, before, to_timestamp(min(ms) / 1000) as at
  from (select distinct on (k.farm_id, k.device_id, k.ms) k.ms, u.farm_id as "farmId", u.command_id as "commandId",
      u.device_id as "deviceId", u.gateway_id as "gatewayId", u.mac, u.state as before, u.opened_at, u.at as "endedAt"
    from ${reportsText}
    cross join lateral (select to_timestamp(k.ms / 1000) as at) said
    join command_unit u on u.farm_id = k.farm_id and u.device_id = k.device_id and u.at > said.at - interval '2 days'
    join command c on c.farm_id = u.farm_id and c.id = u.command_id and c.type in (${valveOnTypes})
    cross join lateral (select coalesce(u.opened_at, (select min(s.at) from command_step s
        where s.farm_id = u.farm_id and s.command_id = u.command_id and s.device_id = u.device_id
          and s.state in ('sent', 'accepted') and u.state not in ('queued', 'sent')), u.at) as at) gone
    where u.sending > 0 and u.state <> 'skipped' and gone.at <= said.at
      and said.at < coalesce(u.expires_at, c.expires_at) + ${REPORTED_WITHIN} and ${isOfThisUnit}
    order by k.farm_id, k.device_id, k.ms, gone.at desc, u.command_id desc) newest
  where opened_at is null and not (before = 'failed' and exists (
    select from command_unit x join command o on o.farm_id = x.farm_id and o.id = x.command_id
    where x.farm_id = "farmId" and x.device_id = "deviceId" and x.state = 'done' and x.at >= "endedAt"
      and x.at <= to_timestamp(ms / 1000) and o.type in (${valveOffTypes})))
  group by 1, 2, 3, 4, 5, 6
  order by 1, 2, 3`;

async function reportedOpen(client: PoolClient, reports: readonly ValveReport[]): Promise<LateOpened[]> {
  if (reports.length === 0) return [];
  const { rows } = await client.query<LateOpened>({
    name: 'valves-opened',
    text: openedText,
    values: reportArrays(reports),
  });
  return rows;
}

/** A valve reported open after its Valve On went out: it counts as done, whatever became of the answer. */
async function takeOpened(
  client: PoolClient,
  reports: readonly ValveReport[],
  now: Date,
): Promise<{ units: LateOpened[]; changed: SeenValves['changed'] }> {
  const units = await reportedOpen(client, reports);
  await writeUnits(
    client,
    units.map((unit) => ({ ...unit, state: 'done', note: openNote(unit.before) })),
  );
  for (const unit of units) await noteOpened(client, unit);
  return { units, changed: await writeCommandStates(client, units, now) };
}

const REPORTED_OPEN = 'The unit itself reports its valve open';
/** Why a unit that stood so counts as done, and what isn't known of it. */
function openNote(before: UnitState): string {
  const ends: Partial<Record<UnitState, string>> = {
    failed:
      ', though the gateway had said failed. Whether this command or its schedule opened it is not known.',
    cancelled:
      ', though it had been taken back. Whether this command or its schedule opened it is not known.',
  };
  return `${REPORTED_OPEN}${ends[before] ?? '.'}`;
}

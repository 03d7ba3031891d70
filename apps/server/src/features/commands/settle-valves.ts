import type { PoolClient } from 'pg';
import type { CommandKey, ValveReport } from './answers.ts';
import { writeCommandStates, writeSteps, writeUnits } from './command-writer.ts';
import { closedByOff, whyClosed } from './valve-close.ts';

interface OpenUnit extends CommandKey {
  deviceId: number;
  openedAt: Date;
  closesBy: Date;
  offAt: Date | null;
  reportedAt: Date;
}

const reportsText = `unnest($1::int[], $2::int[], $3::float8[]) as k (farm_id, device_id, ms)`;
const reportArrays = (reports: readonly ValveReport[]) => [
  reports.map(({ farmId }) => farmId),
  reports.map(({ deviceId }) => deviceId),
  reports.map(({ at }) => at),
];

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
  return [
    ...(await reportedOpen(
      client,
      reports.filter(({ isOpen }) => isOpen),
    )),
    ...(await openUnits(
      client,
      reports.filter(({ isOpen }) => !isOpen),
    )),
  ];
}

/**
 * What units say of their valves, taken into the commands that opened them: a closed valve ends the opening and says
 * why; an open one is the answer that got lost.
 */
export async function settleValves(
  client: PoolClient,
  reports: readonly ValveReport[],
  now: Date,
): Promise<SeenValves> {
  const opened = await takeOpened(
    client,
    reports.filter(({ isOpen }) => isOpen),
    now,
  );
  const closed = await takeClosed(
    client,
    reports.filter(({ isOpen }) => !isOpen),
  );
  const changed = closed.map(({ farmId, commandId }) => ({ farmId, commandId, isFinished: false }));
  return { ...opened, changed: [...opened.changed, ...changed] };
}

const closedText = `select u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId",
    u.opened_at as "openedAt", u.closes_by as "closesBy", to_timestamp(min(k.ms) / 1000) as "reportedAt",
    (select max(x.at) from command_unit x join command c on c.farm_id = x.farm_id and c.id = x.command_id
      where x.farm_id = u.farm_id and x.device_id = u.device_id and x.state in ('sent', 'accepted', 'done')
        and x.at >= u.opened_at and c.type in (3, 31)) as "offAt"
  from ${reportsText}
  join command_unit u on u.farm_id = k.farm_id and u.device_id = k.device_id
  where u.opened_at is not null and u.closed_at is null and to_timestamp(k.ms / 1000) > u.opened_at
  group by u.farm_id, u.command_id, u.device_id
  order by u.farm_id, u.command_id, u.device_id`;

/** Openings under way that these reports end. A Valve Off counts from when it was sent: the report comes before its answer. */
async function openUnits(client: PoolClient, reports: readonly ValveReport[]): Promise<OpenUnit[]> {
  if (reports.length === 0) return [];
  const { rows } = await client.query<OpenUnit>({
    name: 'valves-closed',
    text: closedText,
    values: reportArrays(reports),
  });
  return rows;
}

async function takeClosed(client: PoolClient, reports: readonly ValveReport[]): Promise<OpenUnit[]> {
  const rows = await openUnits(client, reports);
  for (const row of rows) {
    const why = whyClosed(row, row.reportedAt);
    await client.query(
      `update command_unit set closed_at = $4, closed_why = $5
        where farm_id = $1 and command_id = $2 and device_id = $3 and closed_at is null`,
      [row.farmId, row.commandId, row.deviceId, row.reportedAt, why],
    );
    await writeSteps(client, [{ ...row, at: row.reportedAt, state: 'closed', note: why }]);
  }
  return rows;
}

interface LateOpened extends CommandKey {
  deviceId: number;
  gatewayId: number;
  at: Date;
}

// One that ran out of time counts from when it was sent; the others' `at` is that or later.
const openedText = `select u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId",
    u.gateway_id as "gatewayId", to_timestamp(min(k.ms) / 1000) as at
  from ${reportsText}
  join command_unit u on u.farm_id = k.farm_id and u.device_id = k.device_id
  join command c on c.farm_id = u.farm_id and c.id = u.command_id
  where c.type in (2, 30) and u.state in ('sent', 'accepted', 'expired')
    and to_timestamp(k.ms / 1000) >= case when u.state = 'expired' then (select min(s.at) from command_step s
      where s.farm_id = u.farm_id and s.command_id = u.command_id and s.device_id = u.device_id
        and s.state in ('sent', 'accepted')) else u.at end
    and to_timestamp(k.ms / 1000) < c.expires_at + interval '10 minutes'
  group by u.farm_id, u.command_id, u.device_id
  order by u.farm_id, u.command_id, u.device_id`;

async function reportedOpen(client: PoolClient, reports: readonly ValveReport[]): Promise<LateOpened[]> {
  if (reports.length === 0) return [];
  const { rows } = await client.query<LateOpened>({
    name: 'valves-opened',
    text: openedText,
    values: reportArrays(reports),
  });
  return rows;
}

/** A valve reported open after its Valve On went out: that it was done is known, whatever became of the answer. */
async function takeOpened(
  client: PoolClient,
  reports: readonly ValveReport[],
  now: Date,
): Promise<SeenValves> {
  const rows = await reportedOpen(client, reports);
  await writeUnits(
    client,
    rows.map((row) => ({ ...row, state: 'done', note: 'The unit itself reports its valve open.' })),
  );
  for (const row of rows) await noteOpened(client, row);
  return { changed: await writeCommandStates(client, rows, now), gateways: rows };
}

const closedSinceText = `select u.farm_id as "farmId", u.device_id as "deviceId",
    extract(epoch from l.valid_at)::float8 * 1000 as at, false as "isOpen"
  from unnest($1::int[], $2::int[], $3::int[]) as k (farm_id, command_id, device_id)
  join command_unit u on u.farm_id = k.farm_id and u.command_id = k.command_id and u.device_id = k.device_id
  join series s on s.farm_id = u.farm_id and s.device_id = u.device_id and s.metric = 'valve'
  join latest l on l.farm_id = s.farm_id and l.series_id = s.id
  where u.opened_at is not null and u.closed_at is null and l.valid_value = 0 and l.valid_at > u.opened_at`;

/** Valves whose opening we hear of late, after they were reported closed. */
export async function reportedClosed(
  client: PoolClient,
  opened: readonly (CommandKey & { deviceId: number })[],
): Promise<ValveReport[]> {
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

const offText = `update command_unit set closed_at = $3, closed_why = $4
  where farm_id = $1 and device_id = $2 and opened_at <= $3 and closed_at is null
  returning farm_id as "farmId", command_id as "commandId", device_id as "deviceId"`;

/** A Valve Off was carried out: what was open is closed. Returns the commands that had opened it. */
export async function noteClosedByOff(
  client: PoolClient,
  { farmId, deviceId, at }: { farmId: number; deviceId: number; at: Date },
): Promise<CommandKey[]> {
  const { rows } = await client.query<CommandKey & { deviceId: number }>({
    name: 'valve-off',
    text: offText,
    values: [farmId, deviceId, at, closedByOff],
  });
  await writeSteps(
    client,
    rows.map((row) => ({ ...row, at, state: 'closed', note: closedByOff })),
  );
  return rows;
}

const openText = `update command_unit u set opened_at = $4,
    closes_by = $4::timestamptz + make_interval(mins => coalesce(c.max_open_minutes, 60))
  from command c
  where u.farm_id = $1 and u.command_id = $2 and u.device_id = $3 and c.farm_id = u.farm_id and c.id = u.command_id
    and u.opened_at is null`;

const againText = `update command_unit set closed_at = $4, closed_why = 'Opened again by a later command.'
  where farm_id = $1 and device_id = $3 and command_id < $2 and opened_at is not null and closed_at is null`;

/** A valve is open since `at`; an earlier opening that was still under way goes over into this one. */
export async function noteOpened(
  client: PoolClient,
  { farmId, commandId, deviceId, at }: CommandKey & { deviceId: number; at: Date },
): Promise<void> {
  await client.query({
    name: 'valve-open-again',
    text: againText,
    values: [farmId, commandId, deviceId, at],
  });
  await client.query({ name: 'valve-open', text: openText, values: [farmId, commandId, deviceId, at] });
}

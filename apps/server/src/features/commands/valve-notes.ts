import type { PoolClient } from 'pg';
import { newestValveReport, newestValveReportAt } from '../series/newest-valve-report.ts';
import type { ValveReport } from './answers.ts';

/*
 * What is known of a valve beside its newest report, kept with the facts of its unit: since when its reports say open
 * (`openSince`, empty once it said closed), and when it last carried out a Valve Off (`valveOff`).
 */

const closedText = `update device_fact f set value = '', at = to_timestamp(k.ms / 1000)
  from unnest($1::int[], $2::int[], $3::float8[]) as k (farm_id, device_id, ms)
  where f.farm_id = k.farm_id and f.device_id = k.device_id and f.name = 'openSince' and f.value <> ''
    and f.at < to_timestamp(k.ms / 1000)`;

// One that comes late, after the unit said that it is closed, begins nothing.
const openText = `insert into device_fact as f (farm_id, device_id, name, at, value)
  select k.farm_id, k.device_id, 'openSince', to_timestamp(k.ms / 1000), k.value
  from unnest($1::int[], $2::int[], $3::float8[], $4::text[]) as k (farm_id, device_id, ms, value)
  where not exists (select from series s join latest l on l.farm_id = s.farm_id and l.series_id = s.id
    where s.farm_id = k.farm_id and s.device_id = k.device_id and s.metric = 'valve'
      and ${newestValveReport} = 0 and ${newestValveReportAt} > to_timestamp(k.ms / 1000))
  order by 1, 2
  on conflict (farm_id, device_id, name) do update set at = excluded.at, value = excluded.value
    where f.value = '' and f.at < excluded.at`;

/** Keeps since when valves are said to be open. Wants `latest` to have these reports. */
export async function noteOpenSince(client: PoolClient, reports: readonly ValveReport[]): Promise<void> {
  const closed = new Map<number, ValveReport>();
  for (const report of reports)
    if (!report.isOpen && report.at >= (closed.get(report.deviceId)?.at ?? 0))
      closed.set(report.deviceId, report);
  const opened = new Map<number, ValveReport>();
  for (const report of reports)
    if (
      report.isOpen &&
      report.at >= (closed.get(report.deviceId)?.at ?? 0) &&
      report.at < (opened.get(report.deviceId)?.at ?? Infinity)
    )
      opened.set(report.deviceId, report);
  const ended = [...closed.values()];
  if (ended.length > 0)
    await client.query({ name: 'valves-said-closed', text: closedText, values: keysAndTimes(ended) });
  const begun = [...opened.values()];
  if (begun.length > 0)
    await client.query({
      name: 'valves-said-open',
      text: openText,
      values: [...keysAndTimes(begun), begun.map(({ at }) => new Date(at).toISOString())],
    });
}

const keysAndTimes = (reports: readonly ValveReport[]) => [
  reports.map(({ farmId }) => farmId),
  reports.map(({ deviceId }) => deviceId),
  reports.map(({ at }) => at),
];

const offText = `insert into device_fact as f (farm_id, device_id, name, at, value)
  select d.farm_id, d.id, 'valveOff', k.at, k.value
  from unnest($1::int[], $2::int[], $3::timestamptz[], $4::text[], $5::text[]) as k (farm_id, device_id, at, value, mac)
  join device d on d.farm_id = k.farm_id and d.id = k.device_id and coalesce(d.mac = k.mac, true)
  order by d.farm_id, d.id
  on conflict (farm_id, device_id, name) do update set at = excluded.at, value = excluded.value where f.at < excluded.at`;

/** Units of one command carried out a Valve Off, each by its own word that it is closed. */
export async function noteValveOffs(
  client: PoolClient,
  units: readonly { farmId: number; deviceId: number; mac: string | null; at: Date }[],
): Promise<void> {
  await client.query({
    name: 'valve-offs-done',
    text: offText,
    values: [
      units.map(({ farmId }) => farmId),
      units.map(({ deviceId }) => deviceId),
      units.map(({ at }) => at),
      units.map(({ at }) => at.toISOString()),
      units.map(({ mac }) => mac),
    ],
  });
  await noteOpenSince(
    client,
    units.map(({ farmId, deviceId, at }) => ({ farmId, deviceId, at: at.getTime(), isOpen: false })),
  );
}

import type { IncidentDetails } from '@headrace/contract/alerts';
import { ALERT_DEVICES_LISTED } from '@headrace/contract/limits';
import type { Db } from '../../db/client.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { alertChart } from './alert-chart.ts';
import type { IncidentOfFarm } from './incident-lists.repo.ts';
import { metricsOf, pointsOf } from './replayed.ts';
import { readingsOf } from './trial.repo.ts';
import type { EpisodeRow } from './watch.repo.ts';

const HOUR_MS = 3_600_000;
const BEFORE_MS = 24 * HOUR_MS;
const AFTER_MS = 6 * HOUR_MS;
const VALVES = 20;

type Sight = Pick<IncidentDetails, 'map' | 'chart' | 'valves'>;

/** Where an incident is or was, what its first device said around it, and the valves that could be closed. */
export async function readSight(
  db: Db,
  farm: FarmRow,
  row: IncidentOfFarm,
  episodes: readonly EpisodeRow[],
  now: Date,
): Promise<Sight> {
  const ids = [...new Set(episodes.map(({ device_id }) => device_id))].slice(0, ALERT_DEVICES_LISTED);
  const devices = await devicesOf(db, farm.id, ids);
  const places = devices.flatMap(({ lat, lng }) => (lat === null || lng === null ? [] : [{ lat, lng }]));
  return {
    map: places.length === 0 ? null : { boundary: farm.boundary, places },
    chart: await chartOf(db, farm.id, { row, episodes, devices }, now),
    valves: row.kind === 'ValveOpen' ? valvesOf(devices, episodes) : [],
  };
}

const devicesOf = async (db: Db, farmId: number, ids: readonly number[]): Promise<DeviceRow[]> =>
  ids.length === 0
    ? []
    : db
        .selectFrom('device')
        .selectAll()
        .where('farm_id', '=', farmId)
        .where('id', 'in', [...ids])
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .execute();

function valvesOf(devices: readonly DeviceRow[], episodes: readonly EpisodeRow[]): Sight['valves'] {
  const open = new Set(episodes.flatMap(({ ended_at, device_id }) => (ended_at === null ? device_id : [])));
  return devices
    .filter(({ id, mac }) => open.has(id) && mac !== null)
    .slice(0, VALVES)
    .map(({ uid, name, mac, serial_number: serialNumber }) => ({ uid, name, mac: mac ?? '', serialNumber }));
}

interface Shown {
  readonly row: IncidentOfFarm;
  readonly episodes: readonly EpisodeRow[];
  readonly devices: readonly DeviceRow[];
}

/** Of kinds that go by readings which are stored, by what the alert says now. */
async function chartOf(
  db: Db,
  farmId: number,
  { row, episodes, devices }: Shown,
  now: Date,
): Promise<Sight['chart']> {
  const rule = await db
    .selectFrom('alert_rule')
    .selectAll()
    .where('farm_id', '=', farmId)
    .where('id', '=', row.rule_id)
    .executeTakeFirst();
  // Of a tank the alert of batteries is the cards' own, and of sprinklers another.
  const metrics = rule && metricsOf(rule);
  const first = episodes.find(({ ended_at }) => ended_at === null) ?? episodes[0];
  const device = devices.find(({ id }) => id === first?.device_id);
  if (!rule || !metrics || !first || !device) return null;
  const own = episodes.filter(({ device_id }) => device_id === device.id);
  const from = Math.min(...own.map(({ since }) => since.getTime())) - BEFORE_MS;
  const ends = own.map(({ ended_at }) => ended_at?.getTime() ?? now.getTime());
  const to = Math.min(now.getTime(), Math.max(...ends) + AFTER_MS);
  const readings = await readingsOf(db, farmId, [device.id], metrics, new Date(from));
  const points = pointsOf(rule.kind, device, readings).filter(({ at }) => at <= to);
  if (points.length === 0) return null;
  const marks = own.map(({ since, fired_at, ended_at, peak }) => ({
    since: since.getTime(),
    firedAt: (fired_at ?? since).getTime(),
    endedAt: ended_at?.getTime() ?? null,
    peak,
  }));
  const chart = alertChart(rule, device, points, marks);
  return { ...chart, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

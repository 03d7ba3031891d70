import { type AlertsLately, type AlertTrial, TRIAL_DAYS } from '@headrace/contract/alert-trial';
import type { AlertEntry } from '@headrace/contract/alerts';
import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { type AlertKind, alertKindInfo } from '@headrace/contract/rules/alerts/alert-kinds';
import { replay, type Replayed, type ReplayPoint } from '@headrace/contract/rules/alerts/replay';
import { canWatch } from '@headrace/contract/rules/alerts/watched-devices';
import type { Limit } from '@headrace/contract/rules/alerts/sides';
import { isValidTension, soilProbes } from '@headrace/contract/rules/soil-moisture';
import { levelPercent, tankShape } from '@headrace/contract/rules/tank';
import type { Db } from '../../db/client.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import type { AlertRulesService } from './alert-rules.service.ts';
import { grouped } from './grouped.ts';
import { readLately } from './lately.ts';
import { tankBattery } from './observers/batteries.ts';
import { limitOf } from './observers/levels.ts';
import { type TriedRule, watchesDevice } from './observation.ts';
import { classOf, COMES_AND_GOES, lifeRuleOf } from './rule-life.ts';
import { countsOf, READINGS_MAX, readingsOf, sensorsOf, type StoredReading } from './trial.repo.ts';
import { thinned } from './thinned.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SHORT_MS = 10 * MINUTE_MS;
const HOLDS_MIN = [15, 30, 60, 180, 720] as const;
const CHART_POINTS = 600;

/** What it is read from; undefined: nothing that is stored says what it would have told. */
function metricsOf({ kind, watch, condition }: TriedRule): readonly string[] | undefined {
  if (kind === 'TankLow' || kind === 'TankHigh') return ['levelMm'];
  if (kind === 'SoilMoisture') return soilProbes.map((probe) => `${probe}Kpa`);
  // Sprinklers go by their gateways' thresholds, which aren't kept as they were; "none" by valves that were open.
  if (kind === 'LowBattery' && watch === 'tank') return ['batteryV'];
  return kind === 'Flow' && condition !== 'none' ? ['flowLpm'] : undefined;
}

/** Of batteries that of the cards. */
const triedLimit = (rule: TriedRule): Limit => (rule.kind === 'LowBattery' ? tankBattery : limitOf(rule));

const impossible: AlertTrial = {
  isPossible: false,
  told: 0,
  short: 0,
  byHold: [],
  tried: 0,
  of: 0,
  heard: 0,
  since: null,
  chart: null,
};

/** What an alert would have told, and what people were told. */
export function createTrialService(db: Db, rules: Pick<AlertRulesService, 'tried'>) {
  return {
    /** Throws invalid for what its kind can't be. */
    tried: async (farm: FarmRow, body: AlertEntry, now: Date): Promise<AlertTrial> =>
      tryRule(db, farm, await rules.tried(farm, body), now),

    lately: (farm: FarmRow, accountId: number, now: Date): Promise<AlertsLately> =>
      readLately(db, farm, accountId, now),
  };
}
export type TrialService = ReturnType<typeof createTrialService>;

/** What an alert would have told in 30 days, by the same rules as it tells, of kinds that go by readings which are stored. */
async function tryRule(db: Db, farm: FarmRow, rule: TriedRule, now: Date): Promise<AlertTrial> {
  const metrics = metricsOf(rule);
  if (!metrics) return impossible;
  const since = new Date(now.getTime() - TRIAL_DAYS * DAY_MS);
  const watched = await watchedBy(db, farm.id, rule);
  const devices = await withinReach(db, farm.id, watched, metrics, since);
  const readings = await readingsOf(
    db,
    farm.id,
    devices.map(({ id }) => id),
    metrics,
    since,
  );
  const byDevice = grouped(readings, ({ device_id }) => device_id);
  const tried = devices.map((device) => {
    const points = pointsOf(rule.kind, device, byDevice.get(device.id) ?? []);
    return { device, points, found: replayed(points, rule, now) };
  });
  const notified = (found: readonly Replayed[]) => found.filter(({ isNotified }) => isNotified);
  const all = tried.flatMap(({ found }) => notified(found));
  const most = tried.toSorted((one, other) => notified(other.found).length - notified(one.found).length)[0];
  return {
    isPossible: true,
    told: all.length,
    short: all.filter(isShort).length,
    byHold: HOLDS_MIN.filter((hold) => hold > rule.hold_min).map((holdMinutes) => ({
      holdMinutes,
      told: tried.flatMap(({ points }) => notified(replayed(points, { ...rule, hold_min: holdMinutes }, now)))
        .length,
    })),
    tried: devices.length,
    of: watched.length,
    ...heardOf(tried.map(({ points }) => points)),
    chart:
      most && most.points.length > 0 ? chartOf(rule, most.device, most.points, notified(most.found)) : null,
  };
}

/** Without a reading nothing can be said of a device: "told nothing" would be a guess. */
function heardOf(tried: readonly (readonly ReplayPoint[])[]): Pick<AlertTrial, 'heard' | 'since'> {
  const first = tried.flatMap((points) => points.find(({ value }) => value !== null)?.at ?? []);
  const since = first.length === 0 ? null : new Date(Math.min(...first)).toISOString();
  return { heard: first.length, since };
}

const isShort = ({ since, endedAt }: Replayed) => endedAt !== null && endedAt - since <= SHORT_MS;

const watchedBy = async (db: Db, farmId: number, rule: TriedRule): Promise<DeviceRow[]> =>
  (await sensorsOf(db, farmId)).filter(
    (device) => canWatch(rule.kind, rule.watch, device) && watchesDevice(rule, device.id),
  );

/** The first so many devices as can be read at once. */
async function withinReach(
  db: Db,
  farmId: number,
  watched: readonly DeviceRow[],
  metrics: readonly string[],
  since: Date,
): Promise<DeviceRow[]> {
  const counts = await countsOf(
    db,
    farmId,
    watched.map(({ id }) => id),
    metrics,
    since,
  );
  let room = READINGS_MAX;
  return watched.filter(({ id }) => {
    room -= counts.get(id) ?? 0;
    return room >= 0;
  });
}

function pointsOf(kind: AlertKind, device: DeviceRow, readings: readonly StoredReading[]): ReplayPoint[] {
  if (kind === 'SoilMoisture') return tensionsOf(readings);
  if (kind === 'LowBattery' || kind === 'Flow') return readings.map(({ at, value }) => ({ at, value }));
  const shape = tankShape(device.settings);
  return readings.map(({ at, value }) => ({ at, value: levelPercent(shape, value) }));
}

/** The average of what the site's sensors said last, within the time after which it is out of contact. */
function tensionsOf(readings: readonly StoredReading[]): ReplayPoint[] {
  const last = new Map<string, StoredReading>();
  const points: ReplayPoint[] = [];
  for (const reading of readings) {
    last.set(reading.metric, reading);
    const said = [...last.values()].flatMap(({ at, value }) =>
      value !== null && isValidTension(value) && reading.at - at <= TANK_OUT_OF_CONTACT_MS ? [value] : [],
    );
    const value = said.length === 0 ? null : said.reduce((sum, kpa) => sum + kpa, 0) / said.length;
    if (points.at(-1)?.at === reading.at) points.pop();
    points.push({ at: reading.at, value });
  }
  return points;
}

function replayed(points: readonly ReplayPoint[], rule: TriedRule, now: Date): Replayed[] {
  return replay(
    points,
    {
      limit: triedLimit(rule),
      lifeRule: (recent) => lifeRuleOf(rule, 0, recent),
      silentMs: TANK_OUT_OF_CONTACT_MS,
      class: classOf(rule, alertKindInfo[rule.kind].class),
      mostNotices: COMES_AND_GOES,
    },
    now.getTime(),
  );
}

function chartOf(
  rule: TriedRule,
  { uid, name }: DeviceRow,
  points: readonly ReplayPoint[],
  told: readonly Replayed[],
): NonNullable<AlertTrial['chart']> {
  const { value: limit, clearValue: end } = triedLimit(rule);
  const iso = (at: number) => new Date(at).toISOString();
  return {
    uid,
    name,
    unit: rule.kind === 'LowBattery' ? 'V' : (alertKindInfo[rule.kind].value?.unit ?? ''),
    points: thinned(points, CHART_POINTS).map(({ at, value }) => ({ at: iso(at), value })),
    limit,
    end,
    marks: told.map(({ since, firedAt, endedAt, peak }) => ({
      since: iso(since),
      firedAt: iso(firedAt),
      endedAt: endedAt === null ? null : iso(endedAt),
      peak,
    })),
  };
}

import { type AlertsLately, type AlertTrial, TRIAL_DAYS } from '@headrace/contract/alert-trial';
import type { AlertEntry } from '@headrace/contract/alerts';
import type { Replayed, ReplayPoint } from '@headrace/contract/rules/alerts/replay';
import type { Db } from '../../db/client.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import type { AlertRulesService } from './alert-rules.service.ts';
import { grouped } from './grouped.ts';
import { readLately } from './lately.ts';
import type { TriedRule } from './observation.ts';
import { alertChart } from './alert-chart.ts';
import { metricsOf, pointsOf, replayed, watchedBy } from './replayed.ts';
import { countsOf, READINGS_MAX, readingsOf } from './trial.repo.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SHORT_MS = 10 * MINUTE_MS;
const HOLDS_MIN = [15, 30, 60, 180, 720] as const;

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
  // Where none would have told, a level is shown all the same: its limit can be moved over it.
  const most = tried
    .filter(({ points }) => points.length > 0)
    .toSorted((one, other) => notified(other.found).length - notified(one.found).length)[0];
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
    chart: most ? alertChart(rule, most.device, most.points, notified(most.found)) : null,
  };
}

/** Without a reading nothing can be said of a device: "told nothing" would be a guess. */
function heardOf(tried: readonly (readonly ReplayPoint[])[]): Pick<AlertTrial, 'heard' | 'since'> {
  const first = tried.flatMap((points) => points.find(({ value }) => value !== null)?.at ?? []);
  const since = first.length === 0 ? null : new Date(Math.min(...first)).toISOString();
  return { heard: first.length, since };
}

const isShort = ({ since, endedAt }: Replayed) => endedAt !== null && endedAt - since <= SHORT_MS;

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

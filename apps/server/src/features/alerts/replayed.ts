import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { type AlertKind, alertKindInfo } from '@headrace/contract/rules/alerts/alert-kinds';
import { replay, type Replayed, type ReplayPoint } from '@headrace/contract/rules/alerts/replay';
import type { Limit } from '@headrace/contract/rules/alerts/sides';
import { canWatch } from '@headrace/contract/rules/alerts/watched-devices';
import { isValidTension, soilProbes } from '@headrace/contract/rules/soil-moisture';
import { levelPercent, tankShape } from '@headrace/contract/rules/tank';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { type TriedRule, watchesDevice } from './observation.ts';
import { tankBattery } from './observers/batteries.ts';
import { limitOf } from './observers/levels.ts';
import { classOf, COMES_AND_GOES, lifeRuleOf } from './rule-life.ts';
import { sensorsOf, type StoredReading } from './trial.repo.ts';

/** What it is read from; undefined: nothing that is stored says what it would have told. */
export function metricsOf({ kind, watch, condition }: TriedRule): readonly string[] | undefined {
  if (kind === 'TankLow' || kind === 'TankHigh') return ['levelMm'];
  if (kind === 'SoilMoisture') return soilProbes.map((probe) => `${probe}Kpa`);
  // Sprinklers go by their gateways' thresholds, which aren't kept as they were; "none" by valves that were open.
  if (kind === 'LowBattery' && watch === 'tank') return ['batteryV'];
  return kind === 'Flow' && condition !== 'none' ? ['flowLpm'] : undefined;
}

/** Of batteries that of the cards. */
export const triedLimit = (rule: TriedRule): Limit =>
  rule.kind === 'LowBattery' ? tankBattery : limitOf(rule);

export const watchedBy = async (db: Db, farmId: number, rule: TriedRule): Promise<DeviceRow[]> =>
  (await sensorsOf(db, farmId)).filter(
    (device) => canWatch(rule.kind, rule.watch, device) && watchesDevice(rule, device.id),
  );

export function pointsOf(
  kind: AlertKind,
  device: DeviceRow,
  readings: readonly StoredReading[],
): ReplayPoint[] {
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

export function replayed(points: readonly ReplayPoint[], rule: TriedRule, now: Date): Replayed[] {
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

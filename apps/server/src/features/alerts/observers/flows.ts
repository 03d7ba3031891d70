import type { Side } from '@headrace/contract/rules/alerts/alert-life';
import { sideOf } from '@headrace/contract/rules/alerts/sides';
import type { FarmView } from '../farm-view.ts';
import { type Observation, type RuleRow, watchesDevice } from '../observation.ts';
import { classOf } from '../rule-life.ts';
import { limitOf } from './levels.ts';

/** Fewer that water may well be behind another meter, or just have begun. */
const WATERING_LEAST = 3;
const SECONDS = 60;

/** Meters with too much flow, too little, or none while sprinklers water. Of a silent one nothing is known. */
export async function observeFlows(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const isNone = rule.condition === 'none';
  const limit = limitOf(rule);
  const [meters, devices, units] = await Promise.all([
    view.meters(),
    view.contacts(),
    isNone ? view.units() : [],
  ]);
  const idOf = new Map(devices.map(({ uid, id }) => [uid, id]));
  // Those that said so, or of which that is believed; a plan alone opens no valve.
  const watering = units.filter(({ status }) => status.belief?.state === 'open').length;
  return meters.flatMap(({ _id, name, litresPerSecond, isOutOfContact, invalid, statusTime }) => {
    const deviceId = idOf.get(_id);
    if (deviceId === undefined || !watchesDevice(rule, deviceId)) return [];
    const value = isOutOfContact || invalid || litresPerSecond === null ? null : litresPerSecond * SECONDS;
    const seen = {
      side: isNone ? sideOfNone(value, watering) : sideOf(limit, value),
      at: statusTime === null ? view.now : Date.parse(statusTime),
      value,
      class: classOf(rule, 'important'),
    };
    return [{ deviceId, part: 0, facts: { name, ...(isNone && { watering }) }, seen: [seen] }];
  });
}

function sideOfNone(value: number | null, watering: number): Side {
  if (value === null) return 'unknown';
  return value === 0 && watering >= WATERING_LEAST ? 'in' : 'out';
}

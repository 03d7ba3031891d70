import type { Side } from '@headrace/contract/rules/alerts/alert-life';
import { sideOf } from '@headrace/contract/rules/alerts/sides';
import type { FarmView } from '../farm-view.ts';
import { type Observation, type RuleRow, watchesDevice } from '../observation.ts';
import { classOf } from '../rule-life.ts';
import { limitOf } from './levels.ts';

/** What is known to be no tank that runs dry; of what says otherwise why there is no forecast, nothing is known. */
const STAYS_FULL = [
  'A pump keeps it filled.',
  'It is filled up again and again.',
  'Its level is not falling.',
  'It is not clearly running down.',
];

/** Tanks that may be empty within so many days, by the earliest day of their forecast. */
export async function observeEmptySoon(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const limit = limitOf(rule);
  const [{ forecasts }, sensors] = await Promise.all([view.findings(), view.sensors()]);
  const idOf = new Map(sensors.map(({ device }) => [device.uid, device.id]));
  return forecasts.flatMap(({ _id, name, untilEmpty, noForecast }) => {
    const deviceId = idOf.get(_id);
    if (deviceId === undefined || !watchesDevice(rule, deviceId)) return [];
    const earliest = untilEmpty?.earliest ?? null;
    const side: Side = STAYS_FULL.includes(noForecast) ? 'out' : sideOf(limit, earliest);
    const seen = { side, at: view.now, value: earliest, class: classOf(rule, 'important') };
    return [{ deviceId, part: 0, facts: { name }, seen: [seen] }];
  });
}

import type { Seen } from '@headrace/contract/rules/alerts/alert-life';
import { sideOf } from '@headrace/contract/rules/alerts/sides';
import type { FarmView } from '../farm-view.ts';
import { type Observation, type RuleRow, watchesDevice } from '../observation.ts';
import { classOf } from '../rule-life.ts';
import { limitOf } from './levels.ts';

/** Fewer that water may well be behind another meter. */
const WATERING_LEAST = 3;
/** Until then a pump may start, and pipes fill, ms. */
const FILLS_MS = 5 * 60_000;
const SECONDS = 60;

/** Meters with too much flow, too little, or none while sprinklers water. Of a silent one nothing is known. */
export async function observeFlows(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const isNone = rule.condition === 'none';
  const limit = limitOf(rule);
  const [meters, devices, openings] = await Promise.all([
    view.meters(),
    view.contacts(),
    isNone ? openingsOf(view) : [],
  ]);
  const idOf = new Map(devices.map(({ uid, id }) => [uid, id]));
  const openAt = openings[WATERING_LEAST - 1] ?? null;
  return meters.flatMap(({ _id, name, litresPerSecond, isOutOfContact, invalid, statusTime }) => {
    const deviceId = idOf.get(_id);
    if (deviceId === undefined || !watchesDevice(rule, deviceId)) return [];
    const value = isOutOfContact || invalid || litresPerSecond === null ? null : litresPerSecond * SECONDS;
    const at = statusTime === null ? view.now : Date.parse(statusTime);
    const seen = {
      ...(isNone ? noneSince({ value, at }, openAt, view.now) : { side: sideOf(limit, value), at }),
      value,
      class: classOf(rule, 'important'),
    };
    const facts = { name, ...(isNone && { watering: openings.length }) };
    return [{ deviceId, part: 0, facts, seen: [seen] }];
  });
}

/** When each of the sprinklers opened that said so, or of which that is believed, in order; a plan alone opens no valve. Epoch ms. */
async function openingsOf(view: FarmView): Promise<number[]> {
  const units = await view.units();
  return units
    .flatMap(({ status: { belief } }) => (belief?.state === 'open' ? [belief.since ?? view.now] : []))
    .toSorted((one, other) => one - other);
}

/**
 * Since when nothing flows while sprinklers water. What a meter said before enough of them were open, or as they opened, tells nothing of
 * it. `openAt`: since when they are; null: they aren't. Epoch ms.
 */
function noneSince(
  { value, at }: { value: number | null; at: number },
  openAt: number | null,
  now: number,
): Pick<Seen, 'side' | 'at'> {
  if (value === null) return { side: 'unknown', at };
  if (value > 0) return { side: 'out', at };
  // It is over as they close, whenever the meter spoke.
  if (openAt === null) return { side: 'out', at: now };
  return at >= openAt + FILLS_MS ? { side: 'in', at: openAt } : { side: 'unknown', at };
}

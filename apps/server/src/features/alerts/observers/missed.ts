import { dayStart } from '@headrace/contract/rules/farm-time';
import { toZone } from '../../farm-clock/farm-zone.ts';
import type { FarmView } from '../farm-view.ts';
import { FARM, type Observation, type RuleRow } from '../observation.ts';
import { classOf } from '../rule-life.ts';

/** A night is told of at seven by the farm's clock, ms after midnight. */
const TOLD_MS = 7 * 3_600_000;
const DAY_MS = 86_400_000;

/**
 * The last watering that is over, by the diary's rules: groups of which more than the limit was missed or cut short. What people kept from
 * watering isn't, and of what is not known nothing is said. It goes on until a watering went as planned.
 */
export async function observeMissed(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const missed = await view.lastWatering();
  const today = dayStart(toZone(view.farm), view.now);
  const toldAt = view.now - today >= TOLD_MS ? today + TOLD_MS : today + TOLD_MS - DAY_MS;
  const isJudged = missed !== null && missed.endAt <= toldAt && toldAt - missed.endAt < DAY_MS;
  const limit = rule.value ?? 0;
  const groups = (missed?.groups ?? []).filter(({ count, of }) => (100 * count) / of > limit);
  const count = groups.reduce((sum, { count: some }) => sum + some, 0);
  const facts = { name: count === 1 ? '1 sprinkler' : `${count} sprinklers`, missed: groups };
  const seen = {
    side: isJudged ? (groups.length > 0 ? ('in' as const) : ('out' as const)) : ('between' as const),
    at: missed?.endAt ?? view.now,
    value: count,
    class: classOf(rule, 'important'),
  };
  return [{ deviceId: FARM, part: 0, facts, seen: [seen] }];
}

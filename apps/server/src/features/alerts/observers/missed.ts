import type { Timezone } from '@headrace/contract/farms';
import { addDays, clockTime, dayStart } from '@headrace/contract/rules/farm-time';
import { countText } from '@headrace/contract/rules/number-text';
import { dayText } from '../../farm-clock/day-text.ts';
import { toZone } from '../../farm-clock/farm-zone.ts';
import type { FarmView } from '../farm-view.ts';
import { dayPart, FARM, type Observation, type RuleRow } from '../observation.ts';
import { classOf } from '../rule-life.ts';

/** A night is told of at seven by the farm's clock, s after midnight. */
const NOTICE_S = 7 * 3600;
/** What was told goes on for so many days if nothing is watered… */
const GOES_ON_DAYS = 7;
/** …and ends then, also where nobody looked for some days. */
const PAST_DAYS = 14;

type Judged = Pick<Observation, 'over'> & { readonly side: 'in' | 'between' | 'out' };

/**
 * The last watering that is over, by the diary's rules: groups of which more than the limit was missed or cut short. What people kept from
 * watering isn't, and of what is not known nothing is said. Each is told by itself, in the morning after it, and goes on until the next
 * one went as planned, or was missed as well.
 */
export async function observeMissed(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const zone = toZone(view.farm);
  const today = dayStart(zone, view.now);
  const last = await view.lastWatering();
  const groups = (last?.groups ?? []).filter(({ count, of }) => (100 * count) / of > (rule.value ?? 0));
  // One of two groups is counted once, as where the diary's are counted.
  const count = new Set(groups.flatMap(({ units }) => units)).size;
  const told = last && noticeDay(zone, last.endAt);
  // One that ended since seven isn't told yet.
  const isNotified = told !== null && clockTime(zone, told, NOTICE_S) <= view.now;
  const ofNotified = (start: number): Judged => {
    if (groups.length === 0)
      return { side: 'out', over: { text: 'By late reports it went as planned.', isNotified: true } };
    // A day later it is no news any more.
    return { side: view.now < clockTime(zone, addDays(zone, start, 1), NOTICE_S) ? 'in' : 'between' };
  };
  const judged = (start: number, daysBack: number): Judged => {
    if (isNotified && start === told) return ofNotified(start);
    if (isNotified && start < told) return sinceThen(groups.length > 0, last?.isMostWatered === true);
    if (daysBack <= GOES_ON_DAYS) return { side: 'between' };
    return { side: 'out', over: { text: 'Nothing was watered since.', isNotified: false } };
  };
  return Array.from({ length: PAST_DAYS + 1 }, (_none, daysBack): Observation => {
    const start = addDays(zone, today, -daysBack);
    const { side, ...over } = judged(start, daysBack);
    const isIt = start === told;
    // What late reports say of it is so from now on.
    const at = isIt && side === 'out' ? view.now : (last?.endAt ?? view.now);
    return {
      deviceId: FARM,
      part: dayPart(dayText(zone, start)),
      facts: {
        name: countText(count, 'sprinkler'),
        missed: groups.map(({ group, count: some, of, why }) => ({ group, count: some, of, why })),
        ...(isIt && last && { missedOf: { endAt: last.endAt, sprinklers: count } }),
      },
      seen: [{ side, at, value: isIt ? count : null, class: classOf(rule, 'important') }],
      ...over,
    };
  });
}

/** When the day began in the morning of which a watering is told, epoch ms. */
function noticeDay(zone: Timezone, endAt: number): number {
  const day = dayStart(zone, endAt);
  return clockTime(zone, day, NOTICE_S) >= endAt ? day : addDays(zone, day, 1);
}

/** What an earlier one comes to by a later one. */
function sinceThen(isMissed: boolean, isMostWatered: boolean): Judged {
  if (isMissed)
    return { side: 'out', over: { text: 'Nor did the next watering go as planned.', isNotified: false } };
  return { side: isMostWatered ? 'out' : 'between' };
}

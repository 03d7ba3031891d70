import { farmClock, quantity } from '@headrace/contract/rules/alerts/alert-texts';
import type { Timezone } from '@headrace/contract/farms';
import { DAY_MS, takeDayStart } from '@headrace/contract/rules/water-take/clock';
import { type Crossing, crossedLimits, crossingsOn } from '@headrace/contract/rules/water-take/crossings';
import { toZone } from '../../farm-clock/farm-zone.ts';
import { restrictionsOf } from '../../water-takes/take-use.ts';
import type { TakenLately } from '../../water-takes/take-watch.ts';
import type { FarmView } from '../farm-view.ts';
import { FARM, type Observation, type RuleRow, takePart } from '../observation.ts';
import { classOf } from '../rule-life.ts';

/** What was told of older days ends, also where nobody looked for some days. */
const PAST_DAYS = 8;
/** Of a day, beside its limits near and over, each of which has a place of its own. */
const RATE = 6;
const ENDED = 7;
const DEGREES = ['near', 'over'] as const;
const LIMITS = { day: 'a day', sevenDays: 'seven days', year: 'the water year' } as const;

/**
 * Limits of water takes that were crossed, today or yesterday, since a meter may be heard late: each is told once, and ends with the next
 * day. Besides a rate that is above for two quarters of an hour, and what is taken after the end of a consent. Only what is known counts.
 */
export async function observeTakeLimits(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const zone = toZone(view.farm);
  const takes = await view.takenLately();
  return takes.flatMap((lately) => [
    ...ofDays(lately, rule, zone, view.now),
    rateNow(lately, rule, zone, view.now),
  ]);
}

function ofDays(lately: TakenLately, rule: RuleRow, zone: Timezone, now: number): Observation[] {
  const { take, time } = lately;
  const today = takeDayStart(time, now);
  return Array.from({ length: PAST_DAYS }, (_none, back) => today - back * DAY_MS).flatMap((day) => {
    const isPast = day < today - DAY_MS;
    const crossed = isPast ? [] : crossedOn(lately, day, rule);
    const found: Observation[] = [];
    const over = isPast ? { text: 'It was told on its day.', isTold: false } : undefined;
    const add = (which: number, fault: string | null, value: number | null, ended = over) =>
      found.push({
        deviceId: FARM,
        part: takePart(take.id, which, day),
        facts: { name: take.consentNo, fault: fault ?? '' },
        seen: [
          {
            side: fault === null ? 'out' : 'in',
            at: fault === null ? now : Math.min(lately.until, day + DAY_MS),
            value,
            class: classOf(rule, 'important'),
          },
        ],
        ...(ended && { over: ended }),
      });
    for (const [index, limit] of crossedLimits.entries())
      for (const [place, degree] of DEGREES.entries()) {
        const one = crossed.find((known) => known.limit === limit && known.degree === degree);
        add(
          index * DEGREES.length + place,
          one ? crossingText(one, lately, { isToday: day === today, zone, now }) : null,
          one && one.most > 0 ? (100 * one.value) / one.most : null,
          degree === 'near' && crossed.some((known) => known.limit === limit && known.degree === 'over')
            ? { text: 'It is above the limit.', isTold: false }
            : over,
        );
      }
    const m3 = lately.days.find(({ at }) => at === day)?.m3 ?? 0;
    const isAfterEnd = !isPast && day === today && lately.hasEnded && m3 > 0;
    add(
      ENDED,
      isAfterEnd ? `${quantity(m3, 'm³')} were taken today, though its consent is over.` : null,
      null,
    );
    return found;
  });
}

const crossedOn = ({ take, time, days, accuracy }: TakenLately, day: number, rule: RuleRow) =>
  crossingsOn(day, days, take, {
    near: (rule.value ?? 0) / 100,
    accuracy,
    time,
    restrictions: restrictionsOf(take),
  });

/** "1500 m³ of the 1728 m³ of a day are used (87 %), as of 14:30. At the rate of now the limit is reached at 16:40." */
function crossingText(
  { limit, degree, value, most, isWhole, isWithinAccuracy, isRestricted }: Crossing,
  { until, reachedAt }: TakenLately,
  { isToday, zone, now }: { isToday: boolean; zone: Timezone; now: number },
): string {
  const used = `${isWhole ? '' : 'at least '}${quantity(value, 'm³')}`;
  const may = `${quantity(most, 'm³')} of ${LIMITS[limit]}${isRestricted ? ', as it is restricted,' : ''}`;
  const asOf = isToday ? `as of ${farmClock(zone, until, now)}` : 'yesterday';
  if (degree === 'over')
    return `${used} were taken, above the ${may} ${asOf}${isWithinAccuracy ? ', by less than the meter may be wrong' : ''}.`;
  const then = reachedAt[limit];
  const at =
    then && isToday
      ? ` At the rate of now the limit is reached at ${farmClock(zone, Date.parse(then), now)}.`
      : '';
  return `${used} of the ${may} are used (${Math.floor((100 * value) / most)} %), ${asOf}.${at}`;
}

/** Above while both of the last two quarters are; of a silent meter nothing is known. */
function rateNow({ take, rate }: TakenLately, rule: RuleRow, zone: Timezone, now: number): Observation {
  const above = rate?.above ?? [];
  const [first] = above;
  const isAbove = first !== undefined && above.length > 1;
  const value = isAbove ? Math.min(...above.map((one) => one.value)) : null;
  return {
    deviceId: FARM,
    part: takePart(take.id, RATE, 0),
    facts: { name: take.consentNo, fault: first && value !== null ? rateText(first, value, zone, now) : '' },
    seen: [
      {
        side: rate === null ? 'unknown' : isAbove ? 'in' : first ? 'between' : 'out',
        at: rate?.at ?? now,
        value: first && value !== null && first.most > 0 ? (100 * value) / first.most : null,
        class: classOf(rule, 'important'),
      },
    ],
  };
}

function rateText(
  { at, most, isRestricted }: { at: number; most: number; isRestricted: boolean },
  value: number,
  zone: Timezone,
  now: number,
): string {
  const since = `${quantity(value, 'L/s')} were taken in the half hour to ${farmClock(zone, at + 900_000, now)}`;
  if (most === 0) return `${since}, though nothing may be taken now.`;
  return `${since}, above the ${quantity(most, 'L/s')} that may be${isRestricted ? ' as it is restricted' : ''}.`;
}

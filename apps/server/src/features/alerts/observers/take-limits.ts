import { farmClock, quantity } from '@headrace/contract/rules/alerts/alert-texts';
import type { Timezone } from '@headrace/contract/farms';
import { DAY_MS, takeDayStart, waterYearStart } from '@headrace/contract/rules/water-take/clock';
import { type Crossing, crossedLimits, crossingsOn } from '@headrace/contract/rules/water-take/crossings';
import { consentTime } from '@headrace/contract/rules/water-take/limits';
import { toZone } from '../../farm-clock/farm-zone.ts';
import { restrictionsOf } from '@headrace/contract/rules/water-take/use-now';
import { LATELY_DAYS, type TakenLately } from '../../water-takes/take-watch.ts';
import type { FarmView } from '../farm-view.ts';
import { FARM, type Observation, type RuleRow, takePart } from '../observation.ts';
import { classOf } from '../rule-life.ts';

/** What was told of older days ends, also where nobody looked for some days. */
const ENDED_DAYS = 12;
/** What is told of a water year is told once in it. */
const NOTIFIED_MS = 380 * DAY_MS;
/** Of a day, beside its limits near and over, each of which has a place of its own. */
const RATE = 6;
const ENDED = 7;
const DEGREES = ['near', 'over'] as const;
const LIMITS = { day: 'a day', sevenDays: 'seven days', year: 'the water year' } as const;
const WAS_NOTIFIED = { text: 'It was told on its day.', isNotified: false };
const IS_ABOVE = { text: 'It is above the limit.', isNotified: false };

/** Each limit, near and over. */
const PLACES = crossedLimits.flatMap((limit, index) =>
  DEGREES.map((degree, place) => ({ limit, degree, which: index * DEGREES.length + place })),
);

interface Look {
  readonly lately: TakenLately;
  readonly rule: RuleRow;
  readonly zone: Timezone;
  readonly now: number;
  readonly today: number;
  /** When each part was last told, epoch ms. */
  readonly told: ReadonlyMap<number, number>;
}

/**
 * Limits of water takes that were crossed today or yesterday, and those of the days before that nobody was told: a gateway may be off for
 * a weekend, or this server. Each is told once, and ends with the next day; of the water year, once in it. Besides a rate that is above
 * for two quarters of an hour, and what is taken after the end of a consent. Only what is known counts.
 */
export async function observeTakeLimits(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const takes = await view.takenLately();
  if (takes.length === 0) return [];
  const told = await view.noticesOfFarm(rule.id, new Date(view.now - NOTIFIED_MS));
  const zone = toZone(view.farm);
  return takes.flatMap((lately) => {
    const today = takeDayStart(lately.time, view.now);
    const look = { lately, rule, zone, now: view.now, today, told };
    const days = Array.from({ length: ENDED_DAYS }, (_none, back) => today - back * DAY_MS);
    return [...days.flatMap((day) => ofDay(look, day)), rateNow(lately, rule, zone, view.now)];
  });
}

function ofDay(look: Look, day: number): Observation[] {
  const { lately, today } = look;
  const year = waterYearStart(lately.time, day);
  const isEndOfYear = day === today || waterYearStart(lately.time, day + DAY_MS) !== year;
  const isKnown = day > today - LATELY_DAYS * DAY_MS;
  const crossed = new Map(isKnown ? crossedOn(lately, day, look.rule).map((one) => [one.limit, one]) : []);
  const found = PLACES.filter(({ limit }) => limit !== 'year' || isEndOfYear).map(
    ({ limit, degree, which }) => {
      const one = crossed.get(limit);
      const isSo = one?.degree === degree && (limit === 'year' || degree === 'over' || isFresh(look, day));
      return observation(look, day, {
        which,
        since: limit === 'year' ? year : day,
        fault: isSo ? crossingText(one, look, day) : null,
        value: isSo && one.most > 0 ? (100 * one.value) / one.most : null,
        over: one?.degree === 'over' && degree === 'near' ? IS_ABOVE : WAS_NOTIFIED,
      });
    },
  );
  const m3 = lately.days.find(({ at }) => at === day)?.m3 ?? 0;
  const isAfterEnd = isKnown && day >= consentTime(lately.take, lately.time)[1] && m3 > 0;
  const taken = `${quantity(m3, 'm³')} were taken ${dayText(look, day)}, though its consent is over.`;
  const fault = isAfterEnd ? taken : null;
  return [
    ...found,
    observation(look, day, { which: ENDED, since: day, fault, value: null, over: WAS_NOTIFIED }),
  ];
}

const isFresh = ({ today }: Look, day: number) => day >= today - DAY_MS;

/** What is so of a day, or of a water year (`since`): what was told of it, on another day than the last two, is told no more. */
function observation(
  look: Look,
  day: number,
  {
    which,
    since,
    fault,
    value,
    over,
  }: {
    which: number;
    since: number;
    fault: string | null;
    value: number | null;
    over: NonNullable<Observation['over']>;
  },
): Observation {
  const { lately, rule, now, today } = look;
  const part = takePart(lately.take.id, which, since);
  const notifiedAt = look.told.get(part) ?? -Infinity;
  const isTodays = since === day ? isFresh(look, day) : notifiedAt >= today - DAY_MS;
  const isNews = isTodays || notifiedAt < since;
  const isSo = fault !== null && isNews;
  return {
    deviceId: FARM,
    part,
    facts: { name: lately.take.consentNo, fault: fault ?? '' },
    seen: [
      {
        side: isSo ? 'in' : 'out',
        at: isSo ? Math.min(lately.until, day + DAY_MS) : now,
        value: isSo ? value : null,
        class: classOf(rule, 'important'),
      },
    ],
    ...((since !== day || !isFresh(look, day) || over === IS_ABOVE) && { over }),
  };
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
  look: Look,
  day: number,
): string {
  const { lately, zone, now, today } = look;
  const used = `${isWhole ? '' : 'at least '}${quantity(value, 'm³')}`;
  const may = `${quantity(most, 'm³')} of ${LIMITS[limit]}${isRestricted ? ', as it is restricted,' : ''}`;
  const asOf = day === today ? `as of ${farmClock(zone, lately.until, now)}` : dayText(look, day);
  if (degree === 'over')
    return `${used} were taken, above the ${may} ${asOf}${isWithinAccuracy ? ', by less than the meter may be wrong' : ''}.`;
  const then = day === today ? lately.reachedAt[limit] : null;
  const at = then
    ? ` At the rate of now the limit is reached at ${farmClock(zone, Date.parse(then), now)}.`
    : '';
  return `${used} of the ${may} are used (${Math.floor((100 * value) / most)} %), ${asOf}.${at}`;
}

/** today, yesterday, or "on Sat 21 Nov": by the clock of the farm, noon is on that day in every zone. */
function dayText({ zone, today }: Look, day: number): string {
  if (day === today) return 'today';
  if (day === today - DAY_MS) return 'yesterday';
  return `on ${farmClock(zone, day + DAY_MS / 2, day + 3 * DAY_MS).replace(/, .*$/, '')}`;
}

/** Above while both of the last two quarters are; of a silent meter nothing is known. */
function rateNow({ take, rate }: TakenLately, rule: RuleRow, zone: Timezone, now: number): Observation {
  const above = rate?.above ?? [];
  const [first] = above;
  const isAbove = first !== undefined && above.length > 1;
  const value = isAbove ? Math.min(...above.map((one) => one.value)) : null;
  const isLeast = above.some(({ isWhole }) => !isWhole);
  return {
    deviceId: FARM,
    part: takePart(take.id, RATE, 0),
    facts: {
      name: take.consentNo,
      fault: first && value !== null ? rateText(first, { value, isLeast }, zone, now) : '',
    },
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
  { value, isLeast }: { value: number; isLeast: boolean },
  zone: Timezone,
  now: number,
): string {
  const since = `${isLeast ? 'at least ' : ''}${quantity(value, 'L/s')} were taken in the half hour to ${farmClock(zone, at + 900_000, now)}`;
  if (most === 0) return `${since}, though nothing may be taken now.`;
  return `${since}, above the ${quantity(most, 'L/s')} that may be${isRestricted ? ' as it is restricted' : ''}.`;
}

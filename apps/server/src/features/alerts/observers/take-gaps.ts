import { farmClock } from '@headrace/contract/rules/alerts/alert-texts';
import type { Timezone } from '@headrace/contract/farms';
import { addDays, clockTime, dayStart } from '@headrace/contract/rules/farm-time';
import { DAY_MS, standardTime, takeDayStart } from '@headrace/contract/rules/water-take/clock';
import { toZone } from '../../farm-clock/farm-zone.ts';
import type { TakeMissing } from '../../water-takes/take-watch.ts';
import type { FarmView } from '../farm-view.ts';
import { FARM, type Observation, type RuleRow, takePart } from '../observation.ts';
import { classOf } from '../rule-life.ts';

/** Looked at by the farm's clock, s after midnight: until the end of the day something can be done. */
const LOOKED_AT_S = 18 * 3600;
const QUARTERS = 96;
const PAST_DAYS = 8;

/**
 * What is missing of the day before, each day at six in the evening: where a meter is silent still, or not even the total of the time is
 * known, and nobody has noted why. What its counter will tell by itself, nobody needs to do anything about. Silent is what was so at six
 * and has said nothing since: later looks of that day find what that one would have, and those of the next day only its end.
 */
export async function observeTakeGaps(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const zone = toZone(view.farm);
  const time = standardTime(zone);
  const asOf = lookedAt(zone, view.now);
  const day = takeDayStart(time, asOf) - DAY_MS;
  const takes = await view.takesMissing(day, asOf);
  // Who is woken at night can do nothing about the day before yesterday.
  const begins = asOf >= dayStart(zone, view.now) ? ('in' as const) : ('between' as const);
  return takes.flatMap((missing) => {
    const fault = faultOf(missing, zone, day, view.now);
    const base = { deviceId: FARM, facts: { name: missing.take.consentNo, fault: fault ?? '' } };
    const seen = { at: view.now, value: null, class: classOf(rule, 'important') };
    return [
      {
        ...base,
        part: takePart(missing.take.id, 0, day),
        seen: [{ ...seen, side: fault === null ? ('out' as const) : begins }],
        ...(fault === null && { over: overBy(missing) }),
      },
      ...Array.from({ length: PAST_DAYS }, (_none, back) => ({
        ...base,
        part: takePart(missing.take.id, 0, day - (back + 1) * DAY_MS),
        seen: [{ ...seen, side: 'out' as const }],
        over: { text: 'It was told on its day.', isNotified: false },
      })),
    ];
  });
}

/** The last time that it was six in the evening. */
function lookedAt(zone: Timezone, now: number): number {
  const today = dayStart(zone, now);
  const at = clockTime(zone, today, LOOKED_AT_S);
  return at <= now ? at : clockTime(zone, addDays(zone, today, -1), LOOKED_AT_S);
}

/** Null: nothing that anybody can do something about. */
function faultOf(
  { rows, unexplained, unknown, silent }: TakeMissing,
  zone: Timezone,
  day: number,
  now: number,
): string | null {
  if (unexplained === 0) return null;
  // By the clock of the farm, noon is on that day in every zone.
  const on = farmClock(zone, day + DAY_MS / 2, now + 3 * DAY_MS).replace(/, .*$/, '');
  const are = `${rows} of ${QUARTERS} quarters of an hour of ${on} ${rows === 1 ? 'is' : 'are'} missing`;
  if (silent.length > 0) return `${are}, and ${silent.map((one) => silence(one, zone, now)).join(', ')}.`;
  return unknown > 0 ? `${are}, and not even what was taken in all is known.` : null;
}

const silence = ({ device, since }: TakeMissing['silent'][number], zone: Timezone, now: number) =>
  since === null
    ? `${device} has said nothing since then`
    : `${device} has said nothing since ${farmClock(zone, since, now)}`;

function overBy({ rows, unexplained }: TakeMissing): { text: string; isNotified: boolean } {
  if (rows === 0) return { text: 'What was missing has come.', isNotified: true };
  if (unexplained === 0) return { text: 'Why it is missing was noted.', isNotified: false };
  return { text: 'Its meter speaks again: the total is known, the quarters stay missing.', isNotified: true };
}

import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { clockTime, dayStart } from './farm-time.ts';

/**
 * Against Temporal, whose rule `compatible` is the field's: a time that a change skips is later by the skip, of a doubled one the first
 * holds. Every five minutes of the days around each change, and three times of every other day, from 2024 to 2035.
 */
const zoneIds = Intl.supportedValuesOf('timeZone').filter((id) =>
  /^(Australia\/|Pacific\/(Auckland|Chatham)$|Antarctica\/Macquarie$)/.test(id),
);
const FIVE_MINUTES = Array.from({ length: 288 }, (_, step) => step * 5);
const FEW = [0, 150, 1439];

/** Minutes of the day whose moment is another than Temporal's. */
function wrongOn(timeZoneId: string, day: Temporal.PlainDate, minutes: readonly number[]): string[] {
  const zone = { timeZoneId, rawOffset: 0, dstOffset: 0, dstEnabled: true };
  const midnight = dayStart(
    zone,
    day.toZonedDateTime({ timeZone: timeZoneId, plainTime: '12:00' }).epochMilliseconds,
  );
  return minutes.flatMap((minute) => {
    const plainTime = new Temporal.PlainTime(Math.floor(minute / 60), minute % 60);
    const theirs = day.toZonedDateTime({ timeZone: timeZoneId, plainTime }).epochMilliseconds;
    const ours = clockTime(zone, midnight, minute * 60);
    return ours === theirs ? [] : [`${day.toString()} ${plainTime.toString()}: ${ours}, not ${theirs}`];
  });
}

it.each(zoneIds)('%s: clocks are as Temporal reads them', (timeZoneId) => {
  const wrong: string[] = [];
  const end = Temporal.PlainDate.from('2036-01-01');
  for (let day = Temporal.PlainDate.from('2024-01-01'); !day.equals(end); day = day.add({ days: 1 })) {
    const isChange = day.toZonedDateTime(timeZoneId).hoursInDay !== 24;
    wrong.push(...wrongOn(timeZoneId, day, isChange ? FIVE_MINUTES : FEW));
  }
  expect(wrong).toEqual([]);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Timezone } from '@headrace/contract/farms';
import { bucketRange, bucketStart, type Span } from './buckets.ts';

const zone = (timeZoneId: string, rawHours: number, dstHours = 1, dstEnabled = true): Timezone => ({
  timeZoneId,
  rawOffset: rawHours * 3600,
  dstOffset: dstHours * 3600,
  dstEnabled,
});
const auckland = zone('Pacific/Auckland', 12);
const chatham = zone('Pacific/Chatham', 12.75);
const lordHowe = zone('Australia/Lord_Howe', 10.5, 0.5);

/** Worked out by hand from the clocks' published changes; all in UTC. */
const nights: [string, Timezone, Span, string, string, string, string][] = [
  // 27 Sep 2026 02:00 becomes 03:00 in New Zealand (26 Sep 14:00 UTC): a day of 23 hours.
  [
    'NZ spring',
    auckland,
    'day',
    '2026-09-26T20:00Z',
    '2026-09-26T12:00Z',
    '2026-09-26T12:00Z',
    '2026-09-27T11:00Z',
  ],
  [
    'NZ spring',
    auckland,
    'hour',
    '2026-09-26T14:10Z',
    '2026-09-26T14:00Z',
    '2026-09-26T14:00Z',
    '2026-09-26T15:00Z',
  ],
  // 4 Apr 2027 03:00 becomes 02:00 again (3 Apr 14:00 UTC): 25 hours, and two that are called 02:00.
  [
    'NZ autumn',
    auckland,
    'day',
    '2027-04-04T11:59Z',
    '2027-04-03T11:00Z',
    '2027-04-03T11:00Z',
    '2027-04-04T12:00Z',
  ],
  [
    'NZ autumn',
    auckland,
    'hour',
    '2027-04-03T13:30Z',
    '2027-04-03T13:00Z',
    '2027-04-03T13:00Z',
    '2027-04-03T14:00Z',
  ],
  [
    'NZ autumn',
    auckland,
    'hour',
    '2027-04-03T14:30Z',
    '2027-04-03T14:00Z',
    '2027-04-03T14:00Z',
    '2027-04-03T15:00Z',
  ],
  // The Chathams change with them, at 02:45: hours begin at a quarter past, UTC.
  [
    'Chatham spring',
    chatham,
    'hour',
    '2026-09-26T13:30Z',
    '2026-09-26T13:15Z',
    '2026-09-26T13:15Z',
    '2026-09-26T14:15Z',
  ],
  [
    'Chatham spring',
    chatham,
    'day',
    '2026-09-26T14:05Z',
    '2026-09-26T11:15Z',
    '2026-09-26T11:15Z',
    '2026-09-27T10:15Z',
  ],
  [
    'Chatham autumn',
    chatham,
    'day',
    '2027-04-03T14:05Z',
    '2027-04-03T10:15Z',
    '2027-04-03T10:15Z',
    '2027-04-04T11:15Z',
  ],
  // Lord Howe moves by half an hour. 4 Oct 2026 02:00 becomes 02:30 (3 Oct 15:30 UTC): half of hour 02 is left out.
  [
    'Lord Howe spring',
    lordHowe,
    'hour',
    '2026-10-03T15:29Z',
    '2026-10-03T14:30Z',
    '2026-10-03T14:30Z',
    '2026-10-03T15:30Z',
  ],
  [
    'Lord Howe spring',
    lordHowe,
    'hour',
    '2026-10-03T15:31Z',
    '2026-10-03T15:00Z',
    '2026-10-03T15:30Z',
    '2026-10-03T16:00Z',
  ],
  [
    'Lord Howe spring',
    lordHowe,
    'day',
    '2026-10-03T20:00Z',
    '2026-10-03T13:30Z',
    '2026-10-03T13:30Z',
    '2026-10-04T13:00Z',
  ],
  // 4 Apr 2027 02:00 becomes 01:30 (3 Apr 15:00 UTC): the half hour from 01:30 comes twice.
  [
    'Lord Howe autumn',
    lordHowe,
    'hour',
    '2027-04-03T14:45Z',
    '2027-04-03T14:00Z',
    '2027-04-03T14:00Z',
    '2027-04-03T15:00Z',
  ],
  [
    'Lord Howe autumn',
    lordHowe,
    'hour',
    '2027-04-03T15:15Z',
    '2027-04-03T14:30Z',
    '2027-04-03T15:00Z',
    '2027-04-03T15:30Z',
  ],
  [
    'Lord Howe autumn',
    lordHowe,
    'day',
    '2027-04-03T15:15Z',
    '2027-04-03T13:00Z',
    '2027-04-03T13:00Z',
    '2027-04-04T13:30Z',
  ],
  // Without daylight saving the clock stays where it is.
  [
    'NZ, no change',
    zone('Pacific/Auckland', 12, 1, false),
    'day',
    '2026-12-01T12:30Z',
    '2026-12-01T12:00Z',
    '2026-12-01T12:00Z',
    '2026-12-02T12:00Z',
  ],
];

describe('a bucket of the farm', () => {
  it.each(nights)('%s: %s %s that holds %s', (_name, farm, span, at, start, from, to) => {
    const range = bucketRange(farm, span, Date.parse(at));
    const text = (time: number) => new Date(time).toISOString().replace(':00.000', '');
    expect([range.start, range.from, range.to].map(text)).toEqual([start, from, to]);
  });

  it('holds exactly the times that carry its name', () => {
    const times = fc.integer({ min: Date.parse('2026-09-20Z'), max: Date.parse('2027-04-10Z') });
    fc.assert(
      fc.property(
        fc.constantFrom(auckland, chatham, lordHowe),
        fc.constantFrom<Span>('hour', 'day'),
        times,
        (farm, span, at) => {
          const { start, from, to } = bucketRange(farm, span, at);
          expect(from <= at && at < to).toBe(true);
          const names = [from, to - 1, from - 1, to].map((time) => bucketStart(farm, span, time) === start);
          expect(names).toEqual([true, true, false, false]);
        },
      ),
    );
  });
});

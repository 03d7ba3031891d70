import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Timezone } from '../farms.ts';
import { type FlowHourMean, type Night, nightFall, nightFlow, nightsBefore } from './leak-watch.ts';
import type { Rolled } from './rolled.ts';

const HOUR = 3_600_000;
const zone: Timezone = {
  timeZoneId: 'Pacific/Auckland',
  rawOffset: 43_200,
  dstOffset: 3600,
  dstEnabled: true,
};
/** 10:00 on Saturday 21 November 2026 on the farm. */
const now = Date.parse('2026-11-20T21:00:00Z');
const nights = nightsBefore(zone, now);
const iso = ({ from, to }: Night) => [from, to].map((at) => new Date(at).toISOString());

describe('the nights that are looked at', () => {
  it('are the last seven that are over, from 02:00 to 06:00 on the farm', () => {
    expect(nights).toHaveLength(7);
    expect(iso(nights[0] as Night)).toEqual(['2026-11-20T13:00:00.000Z', '2026-11-20T17:00:00.000Z']);
    const atFive = nightsBefore(zone, Date.parse('2026-11-20T16:00:00Z'));
    expect(iso(atFive[0] as Night)).toEqual(['2026-11-19T13:00:00.000Z', '2026-11-19T17:00:00.000Z']);
  });

  it('have three hours when the clock goes forward, and five when it goes back', () => {
    // 27 September 2026, 02:00 NZST becomes 03:00 NZDT at 14:00Z; 5 April 2026, 03:00 NZDT becomes 02:00 NZST at 14:00Z.
    const spring = nightsBefore(zone, Date.parse('2026-09-26T20:00:00Z'))[0] as Night;
    expect(iso(spring)).toEqual(['2026-09-26T14:00:00.000Z', '2026-09-26T17:00:00.000Z']);
    const autumn = nightsBefore(zone, Date.parse('2026-04-04T22:00:00Z'))[0] as Night;
    expect(iso(autumn)).toEqual(['2026-04-04T13:00:00.000Z', '2026-04-04T18:00:00.000Z']);
  });

  it('are right on farms at half hours', () => {
    const adelaide = { ...zone, timeZoneId: 'Australia/Adelaide', rawOffset: 34_200 };
    // 02:00 in Adelaide's summer (+10:30) is 15:30Z.
    expect(iso(nightsBefore(adelaide, now)[0] as Night)).toEqual([
      '2026-11-20T15:30:00.000Z',
      '2026-11-20T19:30:00.000Z',
    ]);
  });
});

/** Four hours of each night with these least flows, L/min, newest night first; null: silent. */
const flows = (least: readonly (number | null)[], readings = 4): FlowHourMean[] =>
  least.flatMap((rate, index) => {
    const night = nights[index];
    if (!night || rate === null) return [];
    const hours = [0, 1, 2, 3].map((hour) => night.from + hour * HOUR);
    return hours.map((at) => ({ at, readings, least: rate, mean: rate + 0.2 }));
  });
/** At noon water is used at 40 L/min. */
const noon = nights.map(({ from }) => ({ at: from - 14 * HOUR, readings: 4, least: 0, mean: 40 }));
const flowSigns = (least: readonly (number | null)[], drawn: Night[] = [], readings = 4) =>
  nightFlow([...noon, ...flows(least, readings)], nights, drawn, now);

describe('water that flows all night', () => {
  it('is told with its litres since the first of the nights in a row', () => {
    // 0.6, 0.8, 0.7 L/min: the median is 0.7, 42 L an hour. Since 02:00 on 19 November (13:00Z on the 18th): 56 h, 2,352 L.
    expect(flowSigns([0.6, 0.8, 0.7, 0, 0.5])).toEqual({
      kind: 'night-flow',
      since: '2026-11-18T13:00:00.000Z',
      litresPerHour: 42,
      litresSoFar: 2352,
      confidence: 'medium',
      basis: 'It flowed without a stop between 02:00 and 06:00 in 3 nights, by about 42 L an hour.',
    });
    // 184.2 L an hour, which the tank's card and the alert tell as about 180 as well.
    expect(flowSigns([3.07, 3.07, 3.07])?.basis).toContain('by about 180 L an hour');
  });

  it('is told with more confidence by each night, and of all seven as perhaps longer', () => {
    expect(flowSigns([1, 0])?.confidence).toBe('low');
    expect(flowSigns([1, 1, 1, 1, 0])?.confidence).toBe('high');
    expect(flowSigns([1, 1, 1, 1, 1, 1, 1])?.basis).toContain('in 7 nights, perhaps longer');
  });

  it('is no sign once the newest night had none', () => {
    expect(flowSigns([0, 1, 1, 1])).toBeNull();
    expect(flowSigns([])).toBeNull();
  });

  it('is none of a meter that stands still by day, as where sprinklers run by night', () => {
    const still = (night: number, hoursLater: number, readings = 4) => ({
      at: (nights[night]?.to ?? 0) + hoursLater * HOUR,
      readings,
      least: 0,
      mean: 0,
    });
    const flow = [...noon, ...flows([1000, 1000, 1000, 1000])];
    expect(nightFlow([...flow, still(0, 2), still(1, 2)], nights, [], now)).toBeNull();
    // Nothing is known of this morning: of the nights before yesterday's standstill none counts.
    expect(nightFlow([...flow, still(1, 2)], nights, [], now)).toMatchObject({
      since: '2026-11-20T13:00:00.000Z',
      litresPerHour: 60_000,
      litresSoFar: 480_000,
      confidence: 'low',
    });
    // In the evening nobody may draw.
    expect(nightFlow([...flow, still(1, 13)], nights, [], now)?.since).toBe('2026-11-17T13:00:00.000Z');
    // A single reading an hour says nothing of it.
    expect(nightFlow([...flow, still(0, 2, 1)], nights, [], now)?.since).toBe('2026-11-17T13:00:00.000Z');
  });

  it('is passed over in nights of which too little is known', () => {
    expect(flowSigns([null, 1, null, 1, 0])?.since).toBe('2026-11-17T13:00:00.000Z');
    expect(flowSigns([1, 1], [], 1)).toBeNull();
    const twoHours = flows([1]).slice(0, 2);
    expect(nightFlow(twoHours, nights, [], now)).toBeNull();
  });

  it('is doubted when a pump ran, or when it flows as by day', () => {
    const pumped = flowSigns([1, 1, 1, 1, 0], nights.slice(1, 2));
    expect(pumped?.confidence).toBe('low');
    expect(pumped?.basis).toMatch(/But a pump or valve ran in 1 night of these\.$/);
    expect(flowSigns([30, 30, 30, 30])).toMatchObject({ confidence: 'low' });
    expect(flowSigns([30, 30, 30, 30])?.basis).toMatch(/by day it hardly flows more\.$/);
  });
});

/** 2,500 mm hold 25,000 L. */
const shape = { offset: 0, height: 3000, toplevel: 2500, volume: 25_000 };
/** Nights with four hours that fall by so many mm from 02:05 to 05:50, newest first. */
const falls = (mm: readonly (number | null)[], start = 1500): Rolled[] =>
  mm.flatMap((fall, index) => {
    const night = nights[index];
    if (!night || fall === null) return [];
    return [0, 1, 2, 3].map((hour): Rolled => {
      const at = night.from + hour * HOUR;
      // As time goes by: 45 of the 225 minutes lie within an hour, 60 between one and the next.
      const first = start - (fall * hour * 60) / 225;
      const last = start - (fall * (hour * 60 + 45)) / 225;
      const [min, max] = [Math.min(first, last), Math.max(first, last)];
      const times = { firstAt: at + 5 * 60_000, lastAt: at + 50 * 60_000 };
      return {
        at,
        n: 4,
        min,
        max,
        sum: 2 * (first + last),
        falls: 0,
        rises: 0,
        ...times,
        firstValue: first,
        lastValue: last,
      };
    });
  });
const fallSigns = (mm: readonly (number | null)[], drawn: Night[] = []) =>
  nightFall(shape, falls(mm), nights, drawn, now);

describe('a level that falls by night', () => {
  it('of three nights in a row is told with its litres', () => {
    // 15 mm are 150 L in the 3.75 h from 02:05 to 05:50: 40 L an hour; 56 h since the first of them: 2,240 L.
    expect(fallSigns([15, 15, 15, 0])).toEqual({
      kind: 'night-fall',
      since: '2026-11-18T13:00:00.000Z',
      litresPerHour: 40,
      litresSoFar: 2240,
      confidence: 'medium',
      basis: 'The level fell between 02:00 and 06:00 in 3 nights, by about 40 L an hour.',
    });
  });

  it('of one night is told from 2 % on, as on the card', () => {
    expect(fallSigns([50, 0])).toBeNull();
    expect(fallSigns([51, 0])).toMatchObject({ kind: 'night-fall', confidence: 'low' });
    expect(fallSigns([15, 15, 0])).toBeNull();
  });

  it('is none of 0.5 % and less, of a level that rises, or of a newest night without', () => {
    expect(fallSigns([12.5, 12.5, 12.5, 12.5])).toBeNull();
    expect(fallSigns([-60, -60, -60])).toBeNull();
    expect(fallSigns([0, 60, 60, 60])).toBeNull();
  });

  it('is none that falls in one of the hours only, as while cows are milked at five', () => {
    const milked = falls([0, 0, 0, 0]).map((row, index): Rolled => {
      // 40 mm, 400 L, from 05:05 to 05:50: what is left at each hour's end lies 40 mm lower.
      if (index % 4 !== 3) return row;
      return { ...row, min: 1460, sum: row.sum - 80, lastValue: 1460 };
    });
    expect(nightFall(shape, milked, nights, [], now)).toBeNull();
  });

  it('tells what falls all night beside what is drawn in one hour', () => {
    const milked = falls([15, 15, 15, 15]).map((row, index): Rolled => {
      if (index % 4 !== 3) return row;
      return { ...row, min: row.min - 40, sum: row.sum - 80, lastValue: row.lastValue - 40 };
    });
    expect(nightFall(shape, milked, nights, [], now)).toMatchObject({
      litresPerHour: 40,
      confidence: 'high',
    });
  });

  it('is the less certain the more nights differ: a leak runs alike, stock drink as they like', () => {
    // About the median of 15 mm the nights lie 0 off; then 3 in the mean, which is 25 % as a deviation; then 7, 58 %.
    expect(fallSigns([15, 15, 15, 15])?.confidence).toBe('high');
    expect(fallSigns([13, 20, 15, 15, 16, 13, 24])?.confidence).toBe('medium');
    expect(fallSigns([15, 45, 13, 15])?.confidence).toBe('low');
  });

  it('is doubted when a pump ran', () => {
    expect(fallSigns([15, 15, 15, 15], nights.slice(0, 1))?.confidence).toBe('low');
  });

  it('is not told without a volume, of a silent sensor, or of values that can not be', () => {
    expect(nightFall({ ...shape, volume: 0 }, falls([60, 60, 60]), nights, [], now)).toBeNull();
    expect(fallSigns([null, null])).toBeNull();
    expect(nightFall(shape, falls([60, 60, 60], 9999), nights, [], now)).toBeNull();
  });

  it('never loses less than nothing', () => {
    const mm = fc.array(fc.option(fc.integer({ min: -500, max: 500 })), { maxLength: 7 });
    fc.assert(fc.property(mm, (all) => (fallSigns(all)?.litresSoFar ?? 0) >= 0));
  });
});

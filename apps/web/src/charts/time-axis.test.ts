import { describe, expect, it } from 'vitest';
import { pointTime, shortDay, timeTicks } from './time-axis.ts';

const auckland = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
const chatham = { timeZoneId: 'Pacific/Chatham', rawOffset: 45_900, dstOffset: 3600, dstEnabled: true };
const at = (iso: string) => Date.parse(iso);
const texts = (zone: typeof auckland, from: string, to: string, most: number) =>
  timeTicks(zone, at(from), at(to), most).map(({ text }) => text);

describe('a time axis', () => {
  it("stands on the farm's whole hours, midnight as its day", () => {
    expect(texts(auckland, '2026-11-20T05:20:00Z', '2026-11-21T05:00:00Z', 5)).toEqual([
      '21 Nov',
      '06:00',
      '12:00',
      '18:00',
    ]);
  });

  it('knows clocks at three quarters', () => {
    // Chatham Islands, UTC+13:45 in summer: local midnight is 10:15 UTC.
    const ticks = timeTicks(chatham, at('2026-11-20T09:00:00Z'), at('2026-11-20T12:00:00Z'), 4);
    expect(ticks.map(({ at }) => new Date(at).toISOString().slice(11, 16))).toEqual([
      '09:15',
      '10:15',
      '11:15',
    ]);
    expect(ticks.map(({ text }) => text)).toEqual(['23:00', '21 Nov', '01:00']);
  });

  it('keeps midnights on a day of 25 hours', () => {
    const ticks = timeTicks(auckland, at('2026-04-03T11:00:00Z'), at('2026-04-07T12:00:00Z'), 8);
    expect(ticks.map(({ text }) => text)).toEqual(['4 Apr', '5 Apr', '6 Apr', '7 Apr', '8 Apr']);
    expect(ticks.map(({ at }) => new Date(at).toISOString().slice(11, 13))).toEqual([
      '11',
      '11',
      '12',
      '12',
      '12',
    ]);
  });

  it('keeps midnights on a day of 23 hours', () => {
    // The clock goes forward on 27 September: midnight moves from 12:00 to 11:00 UTC.
    const ticks = timeTicks(auckland, at('2026-09-25T12:00:00Z'), at('2026-09-29T11:00:00Z'), 7);
    expect(ticks.map(({ text }) => text)).toEqual(['26 Sep', '27 Sep', '28 Sep', '29 Sep', '30 Sep']);
    expect(ticks.map(({ at }) => new Date(at).toISOString().slice(11, 13))).toEqual([
      '12',
      '12',
      '11',
      '11',
      '11',
    ]);
  });

  it('stays on whole hours where the clock moves by half of one', () => {
    // Lord Howe Island goes back from 02:00 to 01:30 on 5 April 2026, from UTC+11 to UTC+10:30.
    const lordHowe = {
      timeZoneId: 'Australia/Lord_Howe',
      rawOffset: 37_800,
      dstOffset: 1800,
      dstEnabled: true,
    };
    const ticks = timeTicks(lordHowe, at('2026-04-04T13:00:00Z'), at('2026-04-04T18:30:00Z'), 8);
    expect(ticks.map(({ at, text }) => [new Date(at).toISOString().slice(11, 16), text])).toEqual([
      ['13:00', '5 Apr'],
      ['14:00', '01:00'],
      ['15:30', '02:00'],
      ['16:30', '03:00'],
      ['17:30', '04:00'],
      ['18:30', '05:00'],
    ]);
  });

  it('labels the repeated hour once', () => {
    // 02:00-03:00 comes twice on 5 April 2026 in New Zealand.
    const two = texts(auckland, '2026-04-04T11:00:00Z', '2026-04-04T21:00:00Z', 6).filter(
      (text) => text === '02:00',
    );
    expect(two).toHaveLength(1);
  });

  it('names months over a year, and the year at its turn', () => {
    expect(texts(auckland, '2026-06-30T12:00:00Z', '2027-02-28T11:00:00Z', 5)).toEqual([
      'Jul',
      'Sep',
      'Nov',
      'Jan 2027',
      'Mar',
    ]);
  });
});

it('tells a point by hour or by day', () => {
  expect(shortDay(auckland, at('2026-11-20T11:00:00Z'))).toBe('21 Nov');
  expect(pointTime(auckland, at('2026-11-20T11:30:00Z'), false)).toBe('21 Nov 00:30');
  expect(pointTime(auckland, at('2026-11-20T11:30:00Z'), true)).toBe('21 Nov 2026');
});

import * as fc from 'fast-check';
import { demoFarms } from '@headrace/demo/demo-farms';
import { scheduleEntries, turnsOf } from '@headrace/demo/irrigation-plan';
import type { FarmProfile } from '@headrace/demo/profile';
import { describe, expect, it, test } from 'vitest';
import { createWatering } from './irrigation.ts';
import { createLocalClock } from './local-time.ts';
import { createOffsetClock, type ClockOffset, withOffset } from './offset-clock.ts';
import { isWateringBy } from './unit-clock.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const at = (text: string) => Date.parse(text);
const iso = (time: number) => new Date(time).toISOString().replace(':00.000Z', 'Z');

type Stretch = { from: number; to: number };

/** When something was on, looked at every minute. */
function stretches(isOn: (at: number) => boolean, from: number, to: number): Stretch[] {
  const found: Stretch[] = [];
  let since: number | null = null;
  for (let now = from; now <= to; now += minuteMs) {
    const on = now < to && isOn(now);
    if (on) since ??= now;
    else if (since !== null) {
      found.push({ from: since, to: now });
      since = null;
    }
  }
  return found;
}

const zones = [
  'Pacific/Auckland',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Australia/Brisbane',
] as const;

describe('a watering at 02:30 for 45 minutes on a night when the clock changes', () => {
  it.each([
    // 02:00 becomes 03:00; 03:00 becomes 02:00.
    ['Pacific/Auckland', '2026-09-26T12:00Z', '2026-09-26T14:00Z'],
    ['Pacific/Auckland', '2026-04-04T11:00Z', '2026-04-04T13:30Z'],
    ['Australia/Sydney', '2026-10-03T14:00Z', '2026-10-03T16:00Z'],
    ['Australia/Sydney', '2026-04-04T13:00Z', '2026-04-04T15:30Z'],
    // 02:00 becomes 02:30, and 02:00 becomes 01:30.
    ['Australia/Lord_Howe', '2026-10-03T13:30Z', '2026-10-03T15:30Z'],
    ['Australia/Lord_Howe', '2026-04-04T13:00Z', '2026-04-04T16:00Z'],
    // 02:45 becomes 03:45, and 03:45 becomes 02:45.
    ['Pacific/Chatham', '2026-09-26T11:15Z', '2026-09-26T13:45Z'],
    ['Pacific/Chatham', '2026-04-04T10:15Z', '2026-04-04T12:45Z'],
  ])('in %s, the day that begins at %s: once, from %s', (zone, midnight, expected) => {
    const schedule = { entries: [{ start: 150, duration: 45, cycle: 1 }], cycleLength: 1 };
    const local = createLocalClock(zone);
    const day = stretches((now) => isWateringBy(schedule, local, now), at(midnight), at(midnight) + dayMs);
    expect(day.map(({ from, to }) => [iso(from), (to - from) / minuteMs])).toEqual([[expected, 45]]);
  });

  it.each([
    ['Australia/Lord_Howe', 135, '2026-10-03T13:30Z', '2026-10-03T15:30Z'],
    ['Australia/Lord_Howe', 105, '2026-04-04T13:00Z', '2026-04-04T14:45Z'],
    ['Pacific/Chatham', 195, '2026-09-26T11:15Z', '2026-09-26T14:00Z'],
    ['Pacific/Chatham', 195, '2026-04-04T10:15Z', '2026-04-04T13:30Z'],
  ])('and in %s at minute %d: once, from the right moment', (zone, start, midnight, expected) => {
    const schedule = { entries: [{ start, duration: 20, cycle: 1 }], cycleLength: 1 };
    const local = createLocalClock(zone);
    const day = stretches((now) => isWateringBy(schedule, local, now), at(midnight), at(midnight) + dayMs);
    expect(day.map(({ from, to }) => [iso(from), (to - from) / minuteMs])).toEqual([[expected, 20]]);
  });
});

describe('a unit goes by the offset that its gateway was told', () => {
  const zone = createLocalClock('Pacific/Auckland');
  const nzst = { from: at('2027-09-01T00:00Z'), offsetMs: 12 * 60 * minuteMs };
  const nzdt = { from: at('2027-09-25T14:01Z'), offsetMs: 13 * 60 * minuteMs };
  const schedule = (start: number) => ({ entries: [{ start, duration: 45, cycle: 1 }], cycleLength: 1 });
  const begins = (start: number, told: readonly ClockOffset[]) =>
    stretches(
      (now) => isWateringBy(schedule(start), createOffsetClock(zone, () => told)(), now),
      at('2027-09-25T12:00Z'),
      at('2027-09-26T12:00Z'),
    ).map(({ from, to }) => [iso(from), (to - from) / minuteMs]);

  it.each([
    ['05:00 by a gateway that nobody told of daylight saving', 300, [nzst], '2027-09-25T17:00Z'],
    ['05:00 by one that was', 300, [nzst, nzdt], '2027-09-25T16:00Z'],
    ['02:30, in the hour that is skipped: when it is told', 150, [nzst, nzdt], '2027-09-25T14:01Z'],
    ['05:00 by one that was never told anything', 300, [], '2027-09-25T16:00Z'],
  ])('%s', (_what, start, told, expected) => {
    expect(begins(start, told)).toEqual([[expected, 45]]);
  });

  it('and keeps the same list where it is told the same again', () => {
    const told = withOffset([nzst], nzdt);
    expect(told).toEqual([nzst, nzdt]);
    expect(withOffset(told, { ...nzdt, from: nzdt.from + dayMs })).toBe(told);
  });
});

describe('over any weeks, in any zone', () => {
  /** Weeks round the changes of 2026, and one without. */
  const weeks = fc.constantFrom('2026-03-31', '2026-04-01', '2026-09-22', '2026-09-30', '2026-06-10');
  const entry = fc.record({
    start: fc.integer({ min: 0, max: 1439 }),
    duration: fc.integer({ min: 1, max: 600 }),
  });

  it('a watering begins once on each day of its cycle, and lasts its minutes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        weeks,
        entry,
        fc.integer({ min: 1, max: 4 }),
        (zone, from, one, cycleLength) => {
          const local = createLocalClock(zone);
          const schedule = { entries: [{ ...one, cycle: 1 }], cycleLength };
          const begin = at(from);
          const found = stretches((now) => isWateringBy(schedule, local, now), begin, begin + 8 * dayMs);
          // The first and the last may be cut off by our looking.
          const whole = found.filter((each) => each.from > begin && each.to < begin + 8 * dayMs);
          expect(whole.length).toBeGreaterThan(0);
          for (const { from: start, to } of whole) expect((to - start) / minuteMs).toBe(one.duration);
          const days = whole.map(({ from: start }) => local(start).day);
          for (const day of days) expect(day % cycleLength).toBe(0);
          for (const [index, day] of days.entries())
            if (index > 0) expect(day - (days[index - 1] ?? 0)).toBe(cycleLength);
        },
      ),
      { numRuns: 40 },
    );
  });
});

test('the turn that meters and soil feel is the one in which that sprinkler waters', () => {
  const farm = demoFarms()[1] as FarmProfile;
  const local = createLocalClock(farm.timeZone);
  const watering = createWatering(farm.irrigation, local);
  const turns = turnsOf(farm.sprinklers);
  const entries = scheduleEntries(farm);
  const noon = at('2026-01-10T00:00Z');
  for (const group of ['Block 1', 'Block 12'])
    for (let now = noon; now < noon + dayMs; now += 7 * minuteMs) {
      const open = farm.sprinklers.filter(
        ({ mac, group: own }) =>
          own === group && isWateringBy({ entries: entries.get(mac) ?? [], cycleLength: 1 }, local, now),
      );
      const turn = watering.turnAt(group, now);
      expect(open.map(({ mac }) => turns.get(mac))).toEqual(turn !== null && turn < 25 ? [turn] : []);
    }
});

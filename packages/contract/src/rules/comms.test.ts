import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { observedComms } from './comms.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const now = Date.parse('2026-11-20T21:00:00Z');
/** Minutes ago, furthest first. */
const ago = (minutes: readonly number[]) => minutes.map((count) => now - count * MINUTE);
const every = (minutes: number, from: number, to = 0) =>
  Array.from({ length: Math.floor((from - to) / minutes) + 1 }, (_, n) => from - n * minutes);
const heard = (minutes: readonly number[], told: { at: number; minutes: number }[] = []) =>
  observedComms({ times: ago([...new Set(minutes)].toSorted((a, b) => b - a)), intervals: told }, now);

describe('how regularly a device is heard', () => {
  it('is whole where it never misses a report', () => {
    expect(heard(every(30, 2880))).toEqual({ interval: 30, quality: 1 });
  });

  it('is its reports among those that should have come', () => {
    // 12 of 48 missing in one row.
    const times = every(30, 2880).filter((minute) => minute < 600 || minute >= 960);
    expect(heard(times)).toEqual({ interval: 30, quality: 36 / 48 });
  });

  it('is whole after a change of rhythm, to oftener and to more seldom', () => {
    for (const since of [3, 10, 60, 300]) {
      expect(heard([...every(30, 2880, since), ...every(1, since)]).quality).toBe(1);
      expect(heard([...every(1, 2880, since), ...every(1, since, since - 1)]).quality).toBeLessThanOrEqual(1);
    }
    for (const since of [60, 120, 600])
      expect(heard([...every(1, 2880, since), ...every(30, since)]).quality).toBeGreaterThan(0.97);
    expect(heard([...every(30, 2880, 60), ...every(1, 60)]).interval).toBe(1);
  });

  it('counts the silence that lasts until now', () => {
    // Six hours of half-hourly reports are due.
    expect(heard(every(30, 2880, 375)).quality).toBeCloseTo(36 / 48, 1);
  });

  it('counts the silence before its first report of the day, where it was heard before', () => {
    expect(heard([...every(30, 2880, 2400), ...every(30, 720)]).quality).toBeCloseTo(0.5, 1);
    expect(heard(every(30, 720)).quality).toBe(1);
  });

  it('goes by the interval that the device told, also where every second report is lost', () => {
    const told = every(60, 2880).map((minute) => ({ at: now - minute * MINUTE, minutes: 15 }));
    expect(heard(every(30, 2880), told).quality).toBeCloseTo(0.5, 2);
    expect(heard(every(15, 2880), told).quality).toBe(1);
  });

  it('and by the one that was in force, where it told another', () => {
    const told = [
      { at: now - 2000 * MINUTE, minutes: 30 },
      { at: now - 300 * MINUTE, minutes: 30 },
      { at: now - 240 * MINUTE, minutes: 1 },
      { at: now - 10 * MINUTE, minutes: 1 },
    ];
    expect(heard([...every(30, 2880, 270), ...every(1, 270)], told).quality).toBe(1);
  });

  it('is not known of a device that was heard once', () => {
    expect(heard([5])).toEqual({ interval: null, quality: null });
    expect(heard([])).toEqual({ interval: null, quality: null });
  });

  it('is between 0 and 1, whatever the times', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 2880 * 60 }), { minLength: 2, maxLength: 200 }),
        (seconds) => {
          const times = seconds.toSorted((a, b) => b - a).map((second) => now - second * 1000);
          const { quality } = observedComms({ times, intervals: [] }, now);
          expect(quality ?? 0).toBeGreaterThanOrEqual(0);
          expect(quality ?? 0).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('is whole for steady stretches of any rhythms, each as long as ten reports', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 6 }), (rhythms) => {
        let at = now;
        const times = [now];
        for (const rhythm of rhythms) for (let n = 0; n < 12; n += 1) times.unshift((at -= rhythm * MINUTE));
        const { quality } = observedComms(
          { times: times.filter((time) => time > now - 2 * DAY), intervals: [] },
          now,
        );
        expect(quality).toBe(1);
      }),
    );
  });
});

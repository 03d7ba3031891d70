import { describe, expect, it } from 'vitest';
import { pumpWatch } from './pump-watch.ts';
import type { Rolled } from './rolled.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const now = Date.parse('2026-11-20T21:00:00Z');
/** 2,500 mm deep. */
const shape = { offset: 0, height: 3000, toplevel: 2500, volume: 25_000 };

/** Values every 15 minutes from `hoursAgo` on, in their hours. */
function rolled(hoursAgo: number, values: readonly number[]): Rolled[] {
  const rows = new Map<number, Rolled>();
  let before = values[0] ?? 0;
  for (const [index, value] of values.entries()) {
    const time = now - hoursAgo * HOUR + index * 15 * MINUTE;
    const at = Math.floor(time / HOUR) * HOUR;
    const row = rows.get(at) ?? {
      at,
      n: 0,
      min: value,
      max: value,
      sum: 0,
      falls: 0,
      rises: 0,
      firstAt: time,
      firstValue: value,
      lastAt: time,
      lastValue: value,
    };
    rows.set(at, {
      ...row,
      n: row.n + 1,
      min: Math.min(row.min, value),
      max: Math.max(row.max, value),
      sum: row.sum + value,
      falls: row.falls + Math.max(0, before - value),
      rises: row.rises + Math.max(0, value - before),
      lastAt: time,
      lastValue: value,
    });
    before = value;
  }
  return [...rows.values()];
}

const off = (count: number) => Array.from({ length: count }, () => 0);
const on = (count: number) => Array.from({ length: count }, () => 1);
/** Level, mm, that rises by so much with each report. */
const rising = (count: number, by: number, from: number) =>
  Array.from({ length: count }, (_, index) => from + index * by);

/** `runs` runs of two hours (9 reports) with 25 mm a quarter hour (100 mm an hour), two hours of rest after each. */
function history(runs: number, current: { relay: number[]; level: number[] }) {
  const relay = [...Array.from({ length: runs }, () => [...on(9), ...off(7)]).flat(), ...current.relay];
  const level = [
    ...Array.from({ length: runs }, () => [...rising(9, 25, 1000), ...rising(7, -25, 1175)]).flat(),
    ...current.level,
  ];
  const hoursAgo = (relay.length - 1) / 4;
  return { relay: rolled(hoursAgo, relay), level: rolled(hoursAgo, level) };
}
const watch = (runs: number, relay: number[], level: number[], at = now) => {
  const rows = history(runs, { relay, level });
  return pumpWatch(shape, rows.relay, rows.level, at);
};

describe('a pump that runs longer than the level explains', () => {
  it('is held against its earlier runs', () => {
    // Five runs of 2 h rose by 200 mm each: 100 mm an hour. Now 2 h (9 reports, 8 quarters) with 8 mm of 200 expected, 4 %.
    expect(watch(5, on(9), rising(9, 1, 1000))).toEqual({
      since: '2026-11-20T19:00:00.000Z',
      minutes: 120,
      risePercent: 0.3,
      confidence: 'high',
      basis: 'By 5 earlier runs the level should have risen by about 8 %.',
    });
  });

  it('is told when the level falls', () => {
    expect(watch(3, on(5), rising(5, -10, 1000))).toMatchObject({
      minutes: 60,
      risePercent: -1.6,
      confidence: 'medium',
    });
  });

  it('is none when the level rises by half of the usual and more', () => {
    expect(watch(3, on(9), rising(9, 12.5, 1000))).toBeNull();
    expect(watch(3, on(9), rising(9, 12, 1000))).not.toBeNull();
  });

  it('without earlier runs is told of a level that stands still, with low confidence', () => {
    // 0.5 % are 12.5 mm.
    expect(watch(0, on(9), rising(9, 1.5, 1000))).toMatchObject({
      confidence: 'low',
      basis: 'No earlier run is known to hold it against.',
    });
    expect(watch(0, on(9), rising(9, 1.6, 1000))).toBeNull();
  });

  it('is none before 30 minutes', () => {
    expect(watch(3, [...off(6), ...on(2)], rising(8, 0, 1000))).toBeNull();
    expect(watch(3, [...off(6), ...on(3)], rising(9, 0, 1000))).toMatchObject({ minutes: 30 });
  });

  it('is none when the pump stands, is silent, or its level can not be', () => {
    expect(watch(3, off(9), rising(9, 0, 1000))).toBeNull();
    expect(watch(3, on(9), rising(9, 0, 1000), now + 3 * HOUR + 1)).toBeNull();
    expect(watch(3, on(9), rising(9, 0, 9999))).toBeNull();
    expect(pumpWatch(shape, [], [], now)).toBeNull();
  });

  it('is none of a pump that draws from the tank', () => {
    const draws = [...on(9), ...off(7), ...on(9)];
    const level = [...rising(9, -25, 1800), ...rising(7, 25, 1600), ...rising(9, -25, 1800)];
    expect(pumpWatch(shape, rolled(6, draws), rolled(6, level), now)).toBeNull();
  });
});

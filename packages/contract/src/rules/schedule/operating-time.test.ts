import { describe, expect, it } from 'vitest';
import type { ReportedRun } from './applied.ts';
import { diaryReasons, isKept } from './diary-reasons.ts';
import { type OperatedEntry, operatingTime } from './operating-time.ts';
import { type PlanSpan, unitDiary, type UnitPast } from './unit-diary.ts';

/** A farm at UTC; its sprinkler is to water 28 min from 05:12 each second day, from the first of November on. */
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const zone = { timeZoneId: 'UTC', rawOffset: 0, dstOffset: 0, dstEnabled: false };
// A cycle's first day is one of an even number of days since 1970.
const FIRST = Date.UTC(2026, 10, 1) - ((Date.UTC(2026, 10, 1) / DAY) % 2) * DAY;
const at = (day: number, minute: number) => FIRST + day * DAY + minute * MINUTE;
const START = 312;
const plan: PlanSpan = {
  since: FIRST - DAY,
  until: null,
  crc: 'AA:AA',
  programme: { entries: [{ start: START, duration: 28, cycle: 1 }], cycleDays: 2 },
  stoppedAt: null,
  holds: 'this',
  holdsSince: null,
};
const ran = (
  day: number,
  minutes: number,
  { from = START, ...more }: { from?: number } & Partial<ReportedRun> = {},
): ReportedRun => ({
  unit: 'A1',
  openedAt: at(day, from),
  openedHow: 'said',
  openUntil: at(day, from),
  closedAt: at(day, from + minutes),
  closedHow: 'said',
  lps: 4,
  mmPerMin: 0.1724,
  ...more,
});
/** Of the 15 days on which it is to water. */
const turns = Array.from({ length: 15 }, (_none, nth) => nth * 2);
const END_OF_MONTH = at(30, 0) - 1;

function operated(past: Partial<UnitPast>, now = END_OF_MONTH, crc = 'AA:AA') {
  const all = { spans: [plan], runs: [], clockS: null, saidClosed: [], logged: [], openings: [], ...past };
  const facts = {
    outOfService: [],
    orders: [],
    sends: [],
    foreign: [],
    clock: null,
    charge: null,
    heardBefore: null,
    swaps: [],
  };
  const entries = unitDiary(all, zone, { from: at(0, 0), to: at(30, 0) }, now).map((entry): OperatedEntry => {
    const reasons = diaryReasons(entry, facts);
    return { ...entry, reasons, isKept: isKept(entry, reasons), isOfSet: entry.span?.crc === crc };
  });
  return operatingTime(entries, now);
}
/** Twice a day, inside its time, that it said "closed": what shows that it missed. */
const saidClosed = (day: number) => [at(day, START + 6), at(day, START + 20)];

describe('the operating time of a sprinkler by a set', () => {
  it('is 15 × 28 = 420 min planned, and 13 full runs with one of 12: 376 min, 89.5 %', () => {
    const runs = [...turns.slice(0, 13).map((day) => ran(day, 28)), ran(26, 12)];
    const time = operated({ runs, saidClosed: saidClosed(28) });
    expect(time).toMatchObject({ planned: 420, actual: 376, unknown: 0, kept: 0, other: 0 });
    expect(time.share).toBeCloseTo(89.52, 2);
    expect(time.waterings).toEqual({
      planned: 15,
      unknown: 0,
      missed: 1,
      kept: 0,
      startNotHeard: 0,
      endNotHeard: 0,
    });
    expect([time.lastWatered, time.isRunning]).toEqual([at(26, START + 12), false]);
  });

  it('does not take what it has not heard of for nothing: the share is of what is known', () => {
    const runs = turns.slice(0, 13).map((day) => ran(day, 28));
    // Of the last two, 56 min, nothing is known: 364 of 364.
    expect(operated({ runs })).toMatchObject({ planned: 420, unknown: 56, actual: 364, share: 100 });
    expect(operated({})).toMatchObject({
      planned: 420,
      unknown: 420,
      actual: null,
      share: null,
      lastWatered: null,
    });
  });

  it('counts a watering that goes on until now, and says so', () => {
    const now = at(28, START + 10);
    const runs = [
      ...turns.slice(0, 14).map((day) => ran(day, 28)),
      ran(28, 0, { closedAt: null, closedHow: null }),
    ];
    // 14 × 28 + 10 of each.
    expect(operated({ runs }, now)).toMatchObject({
      planned: 402,
      actual: 402,
      share: 100,
      isRunning: true,
      lastWatered: now,
    });
  });

  it('counts one whose end was not heard to where it was to end, and marks it', () => {
    const runs = turns.map((day) => (day === 4 ? ran(day, 0, { closedAt: at(4, 700) }) : ran(day, 28)));
    expect(operated({ runs })).toMatchObject({ actual: 420, share: 100, waterings: { endNotHeard: 1 } });
  });

  it('counts one whose start was not heard from when it was to begin, and marks it', () => {
    // Its first word that day is of 15 min after the start: open until its end at 05:40.
    const runs = turns.map((day) => (day === 4 ? ran(day, 13, { from: START + 15 }) : ran(day, 28)));
    expect(operated({ runs })).toMatchObject({
      actual: 420,
      share: 100,
      waterings: { startNotHeard: 1, endNotHeard: 0 },
    });
  });

  it('leaves out what it was kept from', () => {
    const stopped = { ...plan, stoppedAt: at(20, 0) };
    const runs = turns.slice(0, 10).map((day) => ran(day, 28));
    expect(operated({ runs, spans: [stopped] })).toMatchObject({
      planned: 280,
      actual: 280,
      kept: 140,
      share: 100,
      waterings: { planned: 10, kept: 5 },
    });
  });

  it('has what it watered by another set or by hand beside it', () => {
    const runs = [ran(0, 28), ran(1, 20, { from: 600 })];
    const openings = [{ from: at(1, 600), to: at(1, 620) }];
    expect(operated({ runs, openings })).toMatchObject({ actual: 28, other: 20 });
    // Nothing was planned by the set that is asked for: no share of it.
    expect(operated({ runs, openings }, END_OF_MONTH, 'BB:BB')).toMatchObject({
      planned: 0,
      actual: 0,
      share: null,
      other: 48,
      lastWatered: at(1, 620),
    });
    // Two words of a valve that nobody asked for don't say how long it was open.
    expect(operated({ runs: [ran(1, 20, { from: 600 })] })).toMatchObject({ other: null });
  });
});

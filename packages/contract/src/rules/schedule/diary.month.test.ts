import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Timezone } from '../../farms.ts';
import { graceMs } from '../valve-belief.ts';
import { type ValveObservation, wateringRuns } from '../watering-runs.ts';
import { occurrences } from './occurrences.ts';
import { type DiaryEntry, entryStart, unitDiary, type UnitPast } from './unit-diary.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAYS = 30;
/** Of a hundred reports. */
const LOST = 5;

/** Months that hold a change of the clock, by one of the farm's days. */
const months = [
  ['spring in New Zealand', 'Pacific/Auckland', 43_200, Date.UTC(2026, 8, 12, 12)],
  ['autumn in New Zealand', 'Pacific/Auckland', 43_200, Date.UTC(2027, 2, 20, 12)],
  ['spring on Lord Howe, by half an hour', 'Australia/Lord_Howe', 37_800, Date.UTC(2026, 8, 20, 12)],
  ['autumn in New South Wales', 'Australia/Sydney', 36_000, Date.UTC(2027, 2, 20, 12)],
] as const;

interface Entry {
  start: number;
  duration: number;
  cycle: number;
}
interface Month {
  entries: Entry[];
  /** From the tenth day on; what it holds is known at noon. */
  later: Entry[];
  clockS: number;
  /** Valve Ons: day, minute of the afternoon, and how long. */
  ons: { day: number; minute: number; lasts: number }[];
  /** When in each hour it reports by itself, s. */
  second: number;
  /** Of the lots that decide which reports get lost. */
  seed: number;
}

/** Waterings between midnight and noon, so far apart that no two begin in the hour that the clock skips; on each day or each second. */
const programme: fc.Arbitrary<Entry[]> = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 75, max: 200 }),
      duration: fc.integer({ min: 8, max: 120 }),
      cycle: fc.constantFrom(1, 2),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((turns) => {
    let minute = 30;
    return turns.flatMap(({ gap, duration, cycle }) => {
      const start = minute + gap;
      minute = start + duration;
      return minute < 700 ? [{ start, duration, cycle }] : [];
    });
  });
const month: fc.Arbitrary<Month> = fc.record({
  entries: programme,
  later: programme,
  clockS: fc.integer({ min: -240, max: 240 }),
  ons: fc.array(
    fc.record({
      day: fc.integer({ min: 1, max: DAYS - 2 }),
      minute: fc.integer({ min: 0, max: 300 }),
      lasts: fc.integer({ min: 5, max: 60 }),
    }),
    { maxLength: 6 },
  ),
  second: fc.integer({ min: 0, max: 3599 }),
  seed: fc.integer({ min: 1, max: 2 ** 31 - 2 }),
});

/** Whether each next report comes, by Lehmer's generator. */
function drawn(seed: number, lost: number): () => boolean {
  let state = seed;
  return () => {
    state = (state * 48_271) % (2 ** 31 - 1);
    return state % 100 >= lost;
  };
}

interface Span {
  from: number;
  to: number;
}

/** What the valve did, what the sprinkler reported of it, and what is known of what it was to do. */
function simulate(
  { entries, later, clockS, ons, second, seed }: Month,
  zone: Timezone,
  begin: number,
  lost: number,
) {
  const change = begin + 10 * DAY;
  const plans = [
    { entries, cycleDays: 2, since: begin - 2 * DAY, until: change },
    { entries: later, cycleDays: 2, since: change, until: null },
  ];
  const runs = plans
    .flatMap((plan) => occurrences(plan, zone, plan.since, plan.until ?? begin + DAYS * DAY))
    // By its own clock, to the second.
    .map(({ startAt, endAt }) => ({ from: startAt - clockS * 1000, to: endAt - clockS * 1000 }));
  // In the afternoon, when nothing is planned; two at once are one.
  const byHand = ons
    .map(({ day, minute, lasts }) => {
      const from = begin + day * DAY + 14 * HOUR + minute * MINUTE;
      return { from, to: from + lasts * MINUTE };
    })
    .toSorted((one, other) => one.from - other.from)
    .filter((one, index, all) => index === 0 || one.from > (all[index - 1]?.to ?? 0) + 2 * HOUR);
  const valve: Span[] = [...runs, ...byHand].toSorted((one, other) => one.from - other.from);
  const isOpen = (at: number) => valve.some(({ from, to }) => from <= at && at < to);
  const hourly = Array.from(
    { length: (DAYS + 2) * 24 },
    (_none, hour) => begin - 2 * DAY + hour * HOUR + second * 1000,
  );
  const words = [...valve.flatMap(({ from, to }) => [from, to]), ...hourly]
    .toSorted((one, other) => one - other)
    .map((at): ValveObservation => ({ at, isOpen: isOpen(at), how: 'said' }))
    .filter(drawn(seed, lost));
  // Of the gateway, to a Valve On.
  const answers = byHand.map(({ from }): ValveObservation => ({ at: from, isOpen: true, how: 'answered' }));
  const past: UnitPast = {
    spans: plans.map(({ since, until, ...plan }) => ({
      since,
      until,
      crc: 'AA:AA',
      programme: plan,
      stoppedAt: null,
      holds: 'this',
      holdsSince: null,
    })),
    runs: wateringRuns([...words, ...answers]).map((run) => ({
      ...run,
      unit: 'A1',
      lps: 4,
      mmPerMin: 0.1724,
    })),
    clockS,
    saidClosed: words.filter((word) => !word.isOpen).map(({ at }) => at),
    logged: [],
    openings: byHand,
  };
  const now = begin + DAYS * DAY + HOUR;
  const diary = unitDiary(past, zone, { from: begin, to: begin + (DAYS - 1) * DAY }, now);
  return { valve, diary };
}

const within = (one: Span, other: Span) => one.from < other.to && one.to > other.from;
const minutesOf = ({ from, to }: Span) => (to - from) / MINUTE;
const zoneOf = (timeZoneId: string, rawOffset: number): Timezone => ({
  timeZoneId,
  rawOffset,
  dstOffset: 3600,
  dstEnabled: true,
});

describe.each(months)('a month of one sprinkler, %s', (_, timeZoneId, rawOffset, begin) => {
  const zone = zoneOf(timeZoneId, rawOffset);

  it('is in the diary to the minute as its valve was, where every report came', () => {
    fc.assert(
      fc.property(month, (any) => {
        const { valve, diary } = simulate(any, zone, begin, 0);
        const inTime = valve.filter(
          ({ from }) => from >= begin + HOUR && from < begin + (DAYS - 1) * DAY - HOUR,
        );
        const told = new Map(diary.map((entry) => [entry.said?.openedAt ?? 0, entry]));
        for (const span of inTime) {
          const entry = told.get(span.from);
          expect(entry?.said?.closedAt).toBe(span.to);
          expect(entry?.basis).toBe('said');
          expect(entry?.applied?.minutes.believed).toBeCloseTo(minutesOf(span), 6);
        }
        for (const { outcome, said } of diary) {
          expect(['watered', 'by hand']).toContain(outcome);
          expect(valve.some(({ from }) => from === said?.openedAt)).toBe(true);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('with one report of twenty lost says nothing that is wrong: what it is not sure of it says so', () => {
    fc.assert(
      fc.property(month, (any) => {
        const { valve, diary } = simulate(any, zone, begin, LOST);
        const grace = graceMs(any.clockS) / MINUTE;
        for (const entry of diary) checkEntry(entry, valve, grace);
      }),
      { numRuns: 60 },
    );
  });
});

/** A word counts as that of the moment within the grace of its plan, so each end may be off by as much. */
function checkEntry(entry: DiaryEntry, valve: readonly Span[], grace: number): void {
  const { outcome, basis, applied, said, planned } = entry;
  const about = { from: entryStart(entry), to: planned?.endAt ?? said?.closedAt ?? entryStart(entry) + 1 };
  const truth = valve.find((span) =>
    within(span, { from: about.from - grace * MINUTE, to: about.to + grace * MINUTE }),
  );
  // Nothing that it did is called missed or not planned, and nothing that it did not do is told as done.
  expect(truth).toBeDefined();
  expect(['watered', 'by hand', 'not known']).toContain(outcome);
  if (!truth || !applied) return expect([outcome, basis]).toEqual(['not known', 'plan']);
  const minutes = minutesOf(truth);
  if (basis === 'said') expect(Math.abs(applied.minutes.believed - minutes)).toBeLessThanOrEqual(2 * grace);
  else expect(['endNotHeard', 'startNotHeard']).toContain(entry.reasons[0]?.code);
  expect(applied.minutes.least).toBeLessThanOrEqual(minutes + 2 * grace);
  expect(applied.minutes.most).toBeGreaterThanOrEqual(minutes - 2 * grace);
  return undefined;
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computePlan } from './compute-plan.ts';
import { flowProfile } from './flow-profile.ts';
import { linesOf, windyOrder } from './lines.ts';
import { lowerBounds } from './place-within-limits.ts';
import type { PlanGroup, Planned, PlanOptions, PlanUnit } from './plan.ts';
import type { Run } from './programme.ts';
import { tableRows } from './table-rows.ts';
import { runways } from './windows.ts';

const many = { numRuns: 1000 };

const unit = (name: string): PlanUnit => ({ id: name, name, serial: name, lps: 4, mmPerMin: 0.17 });
const group = (name: string, count: number, lines: number, durationMin: number | null): PlanGroup => ({
  uid: `uid-${name}`,
  name,
  lines,
  durationMin,
  units: Array.from({ length: count }, (_, index) => unit(`${name}${index + 1}`)),
});

const groups = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 14 }),
      fc.integer({ min: 1, max: 3 }),
      fc.option(fc.integer({ min: 1, max: 90 })),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((shapes) =>
    shapes.map(([count, lines, duration], index) => group(`G${index}-`, count, lines, duration)),
  );
const options = fc.record({
  durationMin: fc.integer({ min: 1, max: 120 }),
  windy: fc.boolean(),
  leveling: fc.boolean(),
  isV3: fc.boolean(),
  startMin: fc.integer({ min: 0, max: 1439 }),
  cycleMin: fc.constantFrom(null, 1440, 2880),
  limits: fc.constant(null),
});

const linesIn = (plan: readonly PlanGroup[], { durationMin, windy }: PlanOptions) =>
  plan
    .flatMap((each) => linesOf(each, durationMin))
    .map((line) => (windy ? { ...line, units: windyOrder(line.units) } : line));
const ofLine = (runs: readonly Run[], name: string) =>
  runs.filter(({ scheduleGroup }) => scheduleGroup === name);
/** Whether a midnight falls into it, or on its start. */
const isOverMidnight = ({ start }: Run, minutes: number) =>
  [0, 1440, 2880].some((at) => start <= at && at < start + minutes);

/** Of plans that fit. */
function check(
  given: PlanOptions,
  plan: readonly PlanGroup[],
  judge: (runs: readonly Run[], cycleMin: number) => void,
) {
  const planned = computePlan(plan, given);
  if (planned.ok) judge(planned.plan.runs, planned.plan.cycleMin);
}

describe('a plan without limits', () => {
  it('invariants 1 and 6: each unit once, for its minutes, and a minute more over midnight with version 3 alone', () => {
    fc.assert(
      fc.property(groups, options, (plan, given) => {
        check(given, plan, (runs) => {
          const units = plan.flatMap((each) => each.units.map(({ id }) => id));
          expect(runs.map((run) => run.unit).toSorted()).toEqual(units.toSorted());
          for (const run of runs) {
            const minutes = plan.find(({ uid }) => uid === run.group)?.durationMin ?? given.durationMin;
            const extra = given.isV3 && isOverMidnight(run, minutes) ? 1 : 0;
            expect(run.duration).toBe(minutes + extra);
          }
        });
      }),
      many,
    );
  });

  it('invariants 2, 3 and 5: lines keep their order and never overlap on the ring; level gaps differ by one', () => {
    fc.assert(
      fc.property(groups, options, (plan, given) => {
        check(given, plan, (runs, cycleMin) => {
          for (const line of linesIn(plan, given)) {
            const own = ofLine(runs, line.scheduleGroup);
            expect(own.map((run) => run.unit)).toEqual(line.units.map(({ id }) => id));
            const gaps = own.map(({ start, duration }, index) => {
              const next = own[(index + 1) % own.length]?.start ?? start;
              return ((next - start + cycleMin - 1) % cycleMin) + 1 - duration;
            });
            expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
            // Once around, and no more.
            expect(gaps.reduce((sum, gap) => sum + gap, 0)).toBe(
              cycleMin - own.reduce((sum, { duration }) => sum + duration, 0),
            );
            if (given.leveling) {
              expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
              expect(gaps).toEqual(gaps.toSorted((one, other) => other - one));
            }
          }
          for (const { start, cycle } of runs) {
            expect(start).toBeGreaterThanOrEqual(0);
            expect(start).toBeLessThan(cycleMin);
            expect(cycle).toBe(1 + Math.floor(start / 1440));
          }
        });
      }),
      many,
    );
  });

  it('invariant 3: the cycle is the shortest in which it fits', () => {
    fc.assert(
      fc.property(groups, options, (plan, given) => {
        const found = computePlan(plan, { ...given, cycleMin: null });
        const daily = computePlan(plan, { ...given, cycleMin: 1440 });
        expect(found.ok && found.plan.cycleMin === 1440).toBe(daily.ok);
      }),
      many,
    );
  });

  it('invariant 4: a minute less never makes the cycle longer', () => {
    const length = (planned: Planned) => (planned.ok ? planned.plan.cycleMin : Number.POSITIVE_INFINITY);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 110 }),
        fc.integer({ min: 2, max: 120 }),
        options,
        (count, durationMin, given) => {
          const line = [group('A', count, 1, null)];
          const asked = { ...given, cycleMin: null };
          const shorter = computePlan(line, { ...asked, durationMin: durationMin - 1 });
          expect(length(shorter)).toBeLessThanOrEqual(length(computePlan(line, { ...asked, durationMin })));
        },
      ),
      many,
    );
  });

  it('invariant 8: the order of groups and sprinklers changes nothing', () => {
    fc.assert(
      fc.property(groups, options, (plan, given) => {
        const turned = plan.toReversed().map((each) => ({ ...each, units: each.units.toReversed() }));
        expect(computePlan(turned, given)).toEqual(computePlan(plan, given));
      }),
      many,
    );
  });

  it('invariant 9: the rows of a table cover the cycle without hole or overlap, and have every run', () => {
    fc.assert(
      fc.property(groups, options, (plan, given) => {
        check(given, plan, (runs, cycleMin) => {
          for (const { scheduleGroup } of linesIn(plan, given)) {
            const own = ofLine(runs, scheduleGroup);
            const rows = tableRows(own, cycleMin);
            expect(rows.flatMap((row) => (row.kind === 'run' ? [row.run] : []))).toEqual(
              own.toSorted((one, other) => one.start - other.start),
            );
            const covered = Array<number>(cycleMin).fill(0);
            for (const row of rows) {
              if (row.kind === 'day') continue;
              const [from, minutes] =
                row.kind === 'gap' ? [row.fromMin, row.minutes] : [row.run.start, row.run.duration];
              for (let at = from; at < from + minutes; at += 1)
                covered[at % cycleMin] = (covered[at % cycleMin] ?? 0) + 1;
            }
            expect(covered.every((times) => times === 1)).toBe(true);
          }
        });
      }),
      many,
    );
  });
});

it('invariant 6: in wind all have their turn, and of four or more no two neighbours follow one another', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 }), (count) => {
      const line = Array.from({ length: count }, (_, index) => index);
      const order = windyOrder(line);
      expect(order.toSorted((one, other) => one - other)).toEqual(line);
      if (count >= 4)
        for (const [index, place] of order.slice(1).entries())
          expect(Math.abs(place - (order[index] ?? 0))).toBeGreaterThan(1);
    }),
    many,
  );
});

describe('invariant 7: a plan within limits', () => {
  const window = fc.record({
    fromMin: fc.integer({ min: 0, max: 1439 }),
    toMin: fc.integer({ min: 0, max: 1439 }),
  });
  const limits = fc.record({
    maxLps: fc.option(fc.integer({ min: 4, max: 30 })),
    windows: fc.array(window, { maxLength: 2 }),
    avoid: fc.array(window, { maxLength: 1 }),
    mains: fc.array(
      fc.record({
        name: fc.constant('Main'),
        maxLps: fc.integer({ min: 4, max: 12 }),
        groups: fc.subarray(['uid-G0-', 'uid-G1-', 'uid-G2-', 'uid-G3-'], { minLength: 1 }),
      }),
      { maxLength: 2 },
    ),
  });

  it('never draws more than the pump and each main give, and only when it may', () => {
    fc.assert(
      fc.property(groups, options, limits, (plan, given, allowed) => {
        check({ ...given, limits: allowed }, plan, (runs, cycleMin) => {
          const most = Math.max(...flowProfile(runs, cycleMin, () => 4).map(({ lps }) => lps));
          expect(most).toBeLessThanOrEqual(allowed.maxLps ?? Number.POSITIVE_INFINITY);
          for (const main of allowed.mains) {
            const through = runs.filter((run) => main.groups.includes(run.group));
            const steps = flowProfile(through, cycleMin, () => 4).map(({ lps }) => lps);
            expect(Math.max(0, ...steps)).toBeLessThanOrEqual(main.maxLps);
          }
          const runway = runways(allowed);
          for (const { start, duration } of runs)
            expect(runway[start % 1440]).toBeGreaterThanOrEqual(duration);
          expect(runs).toHaveLength(plan.reduce((sum, { units }) => sum + units.length, 0));
        });
      }),
      many,
    );
  });

  it('takes at least its bounds, and at most twice the largest', () => {
    fc.assert(
      fc.property(groups, options, fc.integer({ min: 1, max: 6 }), (plan, given, lines) => {
        const allowed = { maxLps: lines * 4, windows: [], avoid: [] };
        const asked = { ...given, isV3: false, startMin: 0, cycleMin: null, limits: allowed };
        check(asked, plan, (runs) => {
          const end = Math.max(...runs.map(({ start, duration }) => start + duration));
          const { lineMin, flowMin } = lowerBounds(linesIn(plan, asked), allowed);
          expect(end).toBeGreaterThanOrEqual(Math.max(lineMin, flowMin));
          expect(end).toBeLessThanOrEqual(2 * Math.max(lineMin, flowMin));
        });
      }),
      many,
    );
  });
});

it('5,000 sprinklers in 100 lines, also within limits: each has its turn', () => {
  const farm = Array.from({ length: 100 }, (_, index) => group(`G${index}-`, 50, 1, null));
  const asked = { durationMin: 28, windy: true, leveling: true, isV3: true, startMin: 1260, cycleMin: null };
  for (const limits of [null, { maxLps: 320, windows: [], avoid: [] }]) {
    const planned = computePlan(farm, { ...asked, limits });
    expect(planned.ok && new Set(planned.plan.runs.map((run) => run.unit)).size).toBe(5000);
  }
});

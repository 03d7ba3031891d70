import { describe, expect, it } from 'vitest';
import { computePlan } from './compute-plan.ts';
import { findConflicts } from './find-conflicts.ts';
import { flowProfile } from './flow-profile.ts';
import { windyOrder } from './lines.ts';
import type { DayWindow, Limits, PlanGroup, Planned, PlanOptions, PlanUnit } from './plan.ts';
import { programmeOf } from './programme.ts';
import { tableRows } from './table-rows.ts';

const unit = (name: string): PlanUnit => ({ id: name, name, serial: name, lps: 4, mmPerMin: 0.1724 });
/** `name1` to `name{count}`, in one line. */
const group = (name: string, count: number, more: Partial<PlanGroup> = {}): PlanGroup => ({
  uid: `uid-${name}`,
  name,
  lines: 1,
  durationMin: null,
  units: Array.from({ length: count }, (_, index) => unit(`${name}${index + 1}`)),
  ...more,
});
const plain: PlanOptions = {
  durationMin: 28,
  windy: false,
  leveling: false,
  isV3: false,
  startMin: 0,
  cycleMin: null,
  limits: null,
};
const limits = (maxLps: number | null, windows: readonly DayWindow[] = []): Limits => ({
  maxLps,
  windows,
  avoid: [],
});
const plan = (groups: PlanGroup | PlanGroup[], options: Partial<PlanOptions> = {}) =>
  computePlan([groups].flat(), { ...plain, ...options });

/** `unit start+duration` of all, or what is wrong. */
const runsOf = (planned: Planned) =>
  planned.ok ? planned.plan.runs.map(({ unit: id, start, duration }) => `${id} ${start}+${duration}`) : [];
const startsOf = (planned: Planned) => (planned.ok ? planned.plan.runs.map(({ start }) => start) : []);
const cycleOf = (planned: Planned) => (planned.ok ? planned.plan.cycleMin : null);
const endOf = (planned: Planned) =>
  planned.ok ? Math.max(...planned.plan.runs.map(({ start, duration }) => start + duration)) : null;
const findingsOf = (planned: Planned) =>
  (planned.ok ? planned.plan.findings : planned.findings).map(({ code, severity, figures }) => [
    severity,
    code,
    figures,
  ]);
/** From the end of each run to the next, and of the last to the first in the next round. */
const gapsOf = (planned: Planned) => {
  const runs = planned.ok ? planned.plan.runs : [];
  return runs.map(({ start, duration }, index) => {
    const next = runs[index + 1]?.start ?? (runs[0]?.start ?? 0) + (cycleOf(planned) ?? 0);
    return next - start - duration;
  });
};

it('E1: A1, A10 and A2 water in the order of people, and the rest of the day is a gap', () => {
  const planned = plan({ ...group('A', 0), units: [unit('A1'), unit('A10'), unit('A2')] });
  expect(runsOf(planned)).toEqual(['A1 0+28', 'A2 28+28', 'A10 56+28']);
  expect(cycleOf(planned)).toBe(1440);
  const rows = tableRows(planned.ok ? planned.plan.runs : [], 1440);
  expect(rows.map((row) => (row.kind === 'run' ? `${row.startAt} ${row.run.unit}` : row))).toEqual([
    { kind: 'day', day: 1 },
    '00:00 A1',
    '00:28 A2',
    '00:56 A10',
    { kind: 'gap', fromMin: 84, minutes: 1356 },
  ]);
});

describe('E2: n × 28 min', () => {
  it('51 end at 1428 and water daily', () => {
    expect([endOf(plan(group('A', 51))), cycleOf(plan(group('A', 51)))]).toEqual([1428, 1440]);
  });

  it('52 end at 1456: every second day, which 27 min each would avoid; A52 goes on over midnight', () => {
    const planned = plan(group('A', 52));
    expect([endOf(planned), cycleOf(planned)]).toEqual([1456, 2880]);
    expect(planned.ok && planned.plan.runs.at(-1)).toMatchObject({
      unit: 'A52',
      start: 1428,
      duration: 28,
      cycle: 1,
    });
    expect(findingsOf(planned)).toEqual([['warning', 'nearlyDaily', { needMin: 1456, longestMin: 27 }]]);
  });

  it('of 53 the last begins on the second day, as minute 16 of it', () => {
    const planned = plan(group('A', 53));
    const last = planned.ok ? planned.plan.runs.slice(-1) : [];
    expect(last).toMatchObject([{ unit: 'A53', start: 1456, cycle: 2 }]);
    expect(programmeOf(last, 2880).entries).toEqual([{ start: 16, duration: 28, cycle: 2 }]);
    expect(findingsOf(planned)).toEqual([['warning', 'nearlyDaily', { needMin: 1484, longestMin: 27 }]]);
  });
});

describe('E3: what takes more than two days', () => {
  it('102 × 28 end at 2856 and fit', () => expect(endOf(plan(group('A', 102)))).toBe(2856));

  it('103 × 28 are refused; 27 min would fit, or two lines', () => {
    expect(findingsOf(plan(group('A', 103)))).toEqual([
      ['error', 'doesNotFit', { needMin: 2884, cycleMin: 2880, longestMin: 27, linesThatFit: 2 }],
    ]);
    expect(endOf(plan(group('A', 103), { durationMin: 27 }))).toBe(2781);
    const split = plan(group('A', 103, { lines: 2 }));
    const lines = split.ok ? split.plan.runs.map(({ scheduleGroup }) => scheduleGroup) : [];
    expect(['A/1', 'A/2'].map((line) => lines.filter((name) => name === line).length)).toEqual([52, 51]);
    expect(cycleOf(split)).toBe(2880);
  });
});

describe('E4: a minute more at midnight for units of version 3', () => {
  it('goes to the first', () =>
    expect(runsOf(plan(group('A', 3), { isV3: true }))).toEqual(['A1 0+29', 'A2 29+28', 'A3 57+28']));

  it('and to the one over the next midnight', () => {
    const planned = plan(group('A', 52), { isV3: true });
    expect([runsOf(planned)[0], runsOf(planned).at(-1), endOf(planned)]).toEqual([
      'A1 0+29',
      'A52 1429+29',
      1458,
    ]);
    expect(findingsOf(planned)).toEqual([['warning', 'nearlyDaily', { needMin: 1458, longestMin: 27 }]]);
  });
});

it('E5: 48 × 30 take 1,442 minutes with the minutes at midnight and water every second day; 29 min fit', () => {
  const planned = plan(group('A', 48), { isV3: true, durationMin: 30 });
  expect(cycleOf(planned)).toBe(2880);
  expect(findingsOf(planned)).toEqual([['warning', 'nearlyDaily', { needMin: 1442, longestMin: 29 }]]);
  const shorter = plan(group('A', 48), { isV3: true, durationMin: 29 });
  expect([endOf(shorter), cycleOf(shorter)]).toEqual([1393, 1440]);
  expect(cycleOf(plan(group('A', 48), { durationMin: 30 }))).toBe(1440);
});

describe('E6: in wind', () => {
  it.each([
    [2, [1, 2]],
    [3, [1, 3, 2]],
    [4, [2, 4, 1, 3]],
    [5, [1, 3, 5, 2, 4]],
    [6, [1, 3, 5, 2, 4, 6]],
  ])('%d sprinklers water in the order %j', (count, order) => {
    expect(windyOrder(Array.from({ length: count }, (_, index) => index + 1))).toEqual(order);
  });

  it.each([
    [1, []],
    [2, [['note', 'windyFew', { units: 2 }]]],
    [3, [['note', 'windyFew', { units: 3 }]]],
    [4, []],
  ])('of %d the note is %j', (count, notes) => {
    expect(findingsOf(plan(group('A', count), { windy: true }))).toEqual(notes);
  });
});

describe('E7: leveling', () => {
  it('5 × 28 begin each 288 min', () => {
    const planned = plan(group('A', 5), { leveling: true });
    expect(startsOf(planned)).toEqual([0, 288, 576, 864, 1152]);
    expect(gapsOf(planned)).toEqual([260, 260, 260, 260, 260]);
  });

  it('7 × 28 have the longer gaps first', () => {
    const planned = plan(group('A', 7), { leveling: true });
    expect(startsOf(planned)).toEqual([0, 206, 412, 618, 824, 1030, 1235]);
    expect(gapsOf(planned)).toEqual([178, 178, 178, 178, 178, 177, 177]);
  });

  it('51 × 28 have twelve gaps of a minute', () => {
    expect(gapsOf(plan(group('A', 51), { leveling: true }))).toEqual([
      ...Array<number>(12).fill(1),
      ...Array<number>(39).fill(0),
    ]);
  });
});

it('E8: leveling with the minute at midnight', () => {
  const planned = plan(group('A', 5), { leveling: true, isV3: true });
  expect(runsOf(planned)).toEqual(['A1 0+29', 'A2 289+28', 'A3 577+28', 'A4 865+28', 'A5 1153+28']);
  expect(gapsOf(planned)).toEqual([260, 260, 260, 260, 259]);
  expect(endOf(planned)).toBe(1181);
});

it('E9: ten lines of 5 × 28 begin 26 minutes apart, two at once at most', () => {
  const groups = Array.from({ length: 10 }, (_, index) => group(`G${index}-`, 5));
  const planned = plan(groups, { leveling: true });
  expect(startsOf(planned).filter((start) => start < 260)).toEqual([
    0, 26, 52, 78, 104, 130, 156, 182, 208, 234,
  ]);
  const flow = flowProfile(planned.ok ? planned.plan.runs : [], 1440, () => 4);
  expect(Math.max(...flow.map(({ lps }) => lps))).toBe(8);
});

describe('E10: groups of 3 × 28 and 2 × 28 on a pump of 6 L/s', () => {
  const groups = [group('A', 3), group('B', 2)];

  it('are over it side by side from 00:00 to 00:56, which is said once the pump is known', () => {
    const planned = plan(groups);
    expect(findingsOf(planned)).toEqual([]);
    const { runs, cycleMin } = planned.ok ? planned.plan : { runs: [], cycleMin: 1440 };
    const units = groups.flatMap((each) => each.units);
    expect(findConflicts({ runs, cycleMin }, units, limits(6))).toEqual([
      { code: 'overPump', severity: 'warning', figures: { lps: 8, maxLps: 6, fromMin: 0, toMin: 56 } },
    ]);
  });

  it('water one at a time with limits, the line with the most minutes left first', () => {
    const planned = plan(groups, { limits: limits(6) });
    expect(runsOf(planned)).toEqual(['A1 0+28', 'A2 28+28', 'B1 56+28', 'A3 84+28', 'B2 112+28']);
    expect(endOf(planned)).toBe(140);
  });

  it('are refused where the pump is less than one sprinkler', () => {
    expect(findingsOf(plan(group('A', 1), { limits: limits(3) }))).toEqual([
      ['error', 'overPump', { lps: 4, maxLps: 3 }],
    ]);
  });
});

describe('groups A and B of 2 × 28 on a main of 4 L/s, C beside them', () => {
  const groups = [group('A', 2), group('B', 2), group('C', 2)];
  const west = { name: 'West', maxLps: 4, groups: ['uid-A', 'uid-B', 'uid-gone'] };
  const within = (more: Partial<Limits> = {}): Limits => ({ ...limits(null), mains: [west], ...more });

  it('without limits draw twice what it gives, which is said once the main is known', () => {
    const planned = plan(groups);
    const { runs, cycleMin } = planned.ok ? planned.plan : { runs: [], cycleMin: 1440 };
    const units = groups.flatMap((each) => each.units);
    expect(findConflicts({ runs, cycleMin }, units, within())).toEqual([
      {
        code: 'overMain',
        severity: 'warning',
        main: 'West',
        figures: { lps: 8, maxLps: 4, fromMin: 0, toMin: 56 },
      },
    ]);
  });

  it('water one after the other on it, and C meanwhile', () => {
    const planned = plan(groups, { limits: within() });
    expect(runsOf(planned)).toEqual(['A1 0+28', 'C1 0+28', 'B1 28+28', 'C2 28+28', 'A2 56+28', 'B2 84+28']);
    expect(findingsOf(planned)).toEqual([]);
  });

  it('keep to the pump besides', () => {
    // One at a time: C waits for the main's two lines as they wait for each other.
    expect(endOf(plan(groups, { limits: within({ maxLps: 4 }) }))).toBe(168);
  });

  it('do not fit where the main is too small for all: the bound is the main’s', () => {
    // 2 × 26 × 28 min × 4 L/s through 4 L/s are 1,456 min of a day; 27 min are 1,404.
    const many = [group('A', 26), group('B', 26)];
    expect(findingsOf(plan(many, { limits: within(), cycleMin: 1440 }))).toEqual([
      [
        'error',
        'doesNotFitLimits',
        { cycleMin: 1440, lineMin: 728, flowMin: 1456, windowMin: 1440, longestMin: 27 },
      ],
    ]);
  });

  it('are refused where the main gives less than one sprinkler', () => {
    expect(findingsOf(plan(groups, { limits: within({ mains: [{ ...west, maxLps: 3 }] }) }))[0]).toEqual([
      'error',
      'overMain',
      { lps: 4, maxLps: 3 },
    ]);
  });
});

it('a group that is set to give 0 L/s is said to be held by no limit of flow', () => {
  const dry = { ...group('A', 2), units: group('A', 2).units.map((unit) => ({ ...unit, lps: 0 })) };
  const west = { name: 'West', maxLps: 4, groups: ['uid-A'] };
  for (const held of [limits(4), { ...limits(null), mains: [west] }])
    expect(findingsOf(plan([dry, group('B', 1)], { limits: held }))).toEqual([['warning', 'noFlow', {}]]);
  const others = { ...limits(null), mains: [{ ...west, groups: ['uid-B'] }] };
  expect(findingsOf(plan([dry, group('B', 1)], { limits: others }))).toEqual([]);
});

it('what is over 15 mm at one go may run off: 90 min at 0.1724 mm, once for a line', () => {
  const planned = plan(group('A', 3), { durationMin: 90 });
  const [only, ...others] = planned.ok ? planned.plan.findings : [];
  expect(others).toEqual([]);
  expect(only).toMatchObject({ code: 'runoff', severity: 'note', group: 'A' });
  expect(only?.figures.mm).toBeCloseTo(15.516, 3);
  expect(plan(group('A', 3), { durationMin: 87 })).toMatchObject({ plan: { findings: [] } });
});

it.each([
  [
    'ends with the cycle',
    1412,
    [
      [0, 0],
      [1412, 4],
    ],
  ],
  [
    'goes on after its end',
    1420,
    [
      [0, 4],
      [8, 0],
      [1420, 4],
    ],
  ],
])('the flow of a run that %s', (_, start, steps) => {
  const flow = flowProfile([{ unit: 'A1', start, duration: 28 }], 1440, () => 4);
  expect(flow.map(({ fromMin, lps }) => [fromMin, lps])).toEqual(steps);
});

describe('E11: within limits as quick as is possible', () => {
  it('12 lines of 20 × 28 at 40 L/s take 672 min', () => {
    const groups = Array.from({ length: 12 }, (_, index) => group(`G${index}-`, 20));
    expect(endOf(plan(groups, { limits: limits(40) }))).toBe(672);
  });

  it('lines of 30, 20 and 10 at 8 L/s take 840 min', () => {
    const groups = [group('A', 30), group('B', 20), group('C', 10)];
    expect(endOf(plan(groups, { limits: limits(8) }))).toBe(840);
  });
});

describe('E12: in a window from 21:00 to 07:00', () => {
  const night = { startMin: 1260, limits: limits(null, [{ fromMin: 1260, toMin: 420 }]) };

  it('20 × 28 fit; A8 begins at 00:16 of the day', () => {
    const planned = plan(group('A', 20), night);
    expect([cycleOf(planned), startsOf(planned)[0], startsOf(planned)[7], startsOf(planned)[19]]).toEqual([
      1440, 1260, 16, 352,
    ]);
    expect(planned.ok && planned.plan.runs[7]).toMatchObject({ unit: 'A8', cycle: 1 });
  });

  it('22 × 28 don’t fit daily: 616 of 600 min; 27 min do', () => {
    expect(findingsOf(plan(group('A', 22), { ...night, cycleMin: 1440 }))).toEqual([
      [
        'error',
        'doesNotFitLimits',
        { cycleMin: 1440, lineMin: 616, flowMin: 0, windowMin: 600, longestMin: 27 },
      ],
    ]);
    // The last of 22 from 21:00 begins at 06:27 and ends at 06:54.
    expect(startsOf(plan(group('A', 22), { ...night, durationMin: 27 })).at(-1)).toBe(387);
  });

  it('and fit every second day, the last one on the second night', () => {
    const planned = plan(group('A', 22), night);
    expect([cycleOf(planned), startsOf(planned).at(-1)]).toEqual([2880, 2700]);
  });

  it('what is to be avoided is waited for', () => {
    const milking = { fromMin: 1290, toMin: 1350 };
    const planned = plan(group('A', 2), { startMin: 1260, limits: { ...night.limits, avoid: [milking] } });
    expect(startsOf(planned)).toEqual([1260, 1350]);
  });
});

describe('E22: A3 in groups North and East', () => {
  const [a1, a2, a3] = [unit('A1'), unit('A2'), unit('A3')];

  it('at two times is a note of the sum', () => {
    const north = { ...group('North', 0), units: [a1, a2, a3] };
    const east = { ...group('East', 0), units: [a3] };
    const planned = plan([north, east]);
    expect(runsOf(planned)).toEqual(['A3 0+28', 'A1 0+28', 'A2 28+28', 'A3 56+28']);
    const [finding] = planned.ok ? planned.plan.findings : [];
    expect([finding?.code, finding?.unit, finding?.figures['mm']?.toFixed(1)]).toEqual([
      'twice',
      'A3',
      '9.7',
    ]);
  });

  it('one straight after the other is no clash', () => {
    const north = { ...group('North', 0), units: [a1, a3] };
    const east = { ...group('East', 0), units: [a3] };
    const planned = plan([north, east]);
    expect(runsOf(planned)).toEqual(['A3 0+28', 'A1 0+28', 'A3 28+28']);
    expect(findingsOf(planned).map(([severity, code]) => [severity, code])).toEqual([['note', 'twice']]);
  });

  it('at one time is refused with both groups', () => {
    const planned = plan([
      { ...group('North', 0), units: [a3] },
      { ...group('East', 0), units: [a3] },
    ]);
    expect(planned).toMatchObject({
      ok: false,
      findings: [{ code: 'twiceAtOnce', severity: 'error', unit: 'A3', group: 'East', otherGroup: 'North' }],
    });
  });
});

describe('what there is to plan', () => {
  it('must be a sprinkler at least', () =>
    expect(findingsOf(plan([group('A', 0)]))).toEqual([['error', 'noUnits', {}]]));

  it('may have a group without one, which is noted', () =>
    expect(findingsOf(plan([group('A', 0), group('B', 1)]))).toEqual([['note', 'emptyGroup', {}]]));

  it('has at most 24 waterings of a sprinkler', () => {
    const rounds = (cycleMin: number) => plan(group('A', 1), { cycleMin });
    expect(cycleOf(rounds(60))).toBe(60);
    expect(findingsOf(rounds(48))).toEqual([['error', 'tooManyEntries', { entries: 30, most: 24 }]]);
  });

  it('may begin in the evening: what is past midnight is on the ring', () =>
    expect(runsOf(plan(group('A', 3), { startMin: 1400 }))).toEqual([
      'A1 1400+28',
      'A2 1428+28',
      'A3 16+28',
    ]));
});

it('names of any script, with emoji, and of any number are taken as they are', () => {
  const names = ['🐄10', '🐄2', 'حقل ب', 'حقل أ', 'Ōtaki'];
  const made = plan({ ...group('🐄 مرعى', 0), units: names.map(unit) });
  const runs = made.ok ? made.plan.runs : [];
  expect(runs.map((run) => run.unit).toSorted()).toEqual(names.toSorted());
  expect(runs.map(({ start }) => start)).toEqual([0, 28, 56, 84, 112]);
  expect(new Set(runs.map(({ scheduleGroup }) => scheduleGroup))).toEqual(new Set(['🐄 مرعى']));
  const place = (name: string) => runs.findIndex((run) => run.unit === name);
  expect(place('🐄2')).toBeLessThan(place('🐄10'));
});

it('a group of 5,000 does not fit in one line, and does in two of a minute each', () => {
  expect(plan(group('A', 5000), { durationMin: 1 }).ok).toBe(false);
  const made = plan(group('A', 5000, { lines: 2 }), { durationMin: 1 });
  const runs = made.ok ? made.plan.runs : [];
  expect([runs.length, Math.max(...runs.map(({ start }) => start)), made.ok && made.plan.cycleMin]).toEqual([
    5000, 2499, 2880,
  ]);
});

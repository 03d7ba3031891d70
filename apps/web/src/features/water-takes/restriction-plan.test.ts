import { describe, expect, it } from 'vitest';
import type { Timeline } from '@headrace/contract/timeline';
import type { Restriction } from '@headrace/contract/water-takes';
import { restrictionPlan, spanAhead } from './restriction-plan.ts';

const HOUR = 3_600_000;
const at = (hour: number) => hour * HOUR;
const turns = { said: 0, believed: 0, will: 0, unsure: 0, wont: 0, notHeard: 0 };
const line = (name: string, from: number, counts: Partial<typeof turns>) => ({
  id: name,
  name,
  units: 2,
  unknown: 0,
  open: [],
  next: null,
  mixed: null,
  holds: [],
  turns: {
    ...turns,
    ...counts,
  },
  busy: [
    {
      startAt: at(from),
      startMin: 0,
      endAt: at(from + 1),
      sign: 'will' as const,
      turns: 2,
    },
  ],
});
const timeline = {
  from: at(0),
  to: at(12),
  now: at(1),
  lines: [
    line('Late', 9, { will: 2 }),
    line('Held', 5, { wont: 3 }),
    line('Soon', 4, {
      will: 1,
      unsure: 2,
    }),
    line('Now', 0.5, { believed: 1 }),
  ],
  flow: {
    from: at(0),
    stepMin: 15,
    planned: [10, 10, 4, 0],
    notIn: 3,
    maxLps: null,
    mains: [],
    meters: [],
  },
} as unknown as Timeline;
const of = (kind: Restriction['kind'], percent: number) => ({
  from: '1970-01-01T00:00:00Z',
  to: '1970-01-01T12:00:00Z',
  note: '',
  kind,
  percent,
});
const take = { maxLps: 20, maxM3Day: 1728 };

describe('what is planned in the time of a restriction', () => {
  it('names the groups that water then, the next first; what is known not to come is none', () => {
    const { groups } = restrictionPlan(timeline, of('cease', 0), take);
    expect(groups.map(({ name, turns: n, unsure, next }) => [name, n, unsure, next])).toEqual([
      ['Now', 1, 0, null],
      ['Soon', 3, 2, at(4)],
      ['Late', 2, 0, at(9)],
    ]);
  });

  it.each([
    // (10 + 10 + 4) L/s × 900 s = 21,600 L.
    ['cease' as const, 0, 0, null],
    ['rate' as const, 50, 10, null],
    // Half of 1,728 m³ a day, for half a day.
    ['volume' as const, 50, null, 432],
  ])('says what is planned against what may be taken: %s', (kind, percent, allowedLps, allowedM3) => {
    const plan = restrictionPlan(timeline, of(kind, percent), take);
    expect(plan).toMatchObject({ peakLps: 10, plannedM3: 21.6, notIn: 3, allowedLps });
    if (allowedM3 === null) expect(plan.allowedM3).toBeNull();
    else expect(plan.allowedM3).toBeCloseTo(allowedM3);
  });

  it('is of what is still to come, a week at most', () => {
    const restriction = { from: '2026-11-20T11:00:00Z', to: '2026-12-20T11:00:00Z' };
    const now = Date.parse('2026-11-21T20:07:00Z');
    expect(spanAhead(restriction, now)).toEqual({
      from: Date.parse('2026-11-21T20:00:00Z'),
      to: Date.parse('2026-11-28T20:00:00Z'),
    });
    expect(spanAhead(restriction, Date.parse('2026-12-20T11:00:00Z'))).toBeNull();
  });
});

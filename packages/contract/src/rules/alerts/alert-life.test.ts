import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AlertClass, alertClasses } from './alert-kinds.ts';
import { answered, dueAt, type Life, lived, type LifeRule, type Seen, type Side } from './alert-life.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const rule: LifeRule = { holdMs: 15 * MINUTE, clearMs: 15 * MINUTE, isUpward: false, isMoment: false };
const saw = (side: Side, minute: number, value: number | null = 10, of: AlertClass = 'important'): Seen => ({
  side,
  at: minute * MINUTE,
  value,
  class: of,
});
const at = (life: Life | null, seen: Seen, minute: number, by = rule) =>
  lived(life, seen, by, minute * MINUTE);
const life = (over: Partial<Life> = {}): Life => ({
  state: 'firing',
  since: 0,
  firedAt: 15 * MINUTE,
  answeredAt: null,
  clearSince: null,
  class: 'important',
  value: 10,
  peak: 10,
  cameBack: 0,
  ...over,
});
const clearing = life({ state: 'clearing', clearSince: 60 * MINUTE });

describe('what becomes of an alert on a device', () => {
  it.each<[string, Life | null, Seen, number, string | null, string[]]>([
    ['nothing is so', null, saw('out', 5), 5, null, []],
    ['between the limits nothing begins', null, saw('between', 5), 5, null, []],
    ['what is unknown begins nothing', null, saw('unknown', 5), 5, null, []],
    ['it begins, and is held first', null, saw('in', 5), 5, 'pending', []],
    [
      'what was so for its whole hold before it was looked at fires',
      null,
      saw('in', 5),
      20,
      'firing',
      ['fired'],
    ],
    ['the hold runs', life({ state: 'pending' }), saw('in', 14), 14, 'pending', []],
    ['the hold is over', life({ state: 'pending' }), saw('in', 15), 15, 'firing', ['fired']],
    [
      'the hold is over, but the device is silent',
      life({ state: 'pending' }),
      saw('unknown', 2),
      40,
      'pending',
      [],
    ],
    ['within the hold it was over', life({ state: 'pending' }), saw('out', 14), 14, null, []],
    [
      'within the hold it is no longer beyond the limit',
      life({ state: 'pending' }),
      saw('between', 14),
      14,
      null,
      [],
    ],
    ['goes on', life(), saw('in', 30), 30, 'firing', []],
    ['between value and end value it stays', life(), saw('between', 30), 30, 'firing', []],
    ['silence ends nothing', life(), saw('unknown', 30), 30, 'firing', []],
    ['the end value is reached', life(), saw('out', 60), 60, 'clearing', []],
    [
      'it was over for its clear hold before it was looked at',
      life(),
      saw('out', 60),
      75,
      'clearing',
      ['ended'],
    ],
    ['the clear hold runs', clearing, saw('out', 74), 74, 'clearing', []],
    ['between the limits the clear hold runs on', clearing, saw('between', 74), 74, 'clearing', []],
    ['it comes back within the clear hold', clearing, saw('in', 74), 74, 'firing', ['came back']],
    ['the clear hold is over', clearing, saw('between', 75), 75, 'clearing', ['ended']],
    ['the clear hold is over in silence', clearing, saw('unknown', 61), 75, 'clearing', ['ended']],
    [
      'what somebody answered comes back answered',
      life({ state: 'clearing', clearSince: 60 * MINUTE, answeredAt: 30 * MINUTE }),
      saw('in', 61),
      61,
      'answered',
      ['came back'],
    ],
    [
      'answered, and still so',
      life({ state: 'answered', answeredAt: 0 }),
      saw('in', 719),
      719,
      'answered',
      [],
    ],
    [
      'answered, and still so after 12 h',
      life({ state: 'answered', answeredAt: 0 }),
      saw('in', 720),
      720,
      'firing',
      ['asked again'],
    ],
    [
      'urgent, answered, and still so after 2 h',
      life({ state: 'answered', answeredAt: 0, class: 'urgent' }),
      saw('in', 120, 10, 'urgent'),
      120,
      'firing',
      ['asked again'],
    ],
    ['it gets worse', life(), saw('in', 30, 5, 'urgent'), 30, 'firing', ['got worse']],
    [
      'it gets worse after the answer',
      life({ state: 'answered', answeredAt: 20 * MINUTE }),
      saw('in', 30, 5, 'urgent'),
      30,
      'firing',
      ['got worse'],
    ],
    ['it gets better', life({ class: 'urgent' }), saw('in', 30, 15), 30, 'firing', []],
    ['it comes back worse', clearing, saw('in', 74, 5, 'urgent'), 74, 'firing', ['came back', 'got worse']],
  ])('%s', (_name, before, seen, minute, state, steps) => {
    const { life: after, steps: taken } = at(before, seen, minute);
    expect([after?.state ?? null, taken]).toEqual([state, steps]);
  });

  it('without holds it fires and ends at once, at the times that the device said', () => {
    const none = { ...rule, holdMs: 0, clearMs: 0 };
    const fired = at(null, saw('in', 5), 6, none);
    expect(fired).toMatchObject({ life: { state: 'firing', since: 5 * MINUTE, firedAt: 6 * MINUTE } });
    expect(at(fired.life, saw('out', 8), 9, none)).toMatchObject({ steps: ['ended'], endedAt: 8 * MINUTE });
  });

  it('a moment is told and over', () => {
    expect(at(null, saw('in', 5), 6, { ...rule, holdMs: 0, isMoment: true })).toMatchObject({
      steps: ['fired', 'ended'],
      endedAt: 5 * MINUTE,
    });
  });

  it('keeps the lowest, or the highest, value', () => {
    const down = at(at(life(), saw('in', 20, 4), 20).life, saw('in', 30, 8), 30).life;
    expect(down).toMatchObject({ value: 8, peak: 4 });
    const up = at(life({ peak: 10 }), saw('in', 20, 97), 20, { ...rule, isUpward: true }).life;
    expect(up).toMatchObject({ value: 97, peak: 97 });
  });

  it('a clock that is ahead begins it no later than now', () => {
    expect(at(null, saw('in', 15), 5).life).toMatchObject({ since: 5 * MINUTE });
  });
});

describe('an answer', () => {
  it('is taken of what was told, and asked again after its time', () => {
    const one = answered(life(), 20 * MINUTE);
    expect(one).toMatchObject({ state: 'answered', answeredAt: 20 * MINUTE });
    expect(dueAt(one, rule)).toBe(20 * MINUTE + 12 * HOUR);
  });

  it('changes nothing of what is clearing', () => {
    expect(answered(clearing, 70 * MINUTE)).toBe(clearing);
  });
});

describe('in any order of words and looks', () => {
  const seen = fc.record({
    side: fc.constantFrom<Side>('in', 'between', 'out', 'unknown'),
    wait: fc.integer({ min: 0, max: 120 }),
    value: fc.integer({ min: 0, max: 100 }),
    class: fc.constantFrom(...alertClasses),
  });

  it('what fired ends once, and nothing ends that did not fire', () => {
    fc.assert(
      fc.property(fc.array(seen, { maxLength: 60 }), (reports) => {
        let [one, now, open] = [null as Life | null, 0, false];
        for (const { wait, ...report } of reports) {
          now += wait * MINUTE;
          const { life: next, steps, endedAt } = lived(one, { ...report, at: now }, rule, now);
          if (steps.includes('fired')) expect(open).toBe(false);
          if (steps.includes('fired')) open = true;
          if (endedAt !== null) expect(open).toBe(true);
          if (endedAt !== null) open = false;
          one = endedAt === null ? next : null;
          expect(one !== null && one.state !== 'pending').toBe(open);
        }
      }),
    );
  });

  it('looking again without a new word changes nothing but what is due', () => {
    fc.assert(
      fc.property(fc.array(seen, { maxLength: 40 }), (reports) => {
        let [one, now] = [null as Life | null, 0];
        for (const { wait, ...report } of reports) {
          now += wait * MINUTE;
          const { life: next, endedAt } = lived(one, { ...report, at: now }, rule, now);
          one = endedAt === null ? next : null;
          const again = lived(one, { ...report, at: now }, rule, now);
          expect(again.life).toEqual(one);
          expect(again.steps).toEqual([]);
        }
      }),
    );
  });
});

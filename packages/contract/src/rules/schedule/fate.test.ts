import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doubtsOf, fateOf, type UnitFacts } from './fate.ts';
import type { Occurrence } from './occurrences.ts';
import { programmeOf } from './programme.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const at = (text: string) => (Number(text.slice(0, 2)) * 60 + Number(text.slice(3))) * MINUTE;

/** 05:12 to 05:40. */
const held = programmeOf([{ start: 312, duration: 28 }], 1440);
const run: Occurrence = {
  startAt: at('05:12'),
  endAt: at('05:40'),
  entry: { start: 312, duration: 28, cycle: 1 },
  clock: 'plain',
};
const well: UnitFacts = {
  held,
  isOnItsWay: false,
  isInService: true,
  isDayOut: false,
  isInhibited: false,
  isStopWanted: false,
  holdUntil: null,
  heardAt: at('05:00'),
  clockS: null,
};

const summary = (facts: Partial<UnitFacts>, now: string) => {
  const { kind, reasons, shiftS } = fateOf(run, { ...well, ...facts }, at(now));
  return [kind, ...reasons.map(({ code }) => code), ...(shiftS === 0 ? [] : [shiftS])].join(' ');
};

describe('what becomes of a watering', () => {
  it.each([
    ['nothing is against it', {}, '05:11', 'will'],
    ['it has begun', {}, '05:12', 'under way'],
    ['it has ended', {}, '05:40', 'over'],
    ['it was asked to stop and has not said so', { isStopWanted: true }, '05:11', 'unsure stopWanted'],
    ['the unit is inhibited', { isInhibited: true }, '05:11', 'wont inhibited'],
    ['it holds none', { held: 'nothing' as const }, '05:11', 'wont holdsNothing'],
    [
      'it holds another plan',
      { held: programmeOf([{ start: 312, duration: 22 }], 1440) },
      '05:11',
      'wont holdsAnother',
    ],
    ['it holds a foreign one', { held: 'foreign' as const }, '05:11', 'unsure foreign'],
    ['nobody knows what it holds', { held: 'unknown' as const }, '05:11', 'unsure notKnown'],
    ['another plan is on its way', { isOnItsWay: true }, '05:11', 'unsure onItsWay'],
    ['it is out of service and was not cleared', { isInService: false }, '05:11', 'unsure outOfService'],
    ['it said another day of its cycle', { isDayOut: true }, '05:11', 'unsure dayOut'],
    ['its group is held and it has not said so', { holdUntil: at('06:00') }, '05:11', 'unsure held'],
    ['the hold ends before', { holdUntil: at('05:00') }, '05:11', 'will'],
    [
      'its group is held, and it said so',
      { isInhibited: true, holdUntil: at('06:00') },
      '05:11',
      'wont held',
    ],
    [
      'it said so, and the hold ends before',
      { isInhibited: true, holdUntil: at('05:00') },
      '04:11',
      'unsure holdEnds',
    ],
    ['it was heard three days ago', { heardAt: at('05:11') - 3 * DAY }, '05:11', 'will'],
    ['and a minute', { heardAt: at('05:10') - 3 * DAY }, '05:11', 'unsure notHeard'],
    ['it was never heard', { heardAt: null }, '05:11', 'unsure notHeard'],
    ['its clock is 4 min slow: 05:16', { clockS: -240 }, '05:42', 'unsure clock 240'],
    ['its clock is 25 h slow', { clockS: -90_000 }, '05:42', 'unsure clock 90000'],
    ['until 05:44', { clockS: -240 }, '05:44', 'over 240'],
    ['its clock is a minute fast', { clockS: 60 }, '05:11', 'under way -60'],
  ])('when %s, at its time', (_, facts, now, expected) => {
    expect(summary(facts, now)).toBe(expected);
  });
});

it('invariant 15: what won’t be, or isn’t sure, has a reason, and what the unit said is never contradicted', () => {
  const facts = fc.record({
    held: fc.constantFrom(
      held,
      programmeOf([], 1440),
      'foreign' as const,
      'nothing' as const,
      'unknown' as const,
    ),
    isOnItsWay: fc.boolean(),
    isInService: fc.boolean(),
    isDayOut: fc.boolean(),
    isInhibited: fc.boolean(),
    isStopWanted: fc.boolean(),
    holdUntil: fc.option(fc.integer({ min: 0, max: DAY })),
    heardAt: fc.option(fc.integer({ min: -5 * DAY, max: DAY })),
    clockS: fc.option(fc.integer({ min: -600, max: 600 })),
  });
  fc.assert(
    fc.property(facts, fc.integer({ min: 0, max: DAY }), (unit, now) => {
      const { kind, reasons } = fateOf(run, unit, now);
      expect(reasons.length > 0).toBe(kind === 'wont' || kind === 'unsure');
      const isOverBefore = unit.holdUntil !== null && unit.holdUntil <= run.startAt;
      if ((unit.isInhibited && !isOverBefore) || unit.held === 'nothing')
        expect(['wont', 'over']).toContain(kind);
      if (kind === 'will' || kind === 'under way') expect(unit.held).toBe(held);
    }),
    { numRuns: 1000 },
  );
});

describe('what keeps a unit from watering as it is to', () => {
  const doubts = (facts: Partial<UnitFacts>, olderSince: number | null = null) =>
    doubtsOf({ ...well, ...facts }, olderSince, at('05:11')).map(({ code }) => code);

  it('is nothing where all is well', () => {
    expect(doubts({})).toEqual([]);
  });

  it('is told with the worst first', () => {
    expect(
      doubts(
        { isInhibited: true, isOnItsWay: true, isInService: false, heardAt: null, clockS: 61 },
        at('04:00'),
      ),
    ).toEqual(['inhibited', 'holdsAnother', 'onItsWay', 'outOfService', 'notHeard', 'clock']);
    expect(doubts({ held: 'nothing' })).toEqual(['holdsNothing']);
    expect(doubts({ held: 'foreign' })).toEqual(['foreign']);
  });

  it('has since when it holds another programme', () => {
    expect(doubtsOf(well, at('04:00'), at('05:11'))).toEqual([{ code: 'holdsAnother', at: at('04:00') }]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flowCheck, type FlowFacts, flowSuspects, SUSPECTS_MOST } from './flow-check.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 25);
const ago = (minutes: number) => NOW - minutes * MINUTE;
/** So many L/s, said 15 min and 5 min ago. */
const shows = (...lps: number[]) =>
  lps.map((one, index) => ({ lps: one, at: ago(5 + 10 * (lps.length - 1 - index)) }));
const facts = (over: Partial<FlowFacts> = {}): FlowFacts => ({
  openLps: 40,
  mayBeLps: 0,
  changedAt: ago(60),
  samples: shows(38, 38),
  ...over,
});

describe('what flows against what is open', () => {
  it.each<[string, Partial<FlowFacts>, unknown]>([
    ['38 of 40 L/s: it agrees', {}, { state: 'agrees', meterLps: 38, byLps: 0 }],
    [
      '46 of 40: 15 % more is within what a meter may be off',
      { samples: shows(46, 46) },
      { state: 'agrees' },
    ],
    ['52 of 40: 12 L/s more than is open', { samples: shows(52, 52) }, { state: 'more', byLps: 12 }],
    ['30 of 40: 10 L/s less than should flow', { samples: shows(30, 30) }, { state: 'less', byLps: 10 }],
    [
      '10 of 8: 2 L/s are within what a meter may be off',
      { openLps: 8, samples: shows(10, 10) },
      { state: 'agrees' },
    ],
    [
      '10.5 of 8: a small farm’s leak',
      { openLps: 8, samples: shows(10.5, 10.5) },
      { state: 'more', byLps: 2.5 },
    ],
    ['12 L/s and nothing open', { openLps: 0, samples: shows(12, 12) }, { state: 'more', byLps: 12 }],
    ['52 of 40, and 12 that may be open', { mayBeLps: 12, samples: shows(52, 52) }, { state: 'agrees' }],
    [
      'nothing of 40: those that may be open count for nothing',
      { mayBeLps: 12, samples: shows(0, 0) },
      { state: 'less', byLps: 40 },
    ],
  ])('%s', (_, over, check) => {
    expect(flowCheck(facts(over), NOW)).toMatchObject(check as object);
  });

  it.each<[string, Partial<FlowFacts>]>([
    ['without a meter', { samples: [] }],
    ['after a single word of it', { samples: [{ lps: 52, at: ago(5) }] }],
    [
      'when its words lie nine minutes apart',
      {
        samples: [
          { lps: 52, at: ago(14) },
          { lps: 52, at: ago(5) },
        ],
      },
    ],
    [
      'when it was silent for 21 minutes',
      {
        samples: [
          { lps: 52, at: ago(40) },
          { lps: 52, at: ago(21) },
        ],
      },
    ],
    ['while its flow changes', { samples: shows(20, 52) }],
    ['within ten minutes after a valve moved', { changedAt: ago(14), samples: shows(52, 52) }],
    [
      'where a valve moved since the word before the newest, 30 minutes ago: the newest total is of before and after',
      {
        openLps: 24,
        changedAt: ago(25),
        samples: [
          { lps: 40, at: ago(35) },
          { lps: 36, at: ago(5) },
        ],
      },
    ],
    ['when nothing is open and nothing flows', { openLps: 0, samples: shows(0.4, 0.4) }],
  ])('says nothing %s', (_, over) => {
    expect(flowCheck(facts(over), NOW)).toBeNull();
  });

  it('takes the flow of the time since the word that it begins with, not of the time before that', () => {
    // 24 L/s since a valve closed 26 minutes ago; the word of 25 minutes ago still has a share of before.
    const samples = [
      { lps: 27, at: ago(25) },
      { lps: 24, at: ago(15) },
      { lps: 24, at: ago(5) },
    ];
    expect(flowCheck(facts({ openLps: 24, changedAt: ago(26), samples }), NOW)).toMatchObject({
      state: 'agrees',
      meterLps: 24,
    });
    const wide = [samples[0], samples[2]].flatMap((one) => one ?? []);
    expect(flowCheck(facts({ openLps: 24, changedAt: ago(26), samples: wide }), NOW)?.meterLps).toBe(24);
  });

  it('never calls a leak what open valves, or those that may be open, can use, and none what they must', () => {
    const lps = fc.double({ min: 0, max: 200, noNaN: true });
    fc.assert(
      fc.property(lps, lps, fc.double({ min: 0, max: 1, noNaN: true }), (openLps, mayBeLps, share) => {
        const flow = openLps + mayBeLps * share;
        const check = flowCheck(facts({ openLps, mayBeLps, samples: shows(flow, flow) }), NOW);
        expect(check === null || check.state === 'agrees').toBe(true);
      }),
    );
  });

  it('tells more only of more than 2 L/s and 15 %, and less likewise', () => {
    const lps = fc.double({ min: 0, max: 200, noNaN: true });
    fc.assert(
      fc.property(lps, lps, lps, (openLps, mayBeLps, flow) => {
        const check = flowCheck(facts({ openLps, mayBeLps, samples: shows(flow, flow) }), NOW);
        if (check?.state === 'more')
          expect(check.byLps).toBeGreaterThan(Math.max(2, 0.15 * (openLps + mayBeLps)) - 1e-9);
        if (check?.state === 'less') expect(check.byLps).toBeGreaterThan(Math.max(2, 0.15 * openLps) - 1e-9);
      }),
    );
  });
});

describe('who may be letting it through', () => {
  const unit = (id: string, minutes: number | null, isSaidClosed = true) => ({
    id,
    movedAt: minutes === null ? null : ago(minutes),
    isSaidClosed,
  });
  it('is whose valve moved last, and of these who has not said that it closed', () => {
    const units = [
      unit('old', 1500),
      unit('A', 50),
      unit('B', 20),
      unit('C', 50, false),
      unit('never', null),
    ];
    expect(flowSuspects(units, NOW).map(({ id }) => id)).toEqual(['B', 'C', 'A']);
  });

  it('is at most ten', () => {
    const many = Array.from({ length: 30 }, (_, index) => unit(`${index}`, index + 1));
    expect(flowSuspects(many, NOW)).toHaveLength(SUSPECTS_MOST);
  });
});

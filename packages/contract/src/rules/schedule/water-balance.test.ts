import { describe, expect, it } from 'vitest';
import { advise, type AdviceFacts } from './advise.ts';
import { defaultSoil, fullMm, type SoilSettings } from './soil-settings.ts';
import { type KnownDay, waterBalance } from './water-balance.ts';

/** 60 mm, half of it easy to take. */
const soil: SoilSettings = { ...defaultSoil, awcMmPerM: 120, rootM: 0.5, easyShare: 0.5, kc: 1 };
const day = (n: number, more: Partial<KnownDay> = {}): KnownDay => ({
  day: `2026-11-0${n}`,
  et0Mm: 4.5,
  rainMm: 0,
  appliedMm: 0,
  mostMm: 0,
  ...more,
});
const from = (depletionMm: number) => ({ day: '2026-11-01', depletionMm });
const lacks = (days: readonly KnownDay[], depletionMm = 21) =>
  waterBalance(from(depletionMm), days, soil).map((one) => one.depletionMm);

describe('the balance of a soil of 60 mm that lacked 21 mm', () => {
  it('goes on by what the crop used, what fell and what reached its roots of what was given', () => {
    // 21 + 4.5; + 4.5 − 0.85 × 5 = 25.75; + 4.5 − 12 = 18.25; rain of 0.8 is under a fifth of 4.5: 22.75.
    const days = [
      day(2),
      day(3, { appliedMm: 5, mostMm: 5 }),
      day(4, { rainMm: 12 }),
      day(5, { rainMm: 0.8 }),
    ];
    expect(lacks(days)).toEqual([25.5, 25.75, 18.25, 22.75]);
  });

  it('tells what it would be if those that were not heard watered', () => {
    const [one] = waterBalance(from(21), [day(2, { appliedMm: 2, mostMm: 5 })], soil);
    // 25.5 − 1.7, and 25.5 − 4.25.
    expect([one?.depletionMm, one?.leastMm]).toEqual([23.8, 21.25]);
  });

  it('ends where the use of a day or its irrigation is not known; rain that nobody measured is none', () => {
    expect(lacks([day(2, { rainMm: null }), day(3, { et0Mm: null }), day(4)])).toEqual([25.5, null, null]);
    expect(lacks([day(2, { appliedMm: null, mostMm: null }), day(3)])).toEqual([null, null]);
  });

  it('begins with no more than the soil holds', () => {
    // Nothing is left to use.
    expect(lacks([day(2)], 90)).toEqual([60]);
  });
});

describe('the advice for it, by cycles of 5 mm of which 4.25 mm reach the roots', () => {
  const facts: AdviceFacts = {
    depletionMm: 21,
    etcMm: [4.5, 4.5, 4.5],
    cycleMm: 5,
    roundDays: 0,
    rainAheadMm: null,
  };
  const advised = (more: Partial<AdviceFacts> = {}) => advise({ ...facts, ...more }, soil);

  it('at 65 % is two cycles for the 9 mm that it lacks to 80 %, and none on the next days', () => {
    // 21 − 8.5 = 12.5; 17, 21.5 and 26: 71.7 %, 64.2 % and 56.7 %.
    const { cycles, mm, outlook } = advised();
    expect([cycles, mm]).toEqual([2, 10]);
    expect(outlook.map(({ depletionMm, cycles: then }) => [depletionMm, then])).toEqual([
      [17, 0],
      [21.5, 2],
      [26, 3],
    ]);
  });

  it('by cycles that reach the roots whole is one now, none tomorrow at 20.5 mm and two the day after at 25', () => {
    const whole = advise({ ...facts, etcMm: [4.5, 4.5] }, { ...soil, efficiency: 1 });
    expect(whole.cycles).toBe(1);
    expect(whole.outlook.map(({ depletionMm, cycles }) => [depletionMm, cycles])).toEqual([
      [20.5, 0],
      [25, 2],
    ]);
  });

  it('asks for the day on which the last sprinkler has its turn', () => {
    // 19 + 4.5 = 23.5: 60.8 %.
    expect(advised({ depletionMm: 19 })).toMatchObject({ cycles: 0 });
    const late = advised({ depletionMm: 19, roundDays: 1 });
    expect(late.cycles).toBe(1);
    expect(late.fullnessAtLastTurn).toBeCloseTo(0.6083, 4);
  });

  it('is held back for rain that brings as much as is lacking, and counts none of it', () => {
    const held = advised({ rainAheadMm: 9 });
    expect([held.cycles, held.isHeldBack]).toEqual([2, true]);
    expect(held.outlook[0]?.depletionMm).toBe(25.5);
    expect(advised({ rainAheadMm: 8.9 }).isHeldBack).toBe(false);
  });

  it('is not held back where the crop would suffer meanwhile', () => {
    // 26 + 4.5 is more than 30.
    expect(advised({ depletionMm: 26, rainAheadMm: 40 }).isHeldBack).toBe(false);
    expect(advised({ depletionMm: 25.5, rainAheadMm: 40 }).isHeldBack).toBe(true);
  });
});

it('holds 65 mm for pasture on a sandy loam unless it is entered', () => {
  expect(fullMm(defaultSoil)).toBe(65);
});

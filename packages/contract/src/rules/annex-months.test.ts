import { describe, expect, it } from 'vitest';
import { groupMonths, rainMonths } from './annex-months.ts';

const days = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'];
const given = (day: string, mm: number, over = {}) => ({ day, mm, mostMm: mm, notKnown: 0, ...over });
const ofGroup = (all: readonly ReturnType<typeof given>[]) => ({
  groupUID: 'g',
  given: new Map(all.map((one) => [one.day, one])),
  kpaAtStart: new Map([
    ['2026-10-30', 45],
    ['2026-10-31', 25],
    ['2026-11-01', null],
  ]),
  refillKpa: 30,
});

describe('what a group was given by month', () => {
  it('adds up what was given, and says how the soil was when each day of watering began', () => {
    const group = ofGroup([given('2026-10-30', 4.8), given('2026-10-31', 2.4), given('2026-11-01', 5)]);
    const [october, november] = groupMonths(days, new Set(days), group);
    // 45 kPa is drier than the refill point of 30, 25 wetter; on the 1st nothing was read.
    expect(october).toMatchObject({ from: '2026-10-30', to: '2026-10-31', days: 2, known: 2 });
    expect(october).toMatchObject({ wateringDays: 2, read: 2, kpa: 35, wetter: 1 });
    expect(october?.mm).toBeCloseTo(7.2);
    expect(november).toMatchObject({ days: 2, known: 1, mm: 5, wateringDays: 1, read: 0, kpa: null });
  });

  it('takes no silence for zero: a day on which the farm was not heard, or that nobody reckoned, is not known', () => {
    const group = ofGroup([given('2026-10-30', 0), given('2026-10-31', 0)]);
    const [october, november] = groupMonths(days, new Set(['2026-10-30']), group);
    expect(october).toMatchObject({ known: 1, mm: 0, wateringDays: 0 });
    expect(november).toMatchObject({ known: 0, mm: null, mostMm: null });
  });

  it('says what it might have been with what was not heard', () => {
    const group = ofGroup([given('2026-10-30', 4, { mostMm: 6, notKnown: 3 })]);
    const [october] = groupMonths(days, new Set(days), group);
    expect(october).toMatchObject({ mm: 4, mostMm: 6, notKnown: 3 });
  });

  it('without a refill point it judges nothing', () => {
    const group = { ...ofGroup([given('2026-10-30', 4)]), refillKpa: null };
    expect(groupMonths(days, new Set(days), group)[0]).toMatchObject({ read: 1, kpa: 45, wetter: null });
  });
});

it('rain that nobody measured is not zero', () => {
  const rain = new Map([
    ['2026-10-30', 3.2],
    ['2026-10-31', 0],
  ]);
  expect(rainMonths(days, (day) => rain.get(day) ?? null)).toEqual([
    { from: '2026-10-30', to: '2026-10-31', days: 2, known: 2, mm: 3.2 },
    { from: '2026-11-01', to: '2026-11-02', days: 2, known: 0, mm: null },
  ]);
});

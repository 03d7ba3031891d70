import { expect, it, test } from 'vitest';
import type { ScheduleFarm } from '../../schedule-templates.ts';
import { defaultWaterApplication } from '../../default-farm.ts';
import { type PlanDesign, remediesOf, remedyForAll } from './remedies.ts';
import { planTemplate } from './template-plan.ts';

/** Groups of so many sprinklers, on a farm whose sprinklers draw 4 L/s. */
const farmOf = (sizes: Record<string, number>): ScheduleFarm => ({
  farm: { _id: 'f', name: 'Rakaia' },
  groups: Object.entries(sizes).map(([name, size]) => ({
    uid: name.toLowerCase(),
    name,
    isLateral: false,
    walConfig: defaultWaterApplication,
    ipcs: Array.from({ length: size }, (_, n) => ({
      id: `${name}${n}`,
      name: `${name}${n}`,
      serialNumber: `${name}${n}`,
      lat: null,
      lng: null,
    })),
  })),
  walConfig: defaultWaterApplication,
  v3Site: false,
});
const design = (groups: PlanDesign['groups'], more: Partial<PlanDesign> = {}): PlanDesign => ({
  groups,
  settings: { duration: 30 },
  ...more,
});
const found = (farm: ScheduleFarm, of: PlanDesign) => {
  const planned = planTemplate(farm, of);
  return planned.ok ? planned.plan.findings : planned.findings;
};
/** What is offered for the worst finding, and what is found once it is done. */
const mended = (farm: ScheduleFarm, of: PlanDesign) => {
  const [worst] = found(farm, of);
  const remedies = worst ? remediesOf(worst, of, { groups: farm.groups, supply: null }) : [];
  return remedies.map(({ text, design: next }) => [text, found(farm, next).map(({ code }) => code)]);
};

it('a group of 100 that needs 3,000 min of 2,880 fits with 28 min each, or on 2 lines', () => {
  const farm = farmOf({ North: 100, South: 4 });
  expect(mended(farm, design([{ uid: 'north' }, { uid: 'south' }]))).toEqual([
    ['28 min for North', []],
    // 50 × 30 min are a little more than a day, which is said.
    ['2 lines for North', ['nearlyDaily', 'nearlyDaily']],
  ]);
});

it('a group that is alone changes the duration of the template', () => {
  const farm = farmOf({ North: 100 });
  const of = design([{ uid: 'north' }]);
  const [worst] = found(farm, of);
  const [shorter] = worst ? remediesOf(worst, of, { groups: farm.groups, supply: null }) : [];
  expect([shorter?.text, shorter?.design.settings.duration]).toEqual(['28 min each', 28]);
});

it('a line of a group is mended by more lines of the group', () => {
  const farm = farmOf({ North: 200, South: 4 });
  const of = design([{ uid: 'north', lines: 2 }, { uid: 'south' }]);
  expect(mended(farm, of)).toEqual([
    ['28 min for North', []],
    ['4 lines for North', Array(4).fill('nearlyDaily')],
  ]);
});

it('what just misses a day is brought into it', () => {
  const farm = farmOf({ North: 49, South: 4 });
  expect(mended(farm, design([{ uid: 'north' }, { uid: 'south' }]))).toEqual([['29 min for North', []]]);
});

it('several groups that do not fit are offered what fits all, and own durations are cut to it', () => {
  const farm = farmOf({ North: 100, South: 120, East: 3 });
  const of = design([{ uid: 'north' }, { uid: 'south', duration: 40 }, { uid: 'east', duration: 10 }]);
  const [all] = remedyForAll(found(farm, of), of);
  // 2,880 / 120
  expect(all?.text).toBe('24 min each');
  expect(all?.design.settings.duration).toBe(24);
  expect(all?.design.groups.map(({ duration }) => duration)).toEqual([undefined, 24, 10]);
  expect(found(farm, all?.design ?? of)).toEqual([]);
});

it('within limits all water for less', () => {
  const farm = farmOf({ North: 20, South: 20 });
  // One sprinkler at a time for 10 h: 40 × 15 min.
  const limits = { maxLps: 5, windows: [{ fromMin: 0, toMin: 300 }], avoid: [] };
  const of = design([{ uid: 'north' }, { uid: 'south' }], { limits });
  expect(mended(farm, of)).toEqual([['15 min each', []]]);
});

it('a group without sprinklers, or that is gone, is left out', () => {
  const farm = farmOf({ North: 4, Empty: 0 });
  expect(mended(farm, design([{ uid: 'north' }, { uid: 'empty' }]))).toEqual([['Leave out Empty', []]]);
  const gone = { code: 'goneGroup', severity: 'error', group: 'Old', figures: {} } as const;
  const of = design([{ uid: 'north' }, { uid: 'old' }]);
  const [remedy] = remediesOf(gone, of, {
    groups: [...farm.groups, { uid: 'old', name: 'Old' }],
    supply: null,
  });
  expect(remedy?.design.groups).toEqual([{ uid: 'north' }]);
});

it('a sprinkler of two groups at once is watered by the first', () => {
  const farm = farmOf({ North: 2 });
  const twin = { ...farm, groups: [...farm.groups, { ...farm.groups[0]!, uid: 'all', name: 'All' }] };
  expect(mended(twin, design([{ uid: 'north' }, { uid: 'all' }]))[0]).toEqual(['Leave out North', []]);
});

it('more rounds than a sprinkler keeps become as many as it keeps', () => {
  const farm = farmOf({ North: 2 });
  const both = { ...farm, groups: [...farm.groups, { ...farm.groups[0]!, uid: 'all', name: 'All' }] };
  // Two groups, 24 rounds: 48 entries of 24.
  const of = design([{ uid: 'north' }, { uid: 'all' }], { settings: { duration: 1, cycleLen: 60 } });
  const remedies = remediesOf(
    { code: 'tooManyEntries', severity: 'error', unit: 'North0', figures: { entries: 48, most: 24 } },
    of,
    { groups: both.groups, supply: null },
  );
  expect(remedies.map(({ text, design: next }) => [text, next.settings.cycleLen])).toEqual([
    ['12 rounds a day', 120],
  ]);
});

it('a day’s water that may run off is given in rounds, with which nothing is found any more', () => {
  const farm = farmOf({ North: 8, South: 4 });
  const of = design([{ uid: 'north' }, { uid: 'south' }], { settings: { duration: 100 } });
  // 17.2 mm: two rounds of 8.6.
  expect(mended(farm, of)).toEqual([['2 rounds a day of 50 min', []]]);
  // Every second day there is no round of a day.
  expect(mended(farmOf({ North: 20 }), design([{ uid: 'north' }], { settings: { duration: 100 } }))).toEqual(
    [],
  );
});

it('what is too much for a main of the supply is kept to it', () => {
  const mains = [{ name: 'West', maxLps: 4, groups: ['north', 'south'] }];
  const supply = { maxLps: null, windows: [], avoid: [], mains };
  const [remedy] = remediesOf(
    { code: 'overMain', severity: 'warning', main: 'West', figures: {} },
    design([{ uid: 'north' }]),
    { groups: [], supply },
  );
  expect([remedy?.text, remedy?.design.limits]).toEqual(['Keep to the water supply', supply]);
});

test('what a person has to judge has no remedy', () => {
  const of = design([{ uid: 'north' }]);
  for (const code of ['overPump', 'outsideWindow', 'noUnits', 'twice', 'windyFew'] as const)
    expect(remediesOf({ code, severity: 'warning', figures: {} }, of, { groups: [], supply: null })).toEqual(
      [],
    );
});

it('what is too much for the water supply is kept to it', () => {
  const of = design([{ uid: 'north' }]);
  const supply = { maxLps: 6, windows: [], avoid: [{ fromMin: 1020, toMin: 1260 }] };
  const [remedy] = remediesOf({ code: 'overPump', severity: 'warning', figures: {} }, of, {
    groups: [],
    supply,
  });
  expect([remedy?.text, remedy?.design.limits]).toEqual(['Keep to the water supply', supply]);
});

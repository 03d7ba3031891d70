import { describe, expect, it } from 'vitest';
import { defaultWaterApplication } from '../farms.ts';
import { validateFarm, type FarmForm, toNumber } from './farm-form.ts';

const boundary = [
  { lat: -43.5, lng: 171.5 },
  { lat: -43.5, lng: 171.51 },
  { lat: -43.51, lng: 171.51 },
];
const good: FarmForm = {
  name: 'Home farm',
  address: { fullAddress: '1 Race Road, Hinds' },
  lat: -43.5,
  lng: 171.5,
  boundary,
};
const circle = (points: number) =>
  Array.from({ length: points }, (_, index) => ({
    lat: -43.5 + 0.1 * Math.sin((2 * Math.PI * index) / points),
    lng: 171.5 + 0.1 * Math.cos((2 * Math.PI * index) / points),
  }));

it('a farm with all that is required can be saved', () => {
  expect(validateFarm(good)).toEqual({});
  expect(
    validateFarm({
      ...good,
      irrigationArea: '12.5',
      boundary: circle(2000),
      walConfig: defaultWaterApplication,
    }),
  ).toEqual({});
});

it('a boundary that is no farm’s is refused, with why', () => {
  // Australia by four corners; 2.4 million ha are 24,000 km².
  const australia = [
    { lat: -12, lng: 114 },
    { lat: -12, lng: 150 },
    { lat: -38, lng: 150 },
    { lat: -38, lng: 114 },
  ];
  expect(validateFarm({ ...good, boundary: australia }).size).toMatch(
    /^A farm can't be larger than 24,000\.00 km²: this boundary encloses 10,\d{3},\d{3}\.\d\d km²\. Check its points\.$/,
  );
  const london = boundary.map(({ lat, lng }) => ({ lat: lat + 95, lng: lng - 171.6 }));
  expect(validateFarm({ ...good, boundary: london }).boundary).toMatch(
    /^The boundary can't be more than 500 km from the farm's pin: it is 1\d,\d{3} km away\. Move the pin or the boundary\.$/,
  );
  expect(validateFarm({ ...good, lat: -44 })).toEqual({});
});

it('an empty form names everything that is required, one sentence each', () => {
  const empty: FarmForm = { name: ' ', address: { fullAddress: '' }, lat: '', lng: null, boundary: [] };
  expect(validateFarm(empty)).toEqual({
    name: 'Name is required.',
    address: 'Access road is required.',
    lat: 'Latitude is required.',
    lng: 'Longitude is required.',
    size: 'Size is required: draw the boundary on the map.',
  });
});

it('blank latitude and longitude become 0, which is no place', () => {
  expect([toNumber(''), toNumber(null), toNumber(undefined), toNumber('-43.5')]).toEqual([0, 0, 0, -43.5]);
  expect(validateFarm({ ...good, lat: 0 })).toEqual({ lat: 'Latitude is required.' });
});

describe.each<[Partial<FarmForm>, object]>([
  [{ name: 'x'.repeat(61) }, { name: 'Name can have at most 60 characters.' }],
  [{ name: ` ${'x'.repeat(60)} ` }, {}],
  [{ description: 'x'.repeat(501) }, { description: 'Description can have at most 500 characters.' }],
  [{ supplier: 'x'.repeat(41) }, { supplier: 'Supplier can have at most 40 characters.' }],
  [{ lat: 91 }, { lat: "Latitude can't be more than 90°." }],
  [{ lat: 'south' }, { lat: 'Latitude must be a number.' }],
  [{ lng: -181 }, { lng: "Longitude can't be less than -180°." }],
  [{ irrigationArea: 'ten' }, { irrigationArea: 'Irrigation area must be a number.' }],
  [{ irrigationArea: -1 }, { irrigationArea: "Irrigation area can't be less than 0 ha." }],
  [{ irrigationArea: '' }, {}],
  [{ boundary: boundary.slice(1) }, { boundary: 'The boundary needs at least 3 points.' }],
  [
    { boundary: [...boundary.slice(1), ...boundary.slice(1, 2)] },
    { boundary: 'The boundary needs at least 3 points.' },
  ],
  [{ boundary: circle(2001) }, { boundary: 'The boundary can have at most 2000 points.' }],
  [
    { boundary: [{ lat: -43.49, lng: 171.505 }, ...boundary, { lat: -43.52, lng: 171.505 }] },
    { boundary: 'The boundary crosses or touches itself: move its points apart.' },
  ],
  [
    {
      boundary: boundary.map((_, index) => ({ lat: -43.5 + (index % 2) * 1e-6, lng: 171.5 + index * 1e-6 })),
    },
    { size: 'Size is required: the boundary encloses less than 10 m².' },
  ],
  [{ walConfig: { ...defaultWaterApplication, duration: 0 } }, { walConfig: 'Duration is required.' }],
])('%o', (change, fieldErrors) => {
  it(`says ${JSON.stringify(fieldErrors)}`, () => {
    expect(validateFarm({ ...good, ...change })).toEqual(fieldErrors);
  });
});

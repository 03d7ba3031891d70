import { describe, expect, it } from 'vitest';
import {
  validateFarBoundary,
  validateFarPlace,
  farBoundaryQuestion,
  farPlaceQuestion,
  farPlacesQuestion,
} from './far-place.ts';

const boundary = [
  { lat: -43.64, lng: 171.64 },
  { lat: -43.64, lng: 171.66 },
  { lat: -43.62, lng: 171.66 },
];
const farm = { name: 'Methven Dairy', lat: -43.63, lng: 171.65, boundary };
const unfenced = { ...farm, boundary: [] };
const nelson = { lat: -41.2996, lng: 173.3023 };
const london = boundary.map(({ lat, lng }) => ({ lat: -lat + 7.87, lng: lng - 171.77 }));
/** So many km north of the boundary's northern corner. */
const north = (km: number) => ({ lat: -43.62 + km / 111.195, lng: 171.66 });

describe('the place of a device', () => {
  it.each([
    ['on the farm', { lat: -43.63, lng: 171.655 }, farm, null, null],
    ['across the road', north(1.9), farm, null, null],
    ['outside', north(2.4), farm, null, 'This place is 2.4 km from Methven Dairy. Save it there?'],
    ['at Nelson', nelson, farm, null, 'This place is 291 km from Methven Dairy. Save it there?'],
    ['by the pin, where no boundary is drawn', north(18.5), unfenced, null, null],
    [
      'away from the pin',
      north(21),
      unfenced,
      null,
      'This place is 22 km from Methven Dairy. Save it there?',
    ],
    [
      'out of reach of its gateway',
      { lat: -43.63, lng: 171.655 },
      farm,
      { name: 'Shed', ...north(16) },
      'This place is 17 km from its gateway Shed. Save it there?',
    ],
  ])('%s', (_name, place, of, gateway, question) => {
    expect(farPlaceQuestion(place, of, gateway)).toBe(question);
  });
});

describe('places of several devices', () => {
  const far = (name: string) => ({ name, from: '2.4 km from Methven Dairy' });
  it.each([
    [0, null],
    [1, 'A1 would stand 2.4 km from Methven Dairy. Save it there?'],
    [3, '3 places are far away. The first: A1 would stand 2.4 km from Methven Dairy. Save them there?'],
  ])('%i far away', (count, question) => {
    const names = ['A1', 'A2', 'A3'].slice(0, count);
    expect(farPlacesQuestion(names.map(far))).toBe(question);
  });
});

describe('where a device of a farm cannot stand', () => {
  it.each([
    ['500 km from its boundary', north(499), farm, true],
    ['farther', north(502), farm, false],
    ['farther than that from a pin', north(512), unfenced, false],
    ['the other side of the world', { lat: 51.5, lng: -0.1 }, farm, false],
    // Over the date line it is 30 km from 179.9 E to 179.7 W at that latitude.
    ['over the date line', { lat: -43.63, lng: -179.7 }, { ...unfenced, lat: -43.63, lng: 179.9 }, true],
    ['of a farm whose place was left blank', nelson, { ...unfenced, lat: 0, lng: 0 }, true],
  ])('%s: %#', (_name, place, of, isFine) => {
    expect(validateFarPlace(place, of) === null).toBe(isFine);
  });
});

describe('a boundary', () => {
  it('that leaves its pin is asked about', () => {
    expect(farBoundaryQuestion(farm, boundary)).toBeNull();
    expect(farBoundaryQuestion(north(5), boundary)).toBe(
      "The boundary is 5 km from the farm's pin. Save it so?",
    );
    expect(farBoundaryQuestion(farm, [])).toBeNull();
  });

  it('in another country than its pin is refused', () => {
    expect(validateFarBoundary(farm, london)).toMatch(
      /^The boundary can't be more than 500 km from the farm's pin/,
    );
    expect(validateFarBoundary(north(400), boundary)).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LatLng } from '@headrace/contract/schemas';
import { fitPlaces, scaleAt, zoomAt } from './fit.ts';
import { nearTo, toWorld } from './geometry.ts';

const margins = { top: 44, right: 64, bottom: 40, left: 24 };
const desktop = { size: { width: 1040, height: 840 }, margins };
const phone = { size: { width: 390, height: 620 }, margins };
const maxScale = scaleAt(18);
const quarters = (scale: number) => scaleAt(Math.floor(zoomAt(scale) * 4) / 4);

/** A square farm at the equator, where a degree is 111,319.49 m both ways, in the middle of 170° E. */
const farm = (metres: number, lng = 170): LatLng[] => {
  const half = metres / 111_319.49 / 2;
  return [
    { lat: half, lng: lng - half },
    { lat: -half, lng: lng + half },
  ];
};

describe('a square farm fills the map', () => {
  // Desktop: 756 px are free downwards, of 840; a map of zoom z is 256 · 2^z px round, 40,075,017 m.
  // Phone: 302 px are free across. The zoom is the next quarter below what fills them.
  test.each([
    [50, 18, 84, 18, 84],
    [300, 18, 502, 17.25, 299],
    [1000, 16.75, 704, 15.5, 296],
    [3000, 15.25, 746, 13.75, 264],
    [40_000, 11.5, 741, 10, 262],
  ])('%d m', (metres, deskZoom, deskPx, phoneZoom, phonePx) => {
    const on = (view: typeof desktop) => {
      const fit = fitPlaces(farm(metres), { ...view, maxScale, snap: quarters });
      return [zoomAt(fit?.scale ?? 0), Math.round(((fit?.scale ?? 0) * metres) / 40_075_017)];
    };
    expect(on(desktop)).toEqual([deskZoom, expect.closeTo(deskPx, -1)]);
    expect(on(phone)).toEqual([phoneZoom, expect.closeTo(phonePx, -1)]);
  });
});

test('a single place is seen at the scale that was given, within the margins', () => {
  const fit = fitPlaces([{ lat: 0, lng: 0 }], { ...desktop, maxScale: scaleAt(15) });
  expect(fit?.scale).toBe(scaleAt(15));
  // The free part lies 20 px to the left of the map's middle, and 2 px below it.
  expect((0.5 - (fit?.x ?? 0)) * scaleAt(15)).toBeCloseTo(-20, 6);
  expect((0.5 - (fit?.y ?? 0)) * scaleAt(15)).toBeCloseTo(2, 6);
});

test('a farm on both sides of 180° is as close as elsewhere, and its middle lies beyond the edge', () => {
  const here = fitPlaces(farm(3000), { ...desktop, maxScale });
  const there = fitPlaces(
    farm(3000, 180).map(({ lat, lng }) => ({ lat, lng: lng > 180 ? lng - 360 : lng })),
    { ...desktop, maxScale },
  );
  expect(there?.scale).toBeCloseTo(here?.scale ?? 0, 0);
  expect(there?.x).toBeCloseTo(1, 3);
});

test('a small map keeps half of itself for the farm', () => {
  const fit = fitPlaces(farm(3000), { size: { width: 100, height: 100 }, margins, maxScale });
  expect(((fit?.scale ?? 0) * 3000) / 40_075_017).toBeCloseTo(50, 1);
});

test('without places there is nothing to show', () => {
  expect(fitPlaces([], { ...desktop, maxScale })).toBeNull();
});

test('all places are within the margins, and two of them touch these where nothing keeps the map from coming closer', () => {
  const place = fc.record({
    lat: fc.double({ min: -60, max: 60, noNaN: true }),
    lng: fc.double({ min: -180, max: 180, noNaN: true }),
  });
  const near = fc.array(fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -500, max: 500 })), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(place, near, fc.constantFrom(desktop, phone), (from, steps, view) => {
      const places = steps.map(([up, right]) => {
        const lng = from.lng + right / 1000;
        return { lat: from.lat + up / 1000, lng: lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng };
      });
      const fit = fitPlaces(places, { ...view, maxScale });
      if (!fit) throw new Error('There are places.');
      const at = places.map((one) => {
        const [x, y] = toWorld(one.lat, nearTo((fit.x - 0.5) * 360, one).lng);
        return [
          (x - fit.x) * fit.scale + view.size.width / 2,
          (y - fit.y) * fit.scale + view.size.height / 2,
        ];
      });
      const xs = at.map(([x = 0]) => x);
      const ys = at.map(([, y = 0]) => y);
      const slack = [
        Math.min(...xs) - margins.left,
        view.size.width - margins.right - Math.max(...xs),
        Math.min(...ys) - margins.top,
        view.size.height - margins.bottom - Math.max(...ys),
      ];
      expect(Math.min(...slack)).toBeGreaterThan(-0.01);
      if (fit.scale < maxScale) expect(Math.min(...slack)).toBeLessThan(0.01);
    }),
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { walkOrder } from './walk-order.ts';

/** 0.001° of latitude are 111 m. */
const at = (name: string, north: number) => ({ name, location: { lat: -43 + north / 1000, lng: 172 } });
const HOME = { lat: -43, lng: 172 };

describe('the walk', () => {
  it('goes to the nearest next, and says how far each is from the one before', () => {
    const legs = walkOrder([at('far', 9), at('near', 1), at('middle', 4)], HOME);
    expect(legs.map(({ stop, way }) => [stop.name, way?.metres ?? null])).toEqual([
      ['near', 111],
      ['middle', 334],
      ['far', 556],
    ]);
  });

  it('begins where one stands', () => {
    const legs = walkOrder([at('far', 9), at('near', 1)], { lat: -42.99, lng: 172 });
    expect(legs.map(({ stop }) => stop.name)).toEqual(['far', 'near']);
  });

  it.each([
    [1, 0, 'N'],
    [1, 1.37, 'NE'],
    [0, 1, 'E'],
    [-1, 0, 'S'],
    [0, -1, 'W'],
    [1, -1.37, 'NW'],
  ])('says in which direction: %s north, %s east is %s', (north, east, towards) => {
    const location = { lat: HOME.lat + north / 1000, lng: HOME.lng + east / 1000 };
    expect(walkOrder([{ location }], HOME)[0]?.way?.towards).toBe(towards);
  });

  it('ends with those whose place isn’t known, without a distance', () => {
    const legs = walkOrder([{ name: 'nowhere', location: null }, at('near', 1)], HOME);
    expect(legs.map(({ stop, way }) => [stop.name, way?.metres ?? null])).toEqual([
      ['near', 111],
      ['nowhere', null],
    ]);
  });

  it('visits each once, whatever the places', () => {
    const places = fc.record({ lat: fc.double({ min: -47, max: -34, noNaN: true }), lng: fc.constant(172) });
    fc.assert(
      fc.property(fc.array(fc.option(places), { maxLength: 40 }), (locations) => {
        const stops = locations.map((location, id) => ({ id, location }));
        const visited = walkOrder(stops, HOME).map(({ stop }) => stop.id);
        expect(visited.toSorted((a, b) => a - b)).toEqual(stops.map(({ id }) => id));
      }),
    );
  });
});

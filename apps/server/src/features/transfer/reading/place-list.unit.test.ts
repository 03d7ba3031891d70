import { expect, it } from 'vitest';
import { readFile } from './read-file.mjs';

const farm = { lat: -43.75, lng: 171.95 };
const read = (features: object[]) =>
  readFile({ data: JSON.stringify({ type: 'FeatureCollection', features }), farm });
const feature = (name: string, geometry: object) => ({ type: 'Feature', properties: { name }, geometry });
const area = (name: string, corners: number) => {
  const ring = Array.from({ length: corners }, (_none, index) => [171 + index / 100_000, -43]);
  return feature(name, { type: 'Polygon', coordinates: [[...ring, ring[0]]] });
};
const points = (count: number) =>
  Array.from({ length: count }, (_none, index) =>
    feature(`P${index}`, { type: 'Point', coordinates: [171.95, -43.75] }),
  );

it('the outlines of a file have 50,000 corners together at most', async () => {
  const most = Array.from({ length: 25 }, (_none, index) => area(`Paddock ${index}`, 1999));
  expect(await read(most)).toMatchObject({ kind: 'content', content: { areas: { length: 25 } } });
  expect(await read([...most, area('One more', 30)])).toEqual({
    kind: 'fault',
    fault: 'The outlines of the file have 50,005 corners. The most is 50,000.',
  });
});

it('a farm of 5,000 sprinklers with its other devices is read back; more than 10,000 points are refused', async () => {
  expect(await read(points(5050))).toMatchObject({ kind: 'content', content: { points: { length: 5050 } } });
  expect(await read(points(10_001))).toEqual({
    kind: 'fault',
    fault: 'The file has 10,001 points. The most is 10,000.',
  });
});

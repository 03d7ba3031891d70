import { expect, test } from 'vitest';
import { HOUR } from '../testing/fixtures.ts';
import { poiText, radioLook } from './marker-look.ts';

const now = Date.parse('2026-11-21T05:00:00.000Z');
const DAY = 24 * HOUR;

test.each([
  ['repeater', now - 30 * DAY, 'sensor', 'Repeater Hill'],
  ['repeater', now - 30 * DAY - 1, 'issue', 'Repeater Hill, out of contact'],
  ['repeater', null, 'issue', 'Repeater Hill, never contacted'],
  ['sensor', now - 3 * HOUR, 'sensor', 'Repeater Hill'],
  ['sensor', now - 3 * HOUR - 1, 'issue', 'Repeater Hill, out of contact'],
] as const)('a %s heard at %s is %s on every map', (kind, at, condition, spoken) => {
  expect(radioLook(kind, 'Repeater Hill', at, now)).toEqual({ condition, spoken });
});

test.each([
  ['gate', 'Gate'],
  ['hazard', 'Hazard'],
  ['pin', 'Point of interest'],
  [undefined, 'Point of interest'],
])('a point of the kind %s is called "%s"', (icon, text) => {
  expect(poiText(icon)).toBe(text);
});

import { expect, test, vi } from 'vitest';
import { conditions, type Condition, type Scheme } from '../ui/tokens.ts';
import { stubCanvas } from './fake-canvas.ts';
import type { MapMarker } from './marker.ts';
import { spriteOf } from './marker-sprites.ts';

const sprinkler: MapMarker = {
  id: 'a',
  lat: 0,
  lng: 0,
  shape: 'sprinkler',
  condition: 'ok',
  name: 'a',
  spoken: 'a',
};
/** Markers of a look are drawn once and then kept: at this size nobody else has them drawn. */
const OWN_SHARE = 0.983;

/** With what a marker's shapes are filled, in order. */
function fillsOf(marker: MapMarker, scheme: Scheme): string[] {
  stubCanvas();
  const fills: string[] = [];
  const context = document.createElement('canvas').getContext('2d');
  const note = (style: unknown) => typeof style === 'string' && fills.push(style);
  Object.assign(context ?? {}, { fill: () => note(context?.fillStyle) });
  spriteOf(marker, scheme, OWN_SHARE);
  vi.restoreAllMocks();
  return fills;
}

/** What people call a colour. */
function nameOf(hex: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255,
  );
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const spread = most - least;
  const saturation = spread / (1 - Math.abs(most + least - 1));
  if (saturation < 0.2) return 'gray';
  const turn =
    most === red
      ? (green - blue) / spread
      : most === green
        ? (blue - red) / spread + 2
        : (red - green) / spread + 4;
  const hue = (turn * 60 + 360) % 360;
  if (hue >= 20 && hue < 45) return saturation < 0.6 ? 'brown' : 'orange';
  const names = [
    [20, 'red'],
    [70, 'yellow'],
    [165, 'green'],
    [240, 'blue'],
    [290, 'purple'],
    [345, 'pink'],
    [360, 'red'],
  ] as const;
  return names.find(([end]) => hue < end)?.[1] ?? '';
}

const named: Record<Condition, string> = {
  ok: 'green',
  watering: 'blue',
  caution: 'orange',
  issue: 'red',
  inhibited: 'gray',
  spare: 'pink',
  sensor: 'purple',
  poi: 'brown',
};

test.each(conditions.flatMap((condition) => [[condition, 'light'] as const, [condition, 'dark'] as const]))(
  'a marker has the colour of its condition: %s, %s',
  (condition, scheme) => {
    const shape = condition === 'poi' ? 'poi' : 'sprinkler';
    // On a disc of paper.
    const [, sign] = fillsOf({ ...sprinkler, shape, condition }, scheme);
    expect(nameOf(sign ?? '')).toBe(named[condition]);
  },
);

test.each([
  ['light', 'rgb(255 255 255 / 65%)'],
  ['dark', 'rgb(255 255 255 / 18%)'],
] as const)('what a filter leaves out is white and seen through, however it is: %s', (scheme, white) => {
  expect(fillsOf({ ...sprinkler, isFaint: true, condition: 'issue' }, scheme)).toEqual([white]);
});

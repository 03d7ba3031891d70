import { expect, test, vi } from 'vitest';
import type { Frame } from './canvas-layer.ts';
import { recordOutlines } from './fake-canvas.ts';
import type { MapMarker } from './marker.ts';
import { BODY_UP_PX, spriteOf } from './marker-sprites.ts';
import { paintPin, PIN_UP_PX } from './paint-ring.ts';

const tank: MapMarker = {
  id: 'a',
  lat: 0,
  lng: 0,
  shape: 'tank',
  condition: 'ok',
  fill: 40,
  name: 'a',
  spoken: 'a',
};

/** Markers of a look are drawn once and then kept: at this size nobody else has them drawn. */
const OWN_SHARE = 0.987;

test("a tank's pin is 25 px across, with its rim", () => {
  const [outline] = drawn(() => spriteOf(tank, 'light', OWN_SHARE));
  expect(widthOf(outline)).toBe(25);
});

test("a tank's pin has its tip on the place, and its head where it is touched", () => {
  const [outline] = drawn(() => spriteOf(tank, 'dark', OWN_SHARE));
  const { anchorX, anchorY } = spriteOf(tank, 'dark', OWN_SHARE);
  const [tip] = outline?.ends ?? [];
  expect(tip).toEqual({ x: anchorX / OWN_SHARE, y: anchorY / OWN_SHARE });
  expect(outline?.arcs[0]?.y).toBe((tip?.y ?? 0) - BODY_UP_PX.tank);
});

test("the farm's pin is as large", () => {
  const [outline] = drawn((context) => {
    const frame = { context, place: () => ({ x: 70, y: 90 }) } as unknown as Frame;
    paintPin(frame, { lat: 0, lng: 0 }, 'light', false);
  });
  expect(widthOf(outline)).toBe(25);
  expect(outline?.arcs[0]).toMatchObject({ x: 70, y: 90 - PIN_UP_PX });
  expect(outline?.ends[0]).toEqual({ x: 70, y: 90 });
});

type Outlines = ReturnType<typeof recordOutlines>;

function drawn(draw: (context: CanvasRenderingContext2D | null) => unknown): Outlines {
  const outlines = recordOutlines();
  draw(document.createElement('canvas').getContext('2d'));
  vi.restoreAllMocks();
  return outlines;
}

const widthOf = (outline: Outlines[number] | undefined): number =>
  2 * (outline?.arcs[0]?.radius ?? 0) + (outline?.lineWidth ?? 0);

import { MAP } from '@headrace/contract/limits';
import type { Px } from './draft.ts';

/** The light rim around what stands on a map, px: it takes off from the land. */
export const RIM_PX = 1.5;

/**
 * Radius of a pin's head without its rim, px: with it the head is 25 px across. The specification has "pin radius 25" and no word of
 * what that measures; as the way across it makes pins as large as the other devices' markers, as a radius twice as large: a head of
 * 50 px would hide the tanks beside it, and the place that is being chosen.
 */
export const PIN_HEAD_PX = MAP.pinRadius / 2 - RIM_PX;

/** Where the head's arc ends on either side and the flanks begin, in turns of π from the right, downwards. */
const SHOULDER = 0.2;

/** A pin: a round head `upPx` above its tip, and flanks that meet in the tip. */
export function tracePin(path: Path2D | CanvasRenderingContext2D, tip: Px, upPx: number): void {
  const { x, y } = tip;
  const head = y - upPx;
  const bend = { x: PIN_HEAD_PX * 0.4, y: y - upPx * 0.36 };
  const angle = Math.PI * SHOULDER;
  path.arc(x, head, PIN_HEAD_PX, Math.PI - angle, angle);
  path.quadraticCurveTo(x + bend.x, bend.y, x, y);
  path.quadraticCurveTo(
    x - bend.x,
    bend.y,
    x - PIN_HEAD_PX * Math.cos(angle),
    head + PIN_HEAD_PX * Math.sin(angle),
  );
  path.closePath();
}

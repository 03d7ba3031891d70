import { PINCH_EVERY_MS } from '@headrace/contract/limits';

/** A finger on the chart, px and ms. */
export interface Touch {
  kind: 'down' | 'move' | 'up';
  id: number;
  x: number;
  y: number;
  at: number;
}
/** Fingers apart: a shorter time, closer. Fingers together: a longer one. */
export type Pinch = 'closer' | 'wider';

export interface PinchState {
  readonly fingers: ReadonlyMap<number, { x: number; y: number }>;
  /** px between two fingers since the last turn; null without two. */
  readonly distancePx: number | null;
  readonly turnedAt: number;
}
export const noPinch: PinchState = { fingers: new Map(), distancePx: null, turnedAt: -Infinity };

/** Fingers this many times further apart, or nearer, are one turn. */
const TURN = 1.3;

/** What a touch makes of the fingers seen so far; a turn at most once in PINCH_EVERY_MS. */
export function pinched(state: PinchState, touch: Touch): { state: PinchState; turn: Pinch | null } {
  if (touch.kind === 'move' && !state.fingers.has(touch.id)) return { state, turn: null };
  const fingers = new Map(state.fingers);
  if (touch.kind === 'up') fingers.delete(touch.id);
  else fingers.set(touch.id, { x: touch.x, y: touch.y });
  const apart = distance(fingers);
  const before = state.fingers.size === fingers.size ? state.distancePx : null;
  if (apart === null || before === null)
    return { state: { ...state, fingers, distancePx: apart }, turn: null };
  const turn = apart > before * TURN ? 'closer' : apart < before / TURN ? 'wider' : null;
  if (!turn || touch.at - state.turnedAt < PINCH_EVERY_MS)
    return { state: { ...state, fingers, distancePx: before }, turn: null };
  return { state: { fingers, distancePx: apart, turnedAt: touch.at }, turn };
}

/** Between two fingers; one, or a hand's worth, is no pinch. */
function distance(fingers: PinchState['fingers']): number | null {
  const [a, b, third] = [...fingers.values()];
  return a && b && !third ? Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) : null;
}

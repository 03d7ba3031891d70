import type { Ink } from './marker-sprites.ts';

/** How sure it is that a sprinkler waters: by its schedule alone, or open past the time at which it should have closed. */
export type WateringLook = 'planned' | 'overdue';

/** What it says itself is filled; a plan is an outline with "?", a conclusion is hatched. In a box of 16 by 16. */
export function drawLook(
  context: CanvasRenderingContext2D,
  shape: Path2D,
  { colour }: Pick<Ink, 'colour'>,
  look: WateringLook,
): void {
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = 1.5;
  context.lineJoin = 'round';
  context.stroke(shape);
  if (look === 'planned') {
    context.font = '700 8.5px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    context.fillText('?', 8, 12.8);
    return;
  }
  context.save();
  context.clip(shape);
  context.stroke(new Path2D(HATCH));
  context.restore();
}

/** Slanted lines over a box of 16 by 16. */
export const HATCH = 'M-4 8 8-4M-2 12 12-2M0 16 16 0M4 18 18 4M8 20 20 8';

/** At a corner, whatever the marker's own shape is: "!" of what may not wait. `x`, `y`: its middle. */
export function drawSign(
  context: CanvasRenderingContext2D,
  sign: string,
  [x, y]: readonly [number, number],
  [paper, ground]: readonly [string, string],
): void {
  for (const [radius, colour] of [
    [7.5, paper],
    [6, ground],
  ] as const) {
    context.beginPath();
    context.arc(x, y, radius, 0, Math.PI * 2);
    context.fillStyle = colour;
    context.fill();
  }
  context.fillStyle = paper;
  context.font = '800 10px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(sign, x, y + 0.5);
}

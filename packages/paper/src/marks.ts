import type { Ink, Mark } from './paper.ts';

/** How a mark is drawn in a box of 10 × 10. */
export interface MarkPart {
  readonly d: string;
  readonly fill?: Ink;
  readonly stroke?: Ink;
}

const circle = (r: number) => `M ${5 - r} 5 a ${r} ${r} 0 1 0 ${2 * r} 0 a ${r} ${r} 0 1 0 ${-2 * r} 0 Z`;

export const markParts: Readonly<Record<Mark, readonly MarkPart[]>> = {
  ok: [{ d: circle(4), fill: 'ok' }],
  watering: [
    { d: 'M 5 0.6 C 7 3.4 8.6 5 8.6 6.6 A 3.6 3.2 0 0 1 1.4 6.6 C 1.4 5 3 3.4 5 0.6 Z', fill: 'watering' },
  ],
  caution: [{ d: 'M 5 0.8 L 9.6 9 L 0.4 9 Z', fill: 'caution' }],
  issue: [{ d: 'M 1.2 1.2 H 8.8 V 8.8 H 1.2 Z', fill: 'issue' }],
  inhibited: [
    { d: circle(3.7), stroke: 'inhibited' },
    { d: 'M 5 1.3 A 3.7 3.7 0 0 0 5 8.7 Z', fill: 'inhibited' },
  ],
  spare: [{ d: circle(3.7), stroke: 'spare' }],
};

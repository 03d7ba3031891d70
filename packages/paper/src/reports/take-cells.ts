import type { TakeDay } from '@headrace/contract/water-takes';
import { dayText } from '../made.ts';
import { CONTENT_WIDTH, type Drawing, type Ink, type Shape } from '../paper.ts';

const LABEL = 62;
const ROW = 11;
const HEAD = 12;
const CELL = (CONTENT_WIDTH - LABEL) / 96;

/** Height of each kind of quarter, and its ink: both differ, for paper in gray. */
const looks: Record<string, { top: number; height: number; ink: Ink }> = {
  m: { top: 1, height: 8, ink: 'deep' },
  z: { top: 7.5, height: 1.5, ink: 'deep' },
  s: { top: 4, height: 5, ink: 'middle' },
  e: { top: 6, height: 3, ink: 'middle' },
  '-': { top: 4, height: 1.5, ink: 'warning' },
};

/** Days as lines of 96 quarters. */
export function dayCells(days: readonly TakeDay[]): Drawing {
  const hours = [0, 6, 12, 18, 24].map(
    (hour): Shape => ({
      kind: 'text',
      text: `${String(hour).padStart(2, '0')}:00`,
      x: LABEL + hour * 4 * CELL,
      y: 0,
      size: 8,
      ink: 'dim',
      at: hour === 0 ? 'start' : hour === 24 ? 'end' : 'middle',
    }),
  );
  const lines = days.flatMap((day, index) => lineOf(day, HEAD + index * ROW));
  return { width: CONTENT_WIDTH, height: HEAD + days.length * ROW, shapes: [...hours, ...lines] };
}

function lineOf({ day, cells }: TakeDay, y: number): Shape[] {
  const label: Shape = { kind: 'text', text: dayText(day), x: 0, y, size: 8 };
  const runs = [...cells.matchAll(/(.)\1*/g)].flatMap(({ 0: run, index }): Shape[] => {
    const look = looks[run.charAt(0)];
    if (!look) return [];
    const [x, width] = [LABEL + index * CELL, run.length * CELL];
    const [top, bottom] = [y + look.top, y + look.top + look.height];
    return [
      {
        kind: 'path',
        d: `M${n(x)} ${n(top)}H${n(x + width)}V${n(bottom)}H${n(x)}Z`,
        fill: look.ink,
      },
    ];
  });
  return [label, ...runs];
}

const n = (value: number) => String(Math.round(value * 100) / 100);

import { numberText } from '../numbers.ts';
import type { Drawing, Shape } from '../paper.ts';
import { at } from './column-chart.ts';

export interface TrendPoint {
  readonly value: number;
  /** What it went between; drawn as a band. */
  readonly least: number;
  readonly most: number;
}

export interface TrendChart {
  readonly title: string;
  /** In even steps of time; null: not known, a gap. */
  readonly points: readonly (TrendPoint | null)[];
  /** Of the axis. */
  readonly top: number;
  /** Points at which something is marked by a dashed line. */
  readonly marked: readonly number[];
  /** Below the axis, at points. */
  readonly labels: readonly { readonly nth: number; readonly text: string }[];
}

/** Three of them, and the gaps between, are as wide as the page. */
export const TREND_WIDTH = 163;
const [HEIGHT, LEFT, ABOVE, BELOW] = [112, 22, 20, 16];
const FLOOR = HEIGHT - BELOW;
const ROOM = TREND_WIDTH - LEFT - 2;

/** One figure over time, small. */
export function trendChart({ title, points, top, marked, labels }: TrendChart): Drawing {
  const step = ROOM / Math.max(1, points.length - 1);
  const place = (nth: number, value: number) =>
    `${at(LEFT + nth * step)} ${at(FLOOR - (Math.min(value, top) / top) * (FLOOR - ABOVE))}`;
  const last = points.findLast((point) => point !== null);
  return {
    width: TREND_WIDTH,
    height: HEIGHT,
    shapes: [
      { kind: 'text', text: title, x: 0, y: 0, ink: 'text', isStrong: true },
      ...lastText(last ?? null),
      ...axis(top),
      ...marked.map(
        (nth): Shape => ({
          kind: 'path',
          d: `M ${at(LEFT + nth * step)} ${ABOVE} V ${FLOOR}`,
          stroke: 'warning',
          width: 0.7,
          dash: [2, 2],
        }),
      ),
      ...runsOf(points).flatMap((run) => runShapes(run, place)),
      ...labels.map(
        ({ nth, text }): Shape => ({ kind: 'text', text, x: LEFT + nth * step, y: FLOOR + 4, at: 'middle' }),
      ),
    ],
  };
}

const lastText = (last: TrendPoint | null): Shape[] => [
  {
    kind: 'text',
    text: last ? `last ${numberText(last.value, Number.isInteger(last.value) ? 0 : 1)}` : 'not known',
    x: TREND_WIDTH,
    y: 0,
    at: 'end',
  },
];

const axis = (top: number): Shape[] =>
  [0, 0.5, 1].flatMap((share): Shape[] => {
    const y = at(FLOOR - share * (FLOOR - ABOVE));
    const value = top * share;
    return [
      { kind: 'path', d: `M ${LEFT} ${y} H ${TREND_WIDTH}`, stroke: 'rule', width: share === 0 ? 0.9 : 0.35 },
      {
        kind: 'text',
        text: numberText(value, Number.isInteger(value) ? 0 : 1),
        x: LEFT - 3,
        y: y - 5,
        at: 'end',
      },
    ];
  });

type Run = readonly (readonly [nth: number, point: TrendPoint])[];

/** What hangs together, without the gaps. */
function runsOf(points: readonly (TrendPoint | null)[]): Run[] {
  const runs: [number, TrendPoint][][] = [];
  let isOpen = false;
  for (const [nth, point] of points.entries()) {
    if (point === null) isOpen = false;
    else if (isOpen) runs.at(-1)?.push([nth, point]);
    else {
      runs.push([[nth, point]]);
      isOpen = true;
    }
  }
  return runs;
}

function runShapes(run: Run, place: (nth: number, value: number) => string): Shape[] {
  const [first] = run;
  if (!first) return [];
  // One alone has no length: a short line stands for it.
  if (run.length === 1) {
    const [nth, { value, least, most }] = first;
    return [
      { kind: 'path', d: `M ${place(nth, least)} L ${place(nth, most)}`, stroke: 'middle', width: 2 },
      {
        kind: 'path',
        d: `M ${place(nth - 0.4, value)} L ${place(nth + 0.4, value)}`,
        stroke: 'deep',
        width: 1.4,
      },
    ];
  }
  const line = (of: (point: TrendPoint) => number, ordered: Run = run) =>
    ordered.map(([nth, point]) => place(nth, of(point))).join(' L ');
  const upper = line(({ most }) => most);
  const lower = line(({ least }) => least, run.toReversed());
  return [
    { kind: 'path', d: `M ${upper} L ${lower} Z`, fill: 'pale' },
    { kind: 'path', d: `M ${line(({ value }) => value)}`, stroke: 'deep', width: 1.2 },
  ];
}

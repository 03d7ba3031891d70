import type { LatLng } from '@headrace/contract/schemas';
import { numberText } from '../numbers.ts';
import { CONTENT_WIDTH, type Drawing, type Mark, type Shape } from '../paper.ts';
import { at } from './column-chart.ts';

/** A name, around the middle of what it names. */
export interface PlaceName extends LatLng {
  readonly name: string;
}

export interface MapPoint extends LatLng {
  readonly mark: Mark;
}

const M_PER_DEGREE = 111_320;
const [TALLEST, MARGIN, SCALE_ROW, LEGEND_ROW] = [300, 10, 22, 14];
/** What must be seen lies on top. */
const order: readonly Mark[] = ['spare', 'ok', 'watering', 'inhibited', 'caution', 'issue'];

/** A farm from its coordinates alone, with north up and a scale; null where nothing has a place. */
export function farmMap(
  boundary: readonly LatLng[],
  points: readonly MapPoint[],
  legend: readonly (readonly [Mark, string])[],
  names: readonly PlaceName[] = [],
): Drawing | null {
  const all = [...boundary, ...points];
  if (points.length === 0) return null;
  const first = all[0] ?? { lat: 0, lng: 0 };
  const narrow = Math.cos((first.lat * Math.PI) / 180);
  /** From the first point, m; over the date line by the short way. */
  const metres = ({ lat, lng }: LatLng) => ({
    x: (((lng - first.lng + 540) % 360) - 180) * M_PER_DEGREE * narrow,
    y: (first.lat - lat) * M_PER_DEGREE,
  });
  const box = boxOf(all.map(metres));
  const [wide, high] = [CONTENT_WIDTH - 2 * MARGIN, TALLEST - 2 * MARGIN];
  const scale = Math.min(wide / Math.max(1, box.right - box.left), high / Math.max(1, box.bottom - box.top));
  const height = Math.max(60, (box.bottom - box.top) * scale + 2 * MARGIN);
  const across = (CONTENT_WIDTH - (box.right - box.left) * scale) / 2;
  const place = (point: LatLng) => {
    const { x, y } = metres(point);
    return { x: at(across + (x - box.left) * scale), y: at(MARGIN + (y - box.top) * scale) };
  };
  const size = markSize(points.length);
  const marks = points
    .toSorted((one, other) => order.indexOf(one.mark) - order.indexOf(other.mark))
    .map((point): Shape => ({ kind: 'mark', mark: point.mark, size, ...place(point) }));
  const words = legendOf(legend, height + SCALE_ROW);
  return {
    width: CONTENT_WIDTH,
    height: words.bottom,
    shapes: [
      ...outline(boundary.map(place)),
      ...marks,
      ...names.map((one): Shape => {
        const { x, y } = place(one);
        return { kind: 'text', text: one.name, x, y: y - 5, at: 'middle', ink: 'text', isStrong: true };
      }),
      ...north(),
      ...scaleBar(scale, height + 8),
      ...words.shapes,
    ],
  };
}

const markSize = (count: number) => (count > 1500 ? 3 : count > 300 ? 4.5 : 6);

function boxOf(points: readonly { x: number; y: number }[]) {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { left, right, top, bottom };
}

const outline = (corners: readonly { x: number; y: number }[]): Shape[] =>
  corners.length < 3
    ? []
    : [
        {
          kind: 'path',
          d: `M ${corners.map(({ x, y }) => `${x} ${y}`).join(' L ')} Z`,
          stroke: 'dim',
          width: 0.9,
        },
      ];

const north = (): Shape[] => [
  { kind: 'path', d: 'M 8 4 L 12 16 L 8 13 L 4 16 Z', fill: 'dim' },
  { kind: 'text', text: 'N', x: 8, y: 18, at: 'middle' },
];

/** A round length of at most a quarter of the width. */
function scaleBar(scale: number, y: number): Shape[] {
  const most = CONTENT_WIDTH / 4 / scale;
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = [5, 2, 1].map((factor) => factor * power).find((round) => round <= most) ?? power;
  const width = at(metres * scale);
  const text = metres >= 1000 ? `${numberText(metres / 1000)} km` : `${numberText(metres)} m`;
  return [
    { kind: 'path', d: `M 0 ${y} v 4 h ${width} v -4`, stroke: 'dim', width: 0.9 },
    { kind: 'text', text, x: width + 6, y: y - 3 },
  ];
}

/** In as many rows as it takes; letters are about so wide. */
function legendOf(entries: readonly (readonly [Mark, string])[], top: number) {
  const shapes: Shape[] = [];
  let [x, y] = [0, top];
  for (const [mark, text] of entries) {
    const width = 16 + text.length * 4.6 + 12;
    if (x > 0 && x + width > CONTENT_WIDTH) [x, y] = [0, y + LEGEND_ROW];
    shapes.push(
      { kind: 'mark', mark, x: x + 5, y: y + 5, size: 8 },
      { kind: 'text', text, x: x + 13, y, ink: 'text' },
    );
    x += width;
  }
  return { shapes, bottom: y + LEGEND_ROW };
}

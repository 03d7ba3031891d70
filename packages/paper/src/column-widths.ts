import type { Cell, Table } from './paper.ts';

export interface Place {
  readonly x: number;
  readonly width: number;
}

const GAP = 10;
/** No column asks for less than that, nor for more of the page, before all have what they need. */
const [LEAST, MOST_SHARE] = [24, 0.45];
/** Of the page, for each of the long ones, before others give way. */
const LEAST_LONG = 0.15;

/** Each column as wide as its widest cell; where that is too much the long ones give way first, then the widest. */
export function columnPlaces(
  { columns, rows }: Table,
  room: number,
  widthOf: (cell: Cell, isHead: boolean, column: number) => number,
): Place[] {
  const inner = room - GAP * (columns.length - 1);
  const wanted = columns.map(({ title }, n) =>
    rows.reduce(
      (most, row) => Math.max(most, widthOf(row[n] ?? '', false, n)),
      Math.max(LEAST, widthOf(title, true, n)),
    ),
  );
  const widths = fitted(
    wanted,
    columns.map(({ isLong = false }) => isLong),
    inner,
  );
  let x = 0;
  return widths.map((width) => {
    const place = { x, width };
    x += width + GAP;
    return place;
  });
}

function fitted(wanted: readonly number[], isLong: readonly boolean[], inner: number): number[] {
  const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0);
  const left = inner - sum(wanted);
  // What is over goes to the long ones, else to all alike: a table is as wide as the page.
  if (left >= 0) {
    const takers = isLong.includes(true) ? isLong : wanted.map(() => true);
    const each = left / takers.filter(Boolean).length;
    return wanted.map((width, n) => width + (takers[n] ? each : 0));
  }
  const longs = sum(wanted.filter((_, n) => isLong[n]));
  const leastLong = Math.min(longs, inner * LEAST_LONG * isLong.filter(Boolean).length);
  const others = wanted.filter((_, n) => !isLong[n]);
  const widest = capOf(others, Math.max(0, inner - leastLong), inner * MOST_SHARE);
  const rest = inner - sum(others.map((width) => Math.min(width, widest)));
  return wanted.map((width, n) => (isLong[n] ? (width * rest) / longs : Math.min(width, widest)));
}

/** How wide the widest may be, that all have room: narrow ones, such as numbers, stay whole. */
function capOf(widths: readonly number[], room: number, most: number): number {
  let left = room;
  const ordered = widths.toSorted((one, other) => one - other);
  for (const [nth, width] of ordered.entries()) {
    const each = left / (ordered.length - nth);
    if (width > each) return Math.min(each, most);
    left -= width;
  }
  return most;
}

import type { Cell, Table } from './paper.ts';

export interface Place {
  readonly x: number;
  readonly width: number;
}

const GAP = 10;
/** No column asks for less than that, nor for more of the page, before all have what they need. */
const [LEAST, MOST_SHARE] = [24, 0.45];

/** Each column as wide as its widest cell; where that is too much the long ones give way first, then the widest. */
export function columnPlaces(
  { columns, rows }: Table,
  room: number,
  widthOf: (cell: Cell, isHead: boolean) => number,
): Place[] {
  const inner = room - GAP * (columns.length - 1);
  const wanted = columns.map(({ title }, n) =>
    rows.reduce(
      (most, row) => Math.max(most, widthOf(row[n] ?? '', false)),
      Math.max(LEAST, widthOf(title, true)),
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
  const capped = wanted.map((width, n) => (isLong[n] ? width : Math.min(width, inner * MOST_SHARE)));
  const longs = sum(capped.filter((_, n) => isLong[n]));
  const rest = inner - (sum(capped) - longs);
  const leastLong = inner * 0.18 * isLong.filter(Boolean).length;
  if (longs > 0 && rest >= leastLong)
    return capped.map((width, n) => (isLong[n] ? (width * rest) / longs : width));
  const scale = inner / sum(capped);
  return capped.map((width) => width * scale);
}

import type { ReadingNumbers } from '@headrace/contract/rules/reading-numbers';
import type { TakeExceedance, TakeGap, TakeMeter } from '@headrace/contract/water-takes';
import type { Made } from '../made.ts';
import { type PackedRows, packedRows, unpackedRows } from './packed-rows.ts';
import type { PackData, PackPlace } from './take-pack.ts';

/** A pack as a thread is asked for it: what of it is long comes in pages after it, when the thread asks for the next. */
export interface PackOrder extends Pick<PackData, 'take' | 'time' | 'days' | 'options'> {
  readonly kind: 'pack';
  readonly places: readonly Pick<PackPlace, 'site' | 'measure'>[];
  /** Whose readings come. */
  readonly meters: readonly TakeMeter[];
  readonly made: Made;
  /** What was asked for, as manifest.json says it. */
  readonly asked: object;
}

/** In the order in which they are named here; `place` and `meter` are those of the order, each of them after the one before it. */
export type PackPage =
  | { readonly of: 'exceedances'; readonly some: readonly TakeExceedance[] }
  | { readonly of: 'gaps'; readonly some: readonly TakeGap[] }
  | { readonly of: 'rows'; readonly place: number; readonly rows: PackedRows }
  | { readonly of: 'readings'; readonly meter: number; readonly numbers: ReadingNumbers };

/** Exceedances and gaps of a page: a millisecond or two to copy. */
const LINES_A_PAGE = 500;

export const packOrder = (
  { take, time, days, options, places, said }: PackData,
  made: Made,
  asked: object,
): PackOrder => ({
  kind: 'pack',
  take,
  time,
  days: { ...days, exceedances: [], gaps: [] },
  options,
  places: places.map(({ site, measure }) => ({ site, measure })),
  meters: said.map(({ meter }) => meter),
  made,
  asked,
});

/** What `packOrder` leaves out. Readings are read when they are asked for. */
export async function* packPages({ days, places, said }: PackData): AsyncGenerator<PackPage, void> {
  for (const some of pagesOf(days.exceedances)) yield { of: 'exceedances', some };
  for (const some of pagesOf(days.gaps)) yield { of: 'gaps', some };
  for (const [place, { rows: ofPlace }] of places.entries())
    for (const rows of packedRows(ofPlace)) yield { of: 'rows', place, rows };
  for (const [meter, { pages }] of said.entries())
    for await (const numbers of pages) yield { of: 'readings', meter, numbers };
}

function* pagesOf<Line>(lines: readonly Line[]): Generator<readonly Line[], void> {
  for (let at = 0; at < lines.length; at += LINES_A_PAGE) yield lines.slice(at, at + LINES_A_PAGE);
}

/** What of a page can be handed over without a copy. */
export function buffersOf(page: PackPage): ArrayBuffer[] {
  if (page.of === 'rows') return [page.rows.numbers.buffer, page.rows.gaps.buffer, page.rows.ofRows.buffer];
  return page.of === 'readings' ? [page.numbers.buffer] : [];
}

/** The pack of an order and of its pages, the readings as they come. `next`: null once there are no more. */
export async function packOfPages(
  { take, time, days, options, places, meters }: PackOrder,
  next: () => Promise<PackPage | null>,
): Promise<PackData> {
  const exceedances: TakeExceedance[] = [];
  const gaps: TakeGap[] = [];
  const rows = places.map((): PackedRows[] => []);
  let page = await next();
  for (; page && page.of !== 'readings'; page = await next()) {
    if (page.of === 'rows') rows[page.place]?.push(page.rows);
    else if (page.of === 'gaps') gaps.push(...page.some);
    else exceedances.push(...page.some);
  }
  async function* readingsOf(meter: number) {
    for (; page?.of === 'readings' && page.meter === meter; page = await next()) yield page.numbers;
  }
  return {
    take,
    time,
    days: { ...days, exceedances, gaps },
    options,
    places: places.map((place, nth) => ({ ...place, rows: unpackedRows(rows[nth] ?? []) })),
    said: meters.map((meter, nth) => ({ meter, pages: readingsOf(nth) })),
  };
}

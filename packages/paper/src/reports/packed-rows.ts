import type { CodedRow } from '@headrace/contract/rules/water-take/coded-places';
import type { KnownGap } from '@headrace/contract/rules/water-take/volume';
import { volumeStates } from '@headrace/contract/rules/water-take/volume';

/** Quarters as numbers, which take a third of the memory that they take as objects. */
export interface PackedRows {
  /** NUMBERS_A_ROW of each; NaN is null. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Gaps that no page before had: from, to and m³ of each. */
  readonly gaps: Float64Array<ArrayBuffer>;
  /** Which gap, by its number among all, each row lies in: of the rows that do, in their order. */
  readonly ofRows: Uint32Array<ArrayBuffer>;
}

const ROWS_A_PAGE = 1000;
/** End, m³, state, known, whether that is the least, code, before, after, and in how many gaps. */
const NUMBERS_A_ROW = 9;
const NUMBERS_A_GAP = 3;

/** A page at a time, so that whoever packs them serves others in between. */
export function* packedRows(rows: Iterable<CodedRow>): Generator<PackedRows, void> {
  const known = new Map<KnownGap, number>();
  let page: CodedRow[] = [];
  for (const row of rows) {
    page.push(row);
    if (page.length < ROWS_A_PAGE) continue;
    yield packedPage(page, known);
    page = [];
  }
  if (page.length > 0) yield packedPage(page, known);
}

function packedPage(rows: readonly CodedRow[], known: Map<KnownGap, number>): PackedRows {
  const numbers = new Float64Array(rows.length * NUMBERS_A_ROW);
  const ofRows: number[] = [];
  const gaps: number[] = [];
  let at = 0;
  // Number by number: a list of each row's would live for a moment, 70,000 times.
  for (const row of rows) {
    const own = row.gaps ?? [];
    numbers[at] = row.end;
    numbers[at + 1] = row.m3 ?? NaN;
    numbers[at + 2] = volumeStates.indexOf(row.state);
    numbers[at + 3] = row.known ?? NaN;
    numbers[at + 4] = row.isLeast ? 1 : 0;
    numbers[at + 5] = row.code;
    numbers[at + 6] = row.before ?? NaN;
    numbers[at + 7] = row.after ?? NaN;
    numbers[at + 8] = own.length;
    at += NUMBERS_A_ROW;
    for (const gap of own) {
      const number = known.get(gap) ?? known.size;
      if (number === known.size) {
        known.set(gap, number);
        gaps.push(gap.from, gap.to, gap.m3);
      }
      ofRows.push(number);
    }
  }
  return { numbers, gaps: Float64Array.from(gaps), ofRows: Uint32Array.from(ofRows) };
}

/** The rows of these pages, as often as they are gone through. A gap is one object in all its rows, as it was before. */
export function unpackedRows(pages: readonly PackedRows[]): Iterable<CodedRow> {
  const gaps = pages.flatMap((page) => gapsOfPage(page));
  return {
    *[Symbol.iterator]() {
      for (const page of pages) yield* rowsOfPage(page, gaps);
    },
  };
}

const gapsOfPage = ({ gaps }: PackedRows): KnownGap[] =>
  Array.from({ length: gaps.length / NUMBERS_A_GAP }, (_none, nth) => {
    const [from = NaN, to = NaN, m3 = NaN] = gaps.subarray(nth * NUMBERS_A_GAP);
    return { from, to, m3 };
  });

function* rowsOfPage({ numbers, ofRows }: PackedRows, gaps: readonly KnownGap[]): Generator<CodedRow, void> {
  let next = 0;
  for (let at = 0; at < numbers.length; at += NUMBERS_A_ROW) {
    const row: CodedRow = {
      end: numbers[at] ?? NaN,
      m3: orNull(numbers[at + 1]),
      state: volumeStates[numbers[at + 2] ?? NaN] ?? 'missing',
      known: orNull(numbers[at + 3]),
      ...(numbers[at + 4] === 1 && { isLeast: true }),
      code: numbers[at + 5] ?? NaN,
      before: orNull(numbers[at + 6]),
      after: orNull(numbers[at + 7]),
    };
    const count = numbers[at + 8] ?? 0;
    if (count === 0) yield row;
    else {
      const own = Array.from(ofRows.subarray(next, next + count)).flatMap((gap) => gaps[gap] ?? []);
      next += count;
      yield { ...row, gaps: own };
    }
  }
}

const orNull = (value: number | undefined = NaN) => (Number.isNaN(value) ? null : value);

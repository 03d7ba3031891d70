import type { ReplyOf } from '@headrace/contract/endpoint';
import { type CsvCell, csvCells, csvLines, writeCsv } from '@headrace/contract/rules/files/write-csv';
import { isoTime } from '@headrace/contract/rules/iso-time';
import { type ReadingNumbers, readingsOf } from '@headrace/contract/rules/reading-numbers';
import {
  offsetText,
  QUARTER_MS,
  quarterTexts,
  type StandardTime,
} from '@headrace/contract/rules/water-take/clock';
import type { CodedPlace, CodedRow } from '@headrace/contract/rules/water-take/coded-places';
import { hilltopXml } from '@headrace/contract/rules/water-take/hilltop';
import { hourSums, knownM3 } from '@headrace/contract/rules/water-take/sums';
import type { takeDays, TakeMeter, WaterTake } from '@headrace/contract/water-takes';
import type { Made } from '../made.ts';

/** What a meter said, as it came, a page at a time. */
export interface PackReadings {
  readonly meter: TakeMeter;
  readonly pages: AsyncIterable<ReadingNumbers> | Iterable<ReadingNumbers>;
}

export interface PackData {
  readonly take: WaterTake;
  readonly time: StandardTime;
  readonly days: ReplyOf<typeof takeDays>;
  readonly places: readonly CodedPlace[];
  readonly said: readonly PackReadings[];
  readonly options: { readonly codes: boolean; readonly gapsLeftOut: boolean };
}

/** Its text in pieces, so that who writes a year of quarters lets others go first in between. */
export interface PackFile {
  readonly name: string;
  readonly pieces: Iterable<string> | AsyncIterable<string>;
}

/** The tables of a pack; its summary on paper (`takePaper`) is of the same figures. */
export function takeTables(data: PackData, { farm }: Made): PackFile[] {
  const { places, time, options } = data;
  return [
    { name: 'volumes-15min.csv', pieces: quartersCsv(data) },
    { name: 'volumes-hour.csv', pieces: hoursCsv(data) },
    { name: 'volumes-day.csv', pieces: daysCsv(data) },
    { name: 'gaps.csv', pieces: gapsCsv(data) },
    { name: 'exceedances.csv', pieces: exceedancesCsv(data) },
    { name: 'hilltop.xml', pieces: hilltopXml(farm, places, { time, leavesGapsOut: options.gapsLeftOut }) },
    { name: 'readings.csv', pieces: readingsCsv(data) },
  ];
}

const ROWS_A_PIECE = 50;

const csvPieces = (head: readonly CsvCell[], rows: Iterable<readonly CsvCell[]>): Iterable<string> =>
  linePieces(
    head,
    mapped(rows, (row) => csvLines([row])),
  );

/** Of lines that are written already: of a year's quarters and readings most cells need no look. */
function* linePieces(head: readonly CsvCell[], lines: Iterable<string>): Generator<string, void> {
  yield writeCsv([head]);
  let [text, count] = ['', 0];
  for (const line of lines) {
    text += line;
    count += 1;
    if (count % ROWS_A_PIECE > 0) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** One after the other, none before it is asked for. */
function* each<T, U>(items: Iterable<T>, of: (item: T) => Iterable<U>): Generator<U, void> {
  for (const item of items) yield* of(item);
}

function* mapped<T, U>(items: Iterable<T>, of: (item: T) => U): Generator<U, void> {
  for (const item of items) yield of(item);
}

const m3 = (value: number | null) => (value === null ? null : value.toFixed(3));
/** The same as a cell's text: a figure below nothing is one that a spreadsheet would reckon. */
function m3Cell(value: number | null): string {
  if (value === null) return '';
  return value < 0 ? csvCells([value.toFixed(3)]) : value.toFixed(3);
}
const lps = (value: number | null) => (value === null ? null : value.toFixed(3));
/** 2026-11-22T00:15:00+12:00 */
const withOffset = (time: StandardTime, at: number) =>
  `${new Date(at + time.offsetMs).toISOString().slice(0, 19)}${offsetText(time)}`;

function quartersCsv({ places, time, options, days }: PackData): Iterable<string> {
  const { day, clock, end } = quarterTexts(time);
  const offset = offsetText(time);
  const head = [
    'site',
    'measure',
    `end_${days.standardTime}`,
    'end',
    'm3',
    'state',
    ...(options.codes ? ['code'] : []),
    'counter_before_m3',
    'counter_after_m3',
  ];
  const codeOf = options.codes ? ({ code }: CodedRow) => `${code},` : () => '';
  return linePieces(
    head,
    each(places, ({ site, measure, rows }) => {
      const place = csvCells([site, measure]);
      return mapped(rows, (row) => {
        const ends = `${place},${end(row.end)},${day(row.end)}T${clock(row.end)}:00${offset}`;
        const volume = `${m3Cell(row.m3)},${row.state},${codeOf(row)}`;
        return `${ends},${volume}${m3Cell(row.before)},${m3Cell(row.after)}\r\n`;
      });
    }),
  );
}

function hoursCsv({ places, time, days }: PackData): Iterable<string> {
  const { end } = quarterTexts(time);
  return csvPieces(
    ['site', 'measure', `end_${days.standardTime}`, 'm3', 'measured_of_4', 'highest_lps', 'all_known'],
    each(places, ({ site, measure, rows }) =>
      mapped(hourSums(rows), ({ counts, ...sum }) => [
        site,
        measure,
        end(sum.at + 4 * QUARTER_MS),
        m3(knownM3({ ...sum, missing: counts.missing })),
        counts.measured,
        lps(sum.highestLps),
        sum.isWhole ? 'yes' : 'no',
      ]),
    ),
  );
}

const daysCsv = ({ days }: PackData): Iterable<string> =>
  csvPieces(
    [
      'day',
      'm3',
      'measured_of_96',
      'shared',
      'estimated',
      'missing',
      'highest_lps',
      'all_known',
      'old_settings',
    ],
    mapped(days.days, (day) => [
      day.day,
      m3(knownM3(day)),
      day.measured,
      day.shared,
      day.estimated,
      day.missing,
      lps(day.highestLps),
      day.isWhole ? 'yes' : 'no',
      day.hasOldSettings ? 'yes' : 'no',
    ]),
  );

const gapsCsv = ({ days, time }: PackData): Iterable<string> =>
  csvPieces(
    ['from', 'to', 'rows', 'm3_known', 'goes_on_outside', 'cause', 'note'],
    mapped(days.gaps.toReversed(), ({ from, to, rows, m3: known, isCut, cause, note }) => [
      withOffset(time, Date.parse(from)),
      withOffset(time, Date.parse(to)),
      rows,
      m3(known),
      isCut ? 'yes' : 'no',
      cause,
      note,
    ]),
  );

const exceedancesCsv = ({ days, time }: PackData): Iterable<string> =>
  csvPieces(
    ['from', 'to', 'limit', 'value', 'most', 'unit', 'by', 'within_accuracy', 'by_restriction', 'all_known'],
    mapped(days.exceedances.toReversed(), ({ at, limit, value, most, ...how }) => [
      withOffset(time, Date.parse(at.from)),
      withOffset(time, Date.parse(at.to)),
      limit,
      value.toFixed(3),
      // A part of what the consent allows is no round figure in binary.
      Number(most.toFixed(6)),
      limit === 'rate' ? 'L/s' : 'm3',
      (value - most).toFixed(3),
      how.isWithinAccuracy ? 'yes' : 'no',
      how.isRestricted ? 'yes' : 'no',
      how.isWhole ? 'yes' : 'no',
    ]),
  );

/** The proof: counts as they came. When each was received isn't kept. */
async function* readingsCsv({ said }: PackData): AsyncGenerator<string, void> {
  yield writeCsv([['meter', 'site', 'measure', 'metric', 'm3_of_a_count', 'taken', 'value']]);
  for (const { meter, pages } of said) {
    const { device, site, measure, metric, m3PerUnit } = meter;
    const head = csvCells([device, site, measure, metric, m3PerUnit]);
    for await (const page of pages) {
      let text = '';
      for (const { at, value } of readingsOf(page)) text += `${head},${isoTime(at)},${value}\r\n`;
      yield text;
    }
  }
}

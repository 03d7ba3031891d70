import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { SeedRecord } from '@headrace/contract/soil-moisture';
import { UsageError } from '../usage-error.ts';

/** A minute's samples of two months, or a quarter of an hour's of almost three years. */
export const SEED_FILE_LIMITS = { bytes: 8 * 1024 * 1024, samples: 100_000 } as const;
const FAULTS_SHOWN = 10;

export interface Sample {
  /** In the file, from 1. */
  line: number;
  record: Static<typeof SeedRecord>;
}

const measured = ['temperature', 'rainfall', 'swp1', 'swp2'] as const;
const columns = ['date', 'time', ...measured] as const;
type Column = (typeof columns)[number];

const validator = Compile(SeedRecord);

/** A mistake in the file: where it is, and what to do about it. */
class Fault extends Error {}

/**
 * Reads samples from CSV: a header with the columns in any order, commas, no quotes; an empty cell was not measured, and rows
 * without anything in them are passed over. Throws UsageError that names the first faults by line and column.
 */
export function parseSeedFile(text: string): Sample[] {
  const [header, ...rows] = splitRows(text);
  if (!header || rows.length === 0)
    throw new UsageError(
      'The file holds no samples: give a line with the names of columns, and lines below.',
    );
  if (rows.length > SEED_FILE_LIMITS.samples)
    throw new UsageError(
      `The file holds ${rows.length} samples, the most is ${SEED_FILE_LIMITS.samples}: split it.`,
    );
  const faults: string[] = [];
  const samples: Sample[] = [];
  const attempt = (line: number, act: () => void) => {
    try {
      act();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      faults.push(`Line ${line}, ${error.message}`);
    }
  };
  attempt(header.line, () => {
    const names = readHeader(header.cells);
    const seen = new Map<string, number>();
    for (const { line, cells } of rows)
      attempt(line, () => samples.push({ line, record: readRow(names, cells, seen, line) }));
  });
  if (faults.length > 0) throw new UsageError(faultsText(faults));
  return samples;
}

const splitRows = (text: string) =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((row, index) => ({ line: index + 1, cells: row.split(',').map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));

function readHeader(cells: readonly string[]): Column[] {
  const names = cells.map((cell) => {
    const name = columns.find((column) => column === cell.toLowerCase());
    if (!name)
      throw new Fault(
        `column ${shown(cell)}: name it one of ${columns.join(', ')}, apart by commas, no quotes.`,
      );
    return name;
  });
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Fault(`column ${twice}: it is there twice, take one out.`);
  for (const name of ['date', 'time'] as const)
    if (!names.includes(name)) throw new Fault(`column ${name}: it is missing, add it.`);
  return names;
}

/** `seen` has the times of the lines above. */
function readRow(
  names: readonly Column[],
  cells: readonly string[],
  seen: Map<string, number>,
  line: number,
): Sample['record'] {
  if (cells.length !== names.length)
    throw new Fault(
      `column ${names[Math.min(cells.length, names.length) - 1]}: the line has ${cells.length} cells and the header ${names.length}, give as many. Decimals have a point.`,
    );
  const given = new Map(names.map((name, index) => [name, cells[index] ?? '']));
  const record = {
    date: readDate(given.get('date') ?? ''),
    time: readTime(given.get('time') ?? ''),
    ...readValues(given),
  };
  const [fault] = validator.Errors(record);
  if (fault)
    throw new Fault(`column ${fault.instancePath.slice(1)}: ${fault.message}, mend it or leave it empty.`);
  const moment = `${record.date} ${record.time.padEnd(8, ':00')}`;
  const before = seen.get(moment);
  if (before) throw new Fault(`column time: line ${before} has the same date and time, take one out.`);
  seen.set(moment, line);
  return record;
}

function readDate(text: string): string {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // The 30th of February is read as a day of March.
  if (!Number.isNaN(at) && new Date(at).toISOString().startsWith(text)) return text;
  throw new Fault(`column date: ${shown(text)} is no day, give one that exists as YYYY-MM-DD.`);
}

function readTime(text: string): string {
  if (/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text)) return text;
  throw new Fault(
    `column time: ${shown(text)} is no time, give one as HH:mm or HH:mm:ss, from 00:00 to 23:59.`,
  );
}

function readValues(given: ReadonlyMap<Column, string>): Partial<Record<(typeof measured)[number], number>> {
  const values = measured.flatMap((name) => {
    const text = given.get(name) ?? '';
    if (text === '') return [];
    if (!/^-?\d+(\.\d+)?$/.test(text))
      throw new Fault(`column ${name}: ${shown(text)} is no number, give digits alone or leave it empty.`);
    return [[name, Number(text)]];
  });
  if (values.length > 0)
    return Object.fromEntries(values) as Partial<Record<(typeof measured)[number], number>>;
  throw new Fault(`columns ${measured.join(', ')}: all are empty, fill one or take the line out.`);
}

/** A cell may hold anything, also what would steer a terminal. */
const shown = (text: string) => `"${text.slice(0, 40).replace(/\p{C}/gu, '·')}"`;

function faultsText(faults: readonly string[]): string {
  const more = faults.length - FAULTS_SHOWN;
  const lines = [...faults.slice(0, FAULTS_SHOWN), ...(more > 0 ? [`… and ${more} more lines.`] : [])];
  return `Nothing was sent. Mend the file:\n${lines.join('\n')}`;
}

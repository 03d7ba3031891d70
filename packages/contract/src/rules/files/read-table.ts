import Papa from 'papaparse';
import { wholeText } from '../number-text.ts';

/** A row as it was copied. `row` is its number in the spreadsheet, from 1, empty rows counted. */
export interface TableRow {
  readonly row: number;
  readonly cells: readonly string[];
}

export interface Table {
  readonly rows: readonly TableRow[];
  /** Of the widest row. */
  readonly width: number;
  /** Why the text can't be read as a table: a sentence. */
  readonly fault: string | null;
}

export const TABLE_MAX = { characters: 2_000_000, rows: 5000, columns: 40 } as const;

/** How much is read; absent: as much as people paste. */
interface Most {
  readonly characters?: number;
  readonly rows?: number;
}

/**
 * Rows of a spreadsheet that were copied (tabs), or the text of a CSV file (semicolons or commas); quoted cells are understood. What is
 * beyond the most is counted and not kept, so that no text takes memory out of proportion.
 */
export function readTable(text: string, most: Most = {}): Table {
  const { characters = TABLE_MAX.characters, rows: mostRows = TABLE_MAX.rows } = most;
  if (text.length > characters)
    return broken(`This is too much text: the most is ${Math.floor(characters / 1_000_000)} MB.`);
  const { delimiter, body, skipped } = separated(text.replace(/^\uFEFF/, ''));
  const open = openQuote(body, delimiter, skipped + 1);
  if (open !== null) return broken(`Row ${open}: a quotation mark is opened and not closed.`);
  const rows: TableRow[] = [];
  const found = { row: skipped, count: 0, width: 0 };
  Papa.parse<string[]>(body, {
    delimiter,
    step: ({ data }) => {
      found.row += 1;
      const cells = data.map((cell) => cell.trim());
      if (!cells.some((cell) => cell !== '')) return;
      found.count += 1;
      found.width = Math.max(found.width, cells.length);
      // One more for the headings.
      if (found.count <= mostRows + 1 && cells.length <= TABLE_MAX.columns)
        rows.push({ row: found.row, cells });
    },
  });
  const { count, width } = found;
  if (count > mostRows + 1)
    return broken(`These are ${wholeText(count)} rows. The most is ${wholeText(mostRows)}.`);
  if (width > TABLE_MAX.columns) return broken(`A row has ${width} cells. The most is ${TABLE_MAX.columns}.`);
  return { rows, width, fault: null };
}

/**
 * The row of a cell that begins with a quotation mark and doesn't end with one; null: there is none. The parser looks for the end of such
 * a cell at each mark anew: 60 KB of them held a thread for seconds.
 */
function openQuote(text: string, delimiter: string, first: number): number | null {
  let row = first;
  for (let at = 0; at < text.length; at += 1) {
    const isQuoted = text[at] === '"';
    const end = isQuoted ? quotedEnd(text, at) : cellEnd(text, at, delimiter);
    const mark = text[end];
    if (isQuoted && mark !== undefined && mark !== delimiter && mark !== '\n' && mark !== '\r') return row;
    if (isQuoted && end < 0) return row;
    if (mark === '\n' || (mark === '\r' && text[end + 1] !== '\n')) row += 1;
    at = end;
  }
  return null;
}

/** Behind its last mark and the blanks that follow; -1: it has none. A mark within is written twice. */
function quotedEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end < 0) return -1;
  end += 1;
  while (text[end] === ' ' || text[end] === '\u00A0') end += 1;
  return end;
}

function cellEnd(text: string, start: number, delimiter: string): number {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return end;
}

/** A table whose first row names its columns. */
interface HeadedTable {
  /** In small letters, with `_` for blanks and dashes. */
  readonly heads: readonly string[];
  readonly rows: readonly TableRow[];
  /** Rows that are the first one again, as where two files were put together. */
  readonly repeated: number;
}

export function withHeads({ rows: [head, ...rest] }: Table): HeadedTable {
  const headOf = (cell: string) => cell.toLowerCase().replaceAll(/[\s-]/g, '_');
  const heads = head?.cells.map(headOf) ?? [];
  // Most rows differ in their first cell: of 120,000 not all are rewritten.
  const isHead = ({ cells }: TableRow) =>
    cells.length === heads.length && cells.every((cell, index) => headOf(cell) === heads[index]);
  const rows = rest.filter((row) => !isHead(row));
  return { heads, rows, repeated: rest.length - rows.length };
}

/** A sentence where one of the columns that are read stands twice: nobody knows which is meant. */
export function doubledColumn(heads: readonly string[], isRead: (index: number) => boolean): string | null {
  const first = heads.find((name, index) => isRead(index) && heads.lastIndexOf(name) !== index);
  return first === undefined ? null : `The column ${first} stands twice. Please take one out.`;
}

const broken = (fault: string): Table => ({ rows: [], width: 0, fault });

/**
 * Spreadsheets copy with tabs. Where there are semicolons the comma belongs to numbers: -43,75; only where the headings have both, and the
 * next row has as many cells by either and not by semicolons alone, cells are apart by either. `sep=;` is obeyed.
 */
function separated(text: string): { delimiter: string; body: string; skipped: number } {
  const said = /^sep=(.)\r?\n/.exec(text);
  if (said?.[1]) return { delimiter: said[1], body: text.slice(said[0].length), skipped: 1 };
  const start = text
    .trimStart()
    .slice(0, 5000)
    .replaceAll(/"[^"]*"/g, '');
  const [first = '', ...others] = start.split(/\r?\n|\r/);
  const second = others.find((line) => line.trim() !== '') ?? '';
  const delimiter = ['\t', ';'].find((mark) => first.includes(mark)) ?? ',';
  const isEven = (mark: string | RegExp) => first.split(mark).length === second.split(mark).length;
  const isEither = delimiter === ';' && first.includes(',') && !isEven(';') && isEven(/[;,]/);
  const body = isEither ? text.replaceAll(/"[^"]*"|,/g, (found) => (found === ',' ? ';' : found)) : text;
  return { delimiter, body, skipped: 0 };
}

import Papa from 'papaparse';

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

/** Rows of a spreadsheet that were copied (tabs), or the text of a CSV file (semicolons or commas); quoted cells are understood. */
export function readTable(text: string, mostRows: number = TABLE_MAX.rows): Table {
  if (text.length > TABLE_MAX.characters) return broken('This is too much text: the most is 2 MB.');
  const tidy = text.replace(/^\uFEFF/, '');
  const { delimiter, body, skipped } = separated(tidy);
  const { data, errors } = Papa.parse<string[]>(body, { delimiter });
  const error = errors.find(({ type }) => type === 'Quotes');
  if (error)
    return broken(`Row ${(error.row ?? 0) + 1 + skipped}: a quotation mark is opened and not closed.`);
  const rows = data
    .map((cells, index) => ({ row: index + 1 + skipped, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  // One more for the headings.
  if (rows.length > mostRows + 1)
    return broken(
      `These are ${rows.length.toLocaleString('en-NZ')} rows. The most is ${mostRows.toLocaleString('en-NZ')}.`,
    );
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  if (width > TABLE_MAX.columns) return broken(`A row has ${width} cells. The most is ${TABLE_MAX.columns}.`);
  return { rows, width, fault: null };
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
  const headsOf = ({ cells }: TableRow) => cells.map((cell) => cell.toLowerCase().replaceAll(/[\s-]/g, '_'));
  const heads = head ? headsOf(head) : [];
  const rows = rest.filter((row) => headsOf(row).join('\n') !== heads.join('\n'));
  return { heads, rows, repeated: rest.length - rows.length };
}

/** A sentence where one of the columns that are read stands twice: nobody knows which is meant. */
export function doubledColumn(heads: readonly string[], isRead: (index: number) => boolean): string | null {
  const first = heads.find((name, index) => isRead(index) && heads.lastIndexOf(name) !== index);
  return first === undefined ? null : `The column ${first} stands twice. Please take one out.`;
}

const broken = (fault: string): Table => ({ rows: [], width: 0, fault });

/** Spreadsheets copy with tabs. Where there are semicolons the comma belongs to numbers: -43,75. `sep=;` is obeyed. */
function separated(text: string): { delimiter: string; body: string; skipped: number } {
  const said = /^sep=(.)\r?\n/.exec(text);
  if (said?.[1]) return { delimiter: said[1], body: text.slice(said[0].length), skipped: 1 };
  const start = text
    .trimStart()
    .slice(0, 5000)
    .replaceAll(/"[^"]*"/g, '');
  const first = start.split(/\r?\n|\r/, 1)[0] ?? '';
  const delimiter = ['\t', ';'].find((mark) => first.includes(mark)) ?? ',';
  return { delimiter, body: text, skipped: 0 };
}

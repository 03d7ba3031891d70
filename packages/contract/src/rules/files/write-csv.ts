/** What a cell is written from. Numbers stay numbers. */
export type CsvCell = string | number | null;

/**
 * A table as a CSV file that spreadsheets open as it is: RFC 4180, comma, CRLF, and a byte order mark, without which Excel breaks macrons.
 * Text that a spreadsheet would reckon as a formula gets a leading apostrophe.
 */
export function writeCsv(rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${csvLines(rows)}`;
}

/** A part of one, to be put behind its beginning. */
export const csvLines = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((row) => `${csvCells(row)}\r\n`).join('');

/** A part of a line. */
export const csvCells = (cells: readonly CsvCell[]): string => cells.map(cellText).join(',');

/** Most cells have nothing of either. */
const SPECIAL = /^[=+\-@\t\r]|[",\r\n]/;
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  if (!SPECIAL.test(cell)) return cell;
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

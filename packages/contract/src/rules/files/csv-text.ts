import Papa from 'papaparse';

type Cell = string | number | null;

/**
 * Lines of a CSV file (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers,
 * and what isn't known is empty.
 */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '';
  return `${Papa.unparse(rows as Cell[][], { escapeFormulae: RECKONED, newline: '\r\n' })}\r\n`;
}

/** A text that has the apostrophe already gets one more, so that reading takes off what writing has put there. */
const RECKONED = /^'*[=+\-@\t\r]/;

/** A text as it was before it was written: without the one apostrophe. */
export const plainCell = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);

/** What a file begins with: the mark without which Excel misreads macrons, and the names of its columns. */
export const csvStart = (columns: readonly string[]): string => `\uFEFF${csvLines([columns])}`;

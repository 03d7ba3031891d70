import type { ImportRow } from '@headrace/contract/imports';
import { writeCsv } from '@headrace/contract/rules/files/write-csv';
import type { SavedFile } from '../../ui/save-file.ts';

/** What of a file is left out, and why, as a table to mend it by. */
export function leftOutFile(file: string, rows: readonly ImportRow[]): SavedFile {
  const content = writeCsv([
    ['line', 'name', 'reason'],
    ...rows.map(({ line, name, why }) => [line, name, why]),
  ]);
  return {
    name: `${file.replace(/\.[^.]*$/, '')}-left-out.csv`,
    content: new Blob([content], { type: 'text/csv' }),
  };
}

import Papa from 'papaparse';
import { plainCell } from './csv-text.ts';

/** How a table begins: its heads, and so many of its rows. */
export interface FirstRows {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** There are more. */
  readonly isCut: boolean;
}

/** Of a CSV file as we write them. */
export function firstRows(csv: string, count: number): FirstRows {
  const text = csv.replace(/^\uFEFF/, '');
  const { data } = Papa.parse<string[]>(text, { preview: count + 2, skipEmptyLines: true, delimiter: ',' });
  const [heads = [], ...rows] = data.map((row) => row.map(plainCell));
  return { heads, rows: rows.slice(0, count), isCut: rows.length > count };
}

import type { TakeRow } from '@headrace/contract/rules/water-take/rows';
import type { Range } from '../series/rollup-query.ts';

export const rowsIn = (rows: readonly TakeRow[], { from, to }: Range): TakeRow[] =>
  rows.filter(({ end }) => end > from && end <= to);

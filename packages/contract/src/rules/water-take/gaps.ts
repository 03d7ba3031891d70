import { QUARTER_MS } from './clock.ts';
import type { TakeRow } from './rows.ts';
import { sumOf } from './sums.ts';

/** Rows that are missing one after the other, epoch ms. */
export interface TakeGap {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  /** m³ in all that the counter shows for that time; null: not known. */
  readonly m3: number | null;
  /** It goes on before the first or after the last of the rows: what the counter shows is for more than these. */
  readonly isCut: boolean;
}

export function gapsOf(rows: Iterable<TakeRow>): TakeGap[] {
  const runs: TakeRow[][] = [];
  for (const row of rows) {
    if (row.state !== 'missing') continue;
    const run = runs.at(-1);
    if (run?.at(-1)?.end === row.end - QUARTER_MS) run.push(row);
    else runs.push([row]);
  }
  return runs.map(gapOfRun);
}

function gapOfRun(rows: readonly TakeRow[]): TakeGap {
  const { m3, isWhole, hasUnknown, cut } = sumOf(0, rows);
  return {
    from: (rows[0]?.end ?? 0) - QUARTER_MS,
    to: rows.at(-1)?.end ?? 0,
    rows: rows.length,
    m3: isWhole ? m3 : null,
    isCut: cut.length > 0 && !hasUnknown,
  };
}

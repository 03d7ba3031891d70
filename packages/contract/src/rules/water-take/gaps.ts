import { QUARTER_MS } from './clock.ts';
import type { TakeRow } from './rows.ts';

/** Rows that are missing one after the other, epoch ms. */
export interface TakeGap {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  /** m³ in all that the counter shows for that time; null: not known. */
  readonly m3: number | null;
}

export function gapsOf(rows: readonly TakeRow[]): TakeGap[] {
  const gaps: TakeGap[] = [];
  for (const { end, state, known } of rows) {
    if (state !== 'missing') continue;
    const last = gaps.at(-1);
    const from = end - QUARTER_MS;
    if (last?.to !== from) {
      gaps.push({ from, to: end, rows: 1, m3: known });
      continue;
    }
    const m3 = last.m3 === null || known === null ? null : last.m3 + known;
    gaps[gaps.length - 1] = { ...last, to: end, rows: last.rows + 1, m3 };
  }
  return gaps;
}

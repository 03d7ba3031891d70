import type { SetUnit } from '../../schedules.ts';
import { compareNatural } from '../natural-order.ts';
import { clockText } from './clock-text.ts';
import { DAY_MINUTES } from './plan.ts';
import { tableRows } from './table-rows.ts';

/** A line's column of the schedule table. */
export interface TableColumn {
  /** The line: a group, or `group/2`. */
  readonly name: string;
  readonly sprinklers: number;
  readonly cells: readonly TableCell[];
}

/** Minutes of the cycle, from 0; `day` of it from 1. */
export type TableCell =
  | { readonly kind: 'day'; readonly day: number }
  | { readonly kind: 'gap'; readonly fromMin: number; readonly minutes: number }
  | {
      readonly kind: 'entry';
      readonly start: number;
      readonly minutes: number;
      readonly name: string;
      readonly serialNumber: string;
    };

/** The lines of a set, or of a plan, in natural order; each with its waterings and gaps over the cycle, in order of time. */
export function tableColumns(units: readonly SetUnit[], cycleLen: number): readonly TableColumn[] {
  const lines = new Map<string, SetUnit[]>();
  for (const unit of units) {
    const own = lines.get(unit.scheduleGroup);
    if (own) own.push(unit);
    else lines.set(unit.scheduleGroup, [unit]);
  }
  return [...lines]
    .toSorted(([one], [other]) => compareNatural(one, other))
    .map(([name, own]) => ({ name, sprinklers: own.length, cells: cellsOf(own, cycleLen) }));
}

/** Several rounds a day are spelled out in the entries, so such a table shows the day. */
function cellsOf(units: readonly SetUnit[], cycleLen: number): TableCell[] {
  const runs = units.flatMap(({ group, scheduleGroup, schedules }, index) =>
    schedules.map((entry) => ({ ...entry, unit: String(index), group, scheduleGroup })),
  );
  return tableRows(runs, Math.max(cycleLen, DAY_MINUTES)).map((row): TableCell => {
    if (row.kind !== 'run') return row;
    const { start, duration, unit } = row.run;
    const { name = '', serialNumber = '' } = units[Number(unit)] ?? {};
    return { kind: 'entry', start, minutes: duration, name, serialNumber };
  });
}

/** spec 2 §9 */
export const gapText = (minutes: number): string => `GAP [${minutes} mins]`;
export const minutesText = (minutes: number): string => `[${minutes} mins]`;
export const entryText = (start: number, name: string, minutes: number): string =>
  `${clockText(start)} ${name} ${minutesText(minutes)}`;

import type { BatteryChange } from '@headrace/contract/battery-life';
import { isoTime } from '@headrace/contract/rules/iso-time';
import type { Range } from '../series/rollup-query.ts';
import type { ChangeRow } from './battery-life.repo.ts';

/**
 * When the charge became another battery's, in the range. The history goes with a unit from place to place: what was done to it
 * before it came here is nothing of this chart. `knownAt` (epoch ms): the last new battery by the record, which the history may
 * not have.
 */
export function batteryChanges(
  rows: readonly ChangeRow[],
  knownAt: number | null,
  { from, to }: Range,
): BatteryChange[] {
  const came = rows.findLastIndex(({ how }) => how === 'unit');
  const known = rows.slice(Math.max(came, 0)).map(({ at, how, by }) => ({ at: at.getTime(), how, by }));
  const isKnown = knownAt === null || known.some(({ at, how }) => how === 'battery' && at === knownAt);
  const all = isKnown ? known : [...known, { at: knownAt, how: 'battery' as const, by: '' }];
  return all
    .filter(({ at }) => at >= from && at < to)
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, how, by }) => ({ at: isoTime(at), how, by }));
}

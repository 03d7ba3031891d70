import type { Turn } from '@headrace/contract/rules/schedule/turns';
import { isUnknown } from './timeline-lines.ts';
import type { LineUnit } from './turn-units.ts';

/** What a sprinkler is to begin watering. Times in epoch ms. */
export interface AheadUnit {
  readonly uid: string;
  /** By name. */
  readonly groups: readonly string[];
  /** What it gives; 0: not set. */
  readonly lps: number;
  /** It is not known what it waters by: it may begin unforeseen. */
  readonly isUnknown: boolean;
  /** `isSure`: nothing speaks against it. */
  readonly turns: readonly { readonly startAt: number; readonly endAt: number; readonly isSure: boolean }[];
}

/** Of its turns those that begin after `now` and before `until`; not those of which it is known that they won't be. */
export function aheadOf(unit: LineUnit, turns: readonly Turn[], now: number, until: number): AheadUnit {
  const { status, groups, lps } = unit;
  const begin = turns.filter(
    ({ startAt, sign }) => startAt > now && startAt < until && (sign === 'will' || sign === 'unsure'),
  );
  return {
    uid: status.id,
    groups,
    lps,
    isUnknown: isUnknown(unit),
    turns: begin.map(({ startAt, endAt, sign }) => ({ startAt, endAt, isSure: sign === 'will' })),
  };
}

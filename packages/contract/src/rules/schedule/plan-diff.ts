import { compareNatural } from '../natural-order.ts';
import type { Programme, Run } from './programme.ts';

export const changeKinds = ['same', 'new', 'moved', 'longer', 'shorter', 'cleared'] as const;

/** `unknown`: nobody knows what it holds now. */
export const comparedKinds = [...changeKinds, 'unknown'] as const;
export type ComparedKind = (typeof comparedKinds)[number];

/** What becomes of a unit's programme; `moved`: as many minutes a day at other times. */
export interface UnitChange {
  readonly unit: string;
  readonly kind: (typeof changeKinds)[number];
  readonly from: Programme | null;
  readonly to: Programme | null;
}

/** By unit, of one plan and the next, or of what units hold and a plan. */
export function planDiff(
  from: ReadonlyMap<string, Programme>,
  to: ReadonlyMap<string, Programme>,
): readonly UnitChange[] {
  const units = [...new Set([...from.keys(), ...to.keys()])].toSorted(compareNatural);
  return units.map((unit) => {
    const [before, after] = [from.get(unit) ?? null, to.get(unit) ?? null];
    return { unit, kind: kindOf(before, after), from: before, to: after };
  });
}

function kindOf(from: Programme | null, to: Programme | null): UnitChange['kind'] {
  if (!from) return 'new';
  if (!to) return 'cleared';
  if (from.crc === to.crc && from.cycleDays === to.cycleDays) return 'same';
  const more = minutesADay(to) - minutesADay(from);
  if (more === 0) return 'moved';
  return more > 0 ? 'longer' : 'shorter';
}

const minutesADay = ({ entries, cycleDays }: Programme) =>
  entries.reduce((sum, { duration }) => sum + duration, 0) / cycleDays;

/** From the line's first unit on, or from its last. */
export type SendDirection = 'first' | 'last';

/**
 * Minutes of a cycle in which more than one sprinkler of a line waters while `sent` of its units, in the order of the line, have the new
 * plan and the others still the old one.
 */
export function doubleMinutes(
  units: readonly string[],
  from: readonly Run[],
  to: readonly Run[],
  direction: SendDirection,
  sent: number,
): number {
  const changed = new Set(direction === 'first' ? units.slice(0, sent) : units.slice(units.length - sent));
  const held = [
    ...to.filter(({ unit }) => changed.has(unit)),
    ...from.filter(({ unit }) => units.includes(unit) && !changed.has(unit)),
  ].toSorted((one, other) => one.start - other.start);
  let [until, double] = [0, 0];
  for (const { start, duration } of held) {
    const end = start + duration;
    double += Math.max(0, Math.min(end, until) - start);
    until = Math.max(until, end);
  }
  return double;
}

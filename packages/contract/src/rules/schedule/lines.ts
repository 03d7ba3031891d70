import { compareNatural } from '../natural-order.ts';
import type { Line, PlanGroup, PlanUnit } from './plan.ts';

/**
 * The lines of a group, named after it, or `name/1`, `name/2` where it has several: parts of its sprinklers in the order of their
 * names, the first ones longer by one where they can't be alike.
 */
export function linesOf(group: PlanGroup, durationMin: number): readonly Line[] {
  const units = group.units.toSorted(byName);
  const count = Math.min(group.lines, units.length);
  return Array.from({ length: count }, (_, index) => ({
    group: group.uid,
    scheduleGroup: group.lines > 1 ? `${group.name}/${index + 1}` : group.name,
    units: units.slice(partStart(units.length, count, index), partStart(units.length, count, index + 1)),
    durationMin: group.durationMin ?? durationMin,
  }));
}

/** Where part `index` of `count` begins. */
const partStart = (size: number, count: number, index: number) =>
  index * Math.floor(size / count) + Math.min(index, size % count);

const byName = (one: PlanUnit, other: PlanUnit) =>
  compareNatural(one.name, other.name) ||
  compareNatural(one.serial, other.serial) ||
  (one.id < other.id ? -1 : Number(one.id > other.id));

/** Neighbours apart: odd places, then even ones; of four 2, 4, 1, 3. Of two or three some stay together. */
export function windyOrder<T>(line: readonly T[]): readonly T[] {
  const odd = line.filter((_, index) => index % 2 === 0);
  const even = line.filter((_, index) => index % 2 === 1);
  return line.length === 4 ? [...even, ...odd] : [...odd, ...even];
}

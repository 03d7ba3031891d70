import type { TimelineLine } from '@headrace/contract/timeline';
import type { Shown, UnitTurns } from './present-timeline.ts';
import type { LineUnit } from './turn-units.ts';

interface Watering {
  readonly startAt: number;
  readonly endAt: number;
  readonly name: string;
  readonly isOlder: boolean;
}

/**
 * A line on which some hold the schedule that they are to hold and others an older one: each is right by itself, and together they
 * may run two sprinklers on one pipe. Null: they go by one. Sprinklers of which nobody knows what they hold say nothing.
 */
export function mixedOf(units: readonly UnitTurns[], shown: Shown): TimelineLine['mixed'] {
  const older = units.filter(({ unit }) => holds(unit, 'older'));
  const newer = units.filter(({ unit }) => holds(unit, 'wanted'));
  if (older.length === 0 || newer.length === 0) return null;
  const waterings = [
    ...older.flatMap((one) => toCome(one, true, shown)),
    ...newer.flatMap((one) => toCome(one, false, shown)),
  ];
  return { newer: newer.length, older: older.length, atOnce: firstAtOnce(waterings) };
}

const holds = (
  { isInSet, facts, heldState }: Pick<LineUnit, 'isInSet' | 'facts' | 'heldState'>,
  state: 'older' | 'wanted',
) => heldState === state && isInSet && !facts.isInhibited;

const toCome = ({ unit, turns }: UnitTurns, isOlder: boolean, { now }: Shown): Watering[] =>
  turns.flatMap(({ startAt, endAt, sign, plan }) =>
    plan === 'held' && endAt > now && (sign === 'will' || sign === 'unsure')
      ? [{ startAt, endAt, name: unit.status.name, isOlder }]
      : [],
  );

function firstAtOnce(waterings: Watering[]): NonNullable<TimelineLine['mixed']>['atOnce'] {
  const last = new Map<boolean, Watering>();
  for (const watering of waterings.toSorted((one, other) => one.startAt - other.startAt)) {
    const other = last.get(!watering.isOlder);
    if (other && other.endAt > watering.startAt) {
      const [older, newer] = watering.isOlder ? [watering, other] : [other, watering];
      return { at: watering.startAt, newer: newer.name, older: older.name };
    }
    const before = last.get(watering.isOlder);
    if (!before || before.endAt < watering.endAt) last.set(watering.isOlder, watering);
  }
  return null;
}

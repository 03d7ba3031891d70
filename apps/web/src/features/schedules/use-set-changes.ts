import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { DAY_MINUTES } from '@headrace/contract/rules/schedule/plan';
import { planDiff } from '@headrace/contract/rules/schedule/plan-diff';
import { type Programme, programmeOf } from '@headrace/contract/rules/schedule/programme';
import type { ComparedUnit, compareSets } from '@headrace/contract/schedule-sets';
import type { SetUnit } from '@headrace/contract/schedules';
import { farmSetsQuery } from '../../device-records/choices.queries.ts';
import { numberText } from '../../ui/format.ts';
import { compareQuery, setQuery } from './sets.queries.ts';
import { useSendPace } from './use-send-pace.ts';

interface Entries {
  units: readonly SetUnit[];
  /** min */
  cycleLen: number;
}

/** By serial number: what sprinklers hold, and those of which nobody knows it. */
interface Held {
  readonly programmes: ReadonlyMap<string, Programme>;
  readonly unknown: ReadonlySet<string>;
}

/** How many sprinklers would water otherwise than by what they hold, and how long sending that takes; null: the farm has no set, or it isn't known yet. */
export function useSetChanges(farmUID: string, units: readonly SetUnit[], cycleLen: number): string | null {
  const { data: sets } = useQuery(farmSetsQuery(farmUID));
  const known = (sets?.find(({ selected }) => selected) ?? sets?.[0])?.id ?? '';
  const held = useHeld(farmUID, known);
  const changes = useMemo(
    () => held && changesOf(held, programmes({ units, cycleLen })),
    [held, units, cycleLen],
  );
  const timeOf = useSendPace(farmUID, known);
  return changes && changesText(changes, timeOf(changes.changed));
}

/** By a set and what differs from it: those that hold what it says aren't listed. */
function useHeld(farmUID: string, known: string): Held | null {
  const { data: set } = useQuery({ ...setQuery(farmUID, known), enabled: known !== '' });
  const { data: compared } = useQuery({ ...compareQuery(farmUID, known, undefined), enabled: known !== '' });
  return useMemo(
    () =>
      set && compared ? heldBy({ units: set.schedules, cycleLen: set.settings.cycleLen }, compared) : null,
    [set, compared],
  );
}

function heldBy(set: Entries, { units, notKnown }: ReplyOf<typeof compareSets>): Held {
  const held = new Map(programmes(set));
  for (const { serialNumber, from } of units)
    if (from) held.set(serialNumber, toProgramme(from));
    else held.delete(serialNumber);
  return { programmes: held, unknown: new Set(notKnown) };
}

interface Changes {
  readonly changed: number;
  readonly all: number;
  /** Of the changed: would water no more; and those of which nobody knows what they hold. */
  readonly cleared: number;
  readonly notKnown: number;
}

function changesOf({ programmes: held, unknown }: Held, next: ReadonlyMap<string, Programme>): Changes {
  const changes = planDiff(held, next);
  const changed = changes.filter(({ kind }) => kind !== 'same');
  return {
    changed: changed.length,
    all: changes.length,
    cleared: changed.filter(({ kind }) => kind === 'cleared').length,
    notKnown: changed.filter(({ unit }) => unknown.has(unit) && next.has(unit)).length,
  };
}

/** Goes on with "Sending would change". */
function changesText({ changed, all, cleared, notKnown }: Changes, time: string | null): string {
  const parts = [
    ...(cleared > 0 ? [`${numberText(cleared)} of them would water no more`] : []),
    ...(notKnown > 0
      ? [`of ${numberText(notKnown)} nobody knows what ${notKnown === 1 ? 'it holds' : 'they hold'}`]
      : []),
  ];
  const takes = time === null ? '' : `, and take ${time}`;
  const more = parts.length > 0 ? `; ${parts.join(', ')}` : '';
  return `${numberText(changed)} of ${numberText(all)} sprinklers${takes}${more}`;
}

/** By serial number; a sprinkler of two groups has what both give it. */
function programmes({ units, cycleLen }: Entries): ReadonlyMap<string, Programme> {
  const entries = new Map<string, SetUnit['schedules'][number][]>();
  for (const { serialNumber, schedules } of units)
    entries.set(serialNumber, [...(entries.get(serialNumber) ?? []), ...schedules]);
  // Several rounds a day are spelled out in the entries.
  const cycleMin = Math.max(cycleLen, DAY_MINUTES);
  return new Map([...entries].map(([serial, own]) => [serial, programmeOf(own, cycleMin)]));
}

/** Of entries by the day of the cycle, as units keep them. */
const toProgramme = ({ entries, cycleDays }: NonNullable<ComparedUnit['from']>): Programme =>
  programmeOf(
    entries.map(({ start, duration, cycle }) => ({ start: (cycle - 1) * DAY_MINUTES + start, duration })),
    cycleDays * DAY_MINUTES,
  );

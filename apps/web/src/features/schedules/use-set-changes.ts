import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { DAY_MINUTES } from '@headrace/contract/rules/schedule/plan';
import { planDiff } from '@headrace/contract/rules/schedule/plan-diff';
import { type Programme, programmeOf } from '@headrace/contract/rules/schedule/programme';
import type { SetUnit } from '@headrace/contract/schedules';
import { farmSetsQuery } from '../../device-records/choices.queries.ts';
import { numberText } from '../../ui/format.ts';
import { setQuery } from './sets.queries.ts';

interface Entries {
  units: readonly SetUnit[];
  /** min */
  cycleLen: number;
}

/** How many sprinklers would water otherwise than by the set that the farm waters by; null: it has none, or it isn't there yet. */
export function useSetChanges(farmUID: string, units: readonly SetUnit[], cycleLen: number): string | null {
  const { data: sets } = useQuery(farmSetsQuery(farmUID));
  const current = sets?.find(({ selected }) => selected)?.id ?? '';
  const { data: set } = useQuery({ ...setQuery(farmUID, current), enabled: current !== '' });
  const before = useMemo(
    () => set && programmes({ units: set.schedules, cycleLen: set.settings.cycleLen }),
    [set],
  );
  return useMemo(() => {
    if (!set || !before) return null;
    const changes = planDiff(before, programmes({ units, cycleLen }));
    const changed = changes.filter(({ kind }) => kind !== 'same');
    const cleared = changed.filter(({ kind }) => kind === 'cleared').length;
    const others = cleared > 0 ? `, ${numberText(cleared)} of them to none` : '';
    return `${numberText(changed.length)} of ${numberText(changes.length)} sprinklers${others}`;
  }, [set, before, units, cycleLen]);
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

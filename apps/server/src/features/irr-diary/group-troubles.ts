import type { DiaryReasonCode } from '@headrace/contract/rules/schedule/diary-reasons';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import type { ReasonedEntry } from './unit-days.ts';

/** Sprinklers of a group that were missed or cut short, of how many that were to water, and what explains most of it. */
interface GroupTroubles {
  readonly group: string;
  readonly count: number;
  readonly of: number;
  readonly why: string;
  /** Which they are, by id. */
  readonly units: readonly number[];
}

/** Of a watering day that is over. */
export interface LastTroubles {
  /** Epoch ms. */
  readonly endAt: number;
  readonly groups: readonly GroupTroubles[];
  /** More than half of what was planned is known to have watered. */
  readonly isMostWatered: boolean;
  /** Sprinklers that were to water, and those of them of which nobody knows whether they did. */
  readonly unheard: { readonly count: number; readonly of: number };
}

export function troublesOf(endAt: number, entries: readonly ReasonedEntry[]): LastTroubles {
  const planned = entries.filter((entry) => entry.planned !== null);
  const watered = planned.filter(({ outcome }) => outcome === 'watered');
  const unknown = planned.filter(({ outcome, isKept }) => outcome === 'not known' && !isKept);
  return {
    endAt,
    groups: groupTroubles(entries),
    isMostWatered: watered.length * 2 > planned.length,
    unheard: { count: unitsOf(unknown), of: unitsOf(planned) },
  };
}

/** How many sprinklers were to water, and were missed or cut short though nobody kept them from it. */
export const missedUnits = (entries: readonly ReasonedEntry[]): number =>
  unitsOf(entries.filter((entry) => entry.planned !== null && isBad(entry)));

const unitsOf = (entries: readonly ReasonedEntry[]) => new Set(entries.map(({ unit }) => unit.id)).size;

const words: Partial<Record<DiaryReasonCode, string>> = {
  olderSchedule: 'they hold an older schedule',
  holdsNothing: 'they hold no schedule',
  foreign: 'their schedule was not sent from here',
  valveOff: 'Valve Off',
  clock: 'their clocks are wrong',
  battery: 'low batteries',
  replaced: 'they were replaced',
  saidClosed: 'reported closed in that time',
};

/** A sprinkler of two groups counts in both; one of none in “No group”. */
function groupTroubles(entries: readonly ReasonedEntry[]): GroupTroubles[] {
  const byGroup = new Map<string, { planned: Set<number>; bad: Set<number>; whys: string[] }>();
  for (const entry of entries) {
    if (entry.planned === null) continue;
    const names = entry.grouping.groups.map(({ name }) => name);
    for (const name of names.length === 0 ? ['No group'] : names) {
      const group = byGroup.get(name) ?? { planned: new Set(), bad: new Set(), whys: [] };
      byGroup.set(name, group);
      group.planned.add(entry.unit.id);
      if (!isBad(entry)) continue;
      group.bad.add(entry.unit.id);
      const [first] = entry.reasons;
      group.whys.push((first && words[first.code]) ?? '');
    }
  }
  return [...byGroup]
    .map(([group, { planned, bad, whys }]) => ({
      group,
      count: bad.size,
      of: planned.size,
      why: mostOften(whys),
      units: [...bad],
    }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count || compareNatural(one.group, other.group));
}

const isBad = ({ outcome, isKept }: ReasonedEntry) =>
  (outcome === 'missed' || outcome === 'short') && !isKept;

/** Said where it explains at least half. */
function mostOften(whys: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const why of whys) counts.set(why, (counts.get(why) ?? 0) + 1);
  const [most] = [...counts].toSorted((one, other) => other[1] - one[1]);
  return most && most[1] * 2 >= whys.length ? most[0] : '';
}

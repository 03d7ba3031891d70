import type { DiaryDay, DiarySums, WateringProof } from '@headrace/contract/irr-diary';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import { type DiaryCounted, diarySum } from '@headrace/contract/rules/schedule/diary-sums';
import { byKey } from './by-key.ts';
import type { ReasonedEntry } from './unit-days.ts';
import type { Grouping } from './diary-units.repo.ts';
import { groupNames, plannedLitres, type Setting } from './present-log.ts';

/** What entries come to; mm to a hundredth, litres whole. */
export function toSums(entries: readonly ReasonedEntry[], setting: Setting): DiarySums {
  const { meanMm, evenness, litres, ...counted } = diarySum(
    entries.map((entry) => toCounted(entry, setting)),
  );
  const to = (value: number | null, digits: number) =>
    value === null ? null : Number(value.toFixed(digits));
  const whole = ({ least, believed, most }: typeof litres) => ({
    least: Math.round(least),
    believed: to(believed, 0),
    most: Math.round(most),
  });
  return {
    ...counted,
    counts: { ...counted.counts },
    meanMm: to(meanMm, 2),
    evenness: to(evenness, 2),
    litres: whole(litres),
  };
}

function toCounted(entry: ReasonedEntry, setting: Setting): DiaryCounted {
  const { unit, outcome, applied, isLengthKnown, isPart, isKept } = entry;
  return {
    unit: unit.uid,
    outcome,
    applied,
    isLengthKnown,
    isPart,
    isKept,
    plannedLitres: plannedLitres(entry, setting),
  };
}

/** Of each group; who is in none stands by itself. */
export function groupSums(entries: readonly ReasonedEntry[], setting: Setting): DiaryDay['groups'] {
  const found = new Map<
    string | null,
    { group: Grouping['groups'][number] | null; entries: ReasonedEntry[] }
  >();
  for (const entry of entries) {
    const { groups } = entry.grouping;
    for (const group of groups.length > 0 ? groups : [null]) {
      const uid = group?.uid ?? null;
      const one = found.get(uid) ?? { group, entries: [] };
      one.entries.push(entry);
      found.set(uid, one);
    }
  }
  return [...found]
    .map(([uid, { group, entries: of }]) => ({ ...toSums(of, setting), uid, name: group?.name ?? '' }))
    .toSorted(byName);
}

/** Of each line; of who has none by its groups. */
export function lineSums(entries: readonly ReasonedEntry[], setting: Setting): WateringProof['lines'] {
  const lineOf = ({ grouping }: ReasonedEntry) => grouping.line || groupNames(grouping);
  const found = byKey(entries, lineOf);
  return [...found].map(([name, of]) => ({ ...toSums(of, setting), name })).toSorted(byName);
}

const byName = (one: { readonly name: string }, other: { readonly name: string }) =>
  compareNatural(one.name, other.name);

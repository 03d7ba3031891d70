import type { LateCloser } from '@headrace/contract/irr-diary';
import { type LateClosing, lateClosing } from '@headrace/contract/rules/schedule/late-closers';
import type { ReasonedEntry } from './unit-days.ts';
import { groupNames } from './present-log.ts';

interface Late {
  readonly entry: ReasonedEntry;
  readonly closing: LateClosing;
}

/** Each sprinkler that closed late, with its worst; who was open longest past its end comes first. */
export function worstFirst(days: readonly { readonly entries: readonly ReasonedEntry[] }[]): LateCloser[] {
  const found = new Map<string, Late[]>();
  for (const { entries } of days)
    for (const entry of entries) {
      const closing = lateClosing(entry, entry.clockS);
      if (!closing) continue;
      const { uid } = entry.unit;
      found.set(uid, [...(found.get(uid) ?? []), { entry, closing }]);
    }
  return [...found.values()].flatMap(toCloser).toSorted((one, other) => other.worst.least - one.worst.least);
}

function toCloser(all: readonly Late[]): LateCloser[] {
  const [worst] = all.toSorted((one, other) => other.closing.least - one.closing.least);
  if (!worst) return [];
  const { entry, closing } = worst;
  const { unit } = entry;
  return [
    {
      unitUID: unit.uid,
      sprinkler: unit.name,
      serialNumber: unit.serial,
      group: groupNames(entry.grouping),
      scheduleGroup: entry.grouping.line,
      times: all.length,
      worst: {
        dueAt: new Date(closing.dueAt).toISOString(),
        least: Math.round(closing.least),
        most: closing.most === null ? null : Math.round(closing.most),
      },
    },
  ];
}

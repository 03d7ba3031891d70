import type { LateCloser } from '@headrace/contract/irr-diary';
import { type LateClosing, lateClosing } from '@headrace/contract/rules/schedule/late-closers';
import type { ToldEntry } from './diary-reader.ts';
import type { Setting } from './present-log.ts';

interface Told {
  readonly entries: readonly ToldEntry[];
  readonly setting: Setting;
}
interface Late {
  readonly entry: ToldEntry;
  readonly setting: Setting;
  readonly closing: LateClosing;
}

/** Each sprinkler that closed late, with its worst; who was open longest past its end comes first. */
export function worstFirst(days: readonly Told[]): LateCloser[] {
  const found = new Map<string, Late[]>();
  for (const { entries, setting } of days)
    for (const entry of entries) {
      const closing = lateClosing(entry, entry.clockS);
      if (!closing) continue;
      const { uid } = entry.unit;
      found.set(uid, [...(found.get(uid) ?? []), { entry, setting, closing }]);
    }
  return [...found.values()].flatMap(toCloser).toSorted((one, other) => other.worst.least - one.worst.least);
}

function toCloser(all: readonly Late[]): LateCloser[] {
  const [worst] = all.toSorted((one, other) => other.closing.least - one.closing.least);
  if (!worst) return [];
  const { entry, setting, closing } = worst;
  const { unit } = entry;
  const groups = setting.groupsOf(unit).map(({ name }) => name);
  return [
    {
      unitUID: unit.uid,
      sprinkler: unit.name,
      serialNumber: unit.serial,
      group: groups.join(', '),
      scheduleGroup: unit.line,
      times: all.length,
      worst: {
        dueAt: new Date(closing.dueAt).toISOString(),
        least: Math.round(closing.least),
        most: closing.most === null ? null : Math.round(closing.most),
      },
    },
  ];
}

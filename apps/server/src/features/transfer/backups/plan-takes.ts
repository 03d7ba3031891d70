import { isSame } from '../../changes/change-log.ts';
import type { KeptTake } from '../../water-takes/kept-takes.ts';
import type { RestoreItem } from './plan-restore.ts';
import type { Snapshot } from './snapshot.ts';

/** Takes as they were entered. A backup of before takes were in them says nothing of them. */
export function planTakes(backup: Snapshot, snapshot: Snapshot): RestoreItem[] {
  if (backup.waterTakes === undefined) return [];
  const live = new Map(snapshot.waterTakes?.map((take) => [take.uid, take]));
  const kept = new Set(backup.waterTakes.map(({ uid }) => uid));
  const back = backup.waterTakes.flatMap((was): RestoreItem[] => {
    const is = live.get(was.uid);
    if (!is) return [itemOf('come back', was, was, null)];
    const wanted = withLater(was, is);
    return isSame(wanted, is) ? [] : [itemOf('change back', wanted, wanted, is)];
  });
  const off = [...live.values()].filter(({ uid }) => !kept.has(uid));
  return [...back, ...off.map((is) => itemOf('take off', is, null, is))];
}

/** What people read off its meters and noted since is evidence: it stays. */
function withLater(was: KeptTake, is: KeptTake): KeptTake {
  const meters = new Set(was.meters.map(({ uid }) => uid));
  const readings = new Set(was.readings.map(({ uid }) => uid));
  const notes = new Set(was.notes.map(({ from }) => from));
  return {
    ...was,
    readings: [
      ...was.readings,
      ...is.readings.filter(({ uid, meterUid }) => !readings.has(uid) && meters.has(meterUid)),
    ].toSorted((a, b) => (a.uid < b.uid ? -1 : 1)),
    notes: [...was.notes, ...is.notes.filter(({ from }) => !notes.has(from))].toSorted((a, b) =>
      a.from < b.from ? -1 : 1,
    ),
  };
}

function itemOf(
  action: RestoreItem['row']['action'],
  { uid, consentNo: name }: KeptTake,
  was: KeptTake | null,
  is: KeptTake | null,
): RestoreItem {
  const of = { kind: 'water take', uid, name } as const;
  return {
    row: { ...of, action, fields: was && is ? fieldsBetween(was, is) : [], why: '' },
    deed: { do: 'change record', record: { ...of, what: 'changed', columns: { take: [was, is] } } },
  };
}

const fieldsBetween = (was: KeptTake, is: KeptTake) => {
  const now = new Map<string, unknown>(Object.entries(is));
  return Object.entries(was)
    .filter(([name, value]) => !isSame(value, now.get(name)))
    .map(([field, value]) => ({ field, from: shown(now.get(field)), to: shown(value) }));
};

const shown = (value: unknown) => (Array.isArray(value) ? `${value.length} of them` : value);

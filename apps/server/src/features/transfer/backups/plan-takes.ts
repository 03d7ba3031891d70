import { isSame } from '../../changes/change-log.ts';
import { withLater, withoutAccounts } from '../../water-takes/kept-evidence.ts';
import type { KeptTake } from '../../water-takes/kept-takes.ts';
import { meterText, restrictionText } from '../../water-takes/present-take.ts';
import type { RestoreItem } from './plan-restore.ts';
import { devicesOf, type Snapshot } from './snapshot.ts';

/** So many lines of a list are told. */
const LISTED = 3;

type NameOf = (deviceUid: string) => string;

/** Takes as they were entered. A backup of before takes were in them says nothing of them. */
export function planTakes(backup: Snapshot, snapshot: Snapshot): RestoreItem[] {
  if (backup.waterTakes === undefined) return [];
  const names = new Map(
    [...devicesOf(backup), ...devicesOf(snapshot)].map(({ _id, name }) => [_id, name] as const),
  );
  const nameOf = (uid: string) => names.get(uid) ?? '';
  const live = new Map(snapshot.waterTakes?.map((take) => [take.uid, take]));
  const kept = new Set(backup.waterTakes.map(({ uid }) => uid));
  const back = backup.waterTakes.flatMap((was): RestoreItem[] => {
    const is = live.get(was.uid);
    if (!is) return [itemOf('come back', was, { was, is: null, nameOf })];
    const wanted = withLater(was, is);
    return isSame(withoutAccounts(wanted), withoutAccounts(is))
      ? []
      : [itemOf('change back', wanted, { was: wanted, is, nameOf })];
  });
  const off = [...live.values()].filter(({ uid }) => !kept.has(uid));
  return [...back, ...off.map((is) => itemOf('take off', is, { was: null, is, nameOf }))];
}

function itemOf(
  action: RestoreItem['row']['action'],
  { uid, consentNo: name }: KeptTake,
  { was, is, nameOf }: { was: KeptTake | null; is: KeptTake | null; nameOf: NameOf },
): RestoreItem {
  const of = { kind: 'water take', uid, name } as const;
  return {
    row: { ...of, action, fields: was && is ? fieldsBetween(was, is, nameOf) : [], why: whyOf(was, is) },
    deed: { do: 'change record', record: { ...of, what: 'changed', columns: { take: [was, is] } } },
  };
}

/** How much of the evidence goes, and comes back. */
function whyOf(was: KeptTake | null, is: KeptTake | null): string {
  const goes = evidence(is, was);
  const comes = evidence(was, is);
  return [goes && `${goes} of it go.`, comes && `${comes} of it come back.`].filter(Boolean).join(' ');
}

/** "2 readings and 1 note" that one has and the other hasn't; empty: none. */
function evidence(of: KeptTake | null, other: KeptTake | null): string {
  const readings = new Set(other?.readings.map(({ uid }) => uid));
  const notes = new Set(other?.notes.map(({ from }) => from));
  return [
    counted(of?.readings.filter(({ uid }) => !readings.has(uid)).length ?? 0, 'reading'),
    counted(of?.notes.filter(({ from }) => !notes.has(from)).length ?? 0, 'note'),
  ]
    .filter(Boolean)
    .join(' and ');
}

const counted = (count: number, one: string) =>
  count === 0 ? '' : `${count} ${one}${count === 1 ? '' : 's'}`;

function fieldsBetween(was: KeptTake, is: KeptTake, nameOf: NameOf) {
  const now = new Map<string, unknown>(Object.entries(shown(is, nameOf)));
  return Object.entries(shown(was, nameOf)).flatMap(([field, value]) => {
    const from = now.get(field);
    if (isSame(value, from)) return [];
    if (!isList(value) || !isList(from)) return [{ field, from, to: value }];
    return [{ field, from: listed(from, value), to: listed(value, from) }];
  });
}

/** What it says, in lines as the farm's history has them. */
const shown = (take: KeptTake, nameOf: NameOf) => ({
  ...take,
  meters: take.meters.map((meter) => meterText({ ...meter, device: nameOf(meter.deviceUID) })),
  restrictions: take.restrictions.map(restrictionText),
  readings: take.readings.map(({ register, at, note }) => `${register} m³ at ${at}${note && ` (${note})`}`),
  notes: take.notes.map(({ from, to, note }) => `${from} – ${to}: ${note}`),
});

const isList = (value: unknown): value is readonly string[] => Array.isArray(value);

/** Lines that the other doesn't have, the first few of them. */
function listed(lines: readonly string[], other: readonly string[]): string {
  const own = lines.filter((line) => !other.includes(line));
  const more = own.length > LISTED ? [`${own.length - LISTED} more`] : [];
  return [...own.slice(0, LISTED), ...more].join('; ');
}

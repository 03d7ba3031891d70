import { SCHEDULE_SETS_PER_FARM, SCHEDULE_TEMPLATES_PER_FARM } from '@headrace/contract/limits';
import type { UndoConflict } from '@headrace/contract/undo';
import type { DeviceRow } from '../../db/schema.ts';
import {
  type BatchRecord,
  type ChangedDevice,
  type AddedGroup,
  type ChangedRecord,
  type DeletedGroup,
  isOfDevice,
} from '../changes/change-batch.ts';
import { isSame } from '../changes/change-log.ts';
import { withoutOverrides } from '../gateway-io/relay-overrides.ts';
import { withoutAccounts } from '../water-takes/kept-evidence.ts';
import type { KeptTake } from '../water-takes/kept-takes.ts';

/** What of the farm stands in the way, or doesn't. */
export interface Now {
  /** Those of the batch, deleted ones too. */
  readonly devices: ReadonlyMap<number, DeviceRow>;
  /** Groups that the farm has, by uid. */
  readonly groups: ReadonlyMap<string, { readonly version: number }>;
  /** Who will have a name, by `nameKey`: as it is when what goes back has gone back. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Uids of the groups that each device is in, by its id. */
  readonly memberships: ReadonlyMap<number, readonly string[]>;
  /** Records that are no devices, by kind and uid: their columns as JSON has them. */
  readonly others: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Schedule sets that can't leave the list, by uid: why. */
  readonly setsInUse: ReadonlyMap<string, string>;
  /** Schedule sets whose place in the list another has taken that stays, by uid: its name. */
  readonly setsReplaced: ReadonlyMap<string, string>;
  /** How many schedule sets and templates the farm will have when what goes back has gone back. */
  readonly schedules: Readonly<Record<Scheduled, number>>;
  readonly liveGateways: ReadonlySet<number>;
  readonly takenMacs: ReadonlySet<string>;
  /** Who has the serial number of a device, by its id. */
  readonly takenSerials: ReadonlyMap<number, string>;
}

type Scheduled = 'schedule set' | 'schedule template';

export type Verdict =
  | { readonly is: 'fine' }
  /** It is as before already. */
  | { readonly is: 'there' }
  | { readonly is: 'conflict'; readonly canPutBack: boolean; readonly why: string };

const fine: Verdict = { is: 'fine' };
const there: Verdict = { is: 'there' };
const touched: Verdict = { is: 'conflict', canPutBack: true, why: '' };
const impossible = (why: string): Verdict => ({ is: 'conflict', canPutBack: false, why });
const macIsTaken = impossible('Its MAC address is in use by another device.');

/** Pure: whether a record can be put back, and whether the person must be asked first. Changes of other fields do not matter. */
export function judge(record: BatchRecord, now: Now): Verdict {
  if (!isOfDevice(record))
    return record.what === 'changed' ? judgeRecord(record, now) : judgeGroup(record, now);
  const row = now.devices.get(record.id);
  if (!row) return impossible('It is no longer known.');
  const isLive = row.deleted_at === null;
  if (record.what === 'deleted') return isLive ? there : judgeReturn(row, now);
  if (record.what === 'added') {
    if (!isLive) return there;
    return row.version === record.version ? fine : touched;
  }
  if (!isLive) return impossible('It was deleted since.');
  return judgeChange(record, row, now);
}

export const keyOf = ({ kind, uid }: Pick<ChangedRecord, 'kind' | 'uid'>): string => `${kind} ${uid}`;

function judgeRecord(record: ChangedRecord, now: Now): Verdict {
  const row = now.others.get(keyOf(record));
  if (!row) return impossible('It was deleted since.');
  const inUse = now.setsInUse.get(record.uid);
  if (record.kind === 'schedule set' && inUse && (record.columns['deleted_at']?.[0] ?? null) !== null)
    return impossible(inUse);
  if (isReturn(record)) {
    const most = MOST[record.kind];
    if (now.schedules[record.kind] > most)
      return impossible(
        `The farm has ${most} ${record.kind}s, the most there can be. Please delete one first.`,
      );
  }
  const newer = now.setsReplaced.get(record.uid);
  if (newer !== undefined && returnsOlder(record)) return replacedSince(newer);
  const isLeft = Object.entries(record.columns).every(([name, [, after]]) =>
    isSame(enteredOf(record, row[name] ?? null), enteredOf(record, after ?? null)),
  );
  return judgeName(record, row, now) ?? (isLeft ? fine : touched);
}

const MOST = { 'schedule set': SCHEDULE_SETS_PER_FARM, 'schedule template': SCHEDULE_TEMPLATES_PER_FARM };

/** It was deleted, and would be in the list again. */
export const isReturn = (record: BatchRecord): record is ChangedRecord & { readonly kind: Scheduled } =>
  record.what === 'changed' &&
  (record.kind === 'schedule set' || record.kind === 'schedule template') &&
  record.columns['deleted_at']?.[0] === null &&
  record.columns['deleted_at'][1] !== null;

/** It took another one's place in the list, which that one has again when this one goes. */
const returnsOlder = ({ columns: { deleted_at: deleted, replaces } }: ChangedRecord): boolean =>
  (deleted?.[0] ?? null) !== null && (replaces?.[1] ?? null) !== null;

const replacedSince = (newer: string): Verdict => ({
  is: 'conflict',
  canPutBack: true,
  why: `${newer} took its place since. Put back, the one before it is in the list again, beside ${newer}.`,
});

/** Whoever switched a relay since has changed no settings, and whose account was erased no take. */
function enteredOf({ kind }: ChangedRecord, value: unknown): unknown {
  if (kind === 'water take') return value === null ? null : withoutAccounts(value as KeptTake);
  return kind === 'inputs and relays' ? withoutOverrides(value) : value;
}

type Named = 'group' | 'schedule template';
const isNamed = (kind: string): kind is Named => kind === 'group' || kind === 'schedule template';
/** Upper and lower case are alike. */
export const nameKey = (kind: Named, name: string): string => `${kind} ${name.toLowerCase()}`;

function judgeName(
  { kind, uid, columns }: ChangedRecord,
  row: Readonly<Record<string, unknown>>,
  now: Now,
): Verdict | null {
  const after = { ...row, ...firsts(columns) };
  if (!isNamed(kind) || (after['deleted_at'] ?? null) !== null) return null;
  return nameIsTaken(kind, uid, String(after['name']), now);
}

const firsts = (steps: ChangedRecord['columns']): Record<string, unknown> =>
  Object.fromEntries(Object.entries(steps).map(([name, [value]]) => [name, value]));

function nameIsTaken(kind: Named, uid: string, name: string, now: Now): Verdict | null {
  const others = now.names.get(nameKey(kind, name))?.filter((holder) => holder !== uid) ?? [];
  if (others.length === 0) return null;
  return impossible(`The farm has another ${kind} named ${name} now. Please rename that one first.`);
}

function judgeGroup(record: DeletedGroup | AddedGroup, now: Now): Verdict {
  const group = now.groups.get(record.uid);
  if (record.what === 'added') return group ? (group.version === record.version ? fine : touched) : there;
  if (group) return there;
  return nameIsTaken('group', record.uid, record.name, now) ?? fine;
}

function judgeReturn(row: DeviceRow, now: Now): Verdict {
  if (row.mac && now.takenMacs.has(row.mac)) return macIsTaken;
  return judgeSerial(row, now) ?? fine;
}

/** Null: nobody else has its serial number. */
function judgeSerial({ id }: DeviceRow, now: Now): Verdict | null {
  const holder = now.takenSerials.get(id);
  return holder === undefined ? null : impossible(`Its serial number is in use as ${holder}.`);
}

function judgeChange(record: ChangedDevice, row: DeviceRow, now: Now): Verdict {
  const gateway = record.columns['gateway_id']?.[0];
  if (typeof gateway === 'number' && !now.liveGateways.has(gateway))
    return impossible('Its gateway is no longer on the farm.');
  const mac = record.columns['mac']?.[0];
  // It may have been given back to this one since.
  if (typeof mac === 'string' && mac !== row.mac && now.takenMacs.has(mac)) return macIsTaken;
  const taken = judgeSerial(row, now);
  if (taken) return taken;
  const columns = new Map<string, unknown>(Object.entries(row));
  const settings = new Map<string, unknown>(Object.entries(row.settings));
  const isLeft = (of: ReadonlyMap<string, unknown>, steps: ChangedDevice['columns']) =>
    Object.entries(steps).every(([name, [, after]]) => isSame(of.get(name) ?? null, after ?? null));
  const groups = now.memberships.get(row.id) ?? [];
  const areGroupsLeft =
    record.groups === undefined ||
    isSame(groups.toSorted(), record.groups[1].filter((uid) => now.groups.has(uid)).toSorted());
  return isLeft(columns, record.columns) && isLeft(settings, record.settings) && areGroupsLeft
    ? fine
    : touched;
}

/** A conflict as people are asked about it. */
export const toConflict = (
  record: BatchRecord,
  { canPutBack, why }: Extract<Verdict, { is: 'conflict' }>,
  last: { readonly by: string | null; readonly at: Date } | undefined,
): UndoConflict => ({
  uid: record.uid,
  kind: record.kind,
  name: record.name,
  by: last?.by ?? '',
  at: last?.at.toISOString() ?? null,
  canPutBack,
  why,
});

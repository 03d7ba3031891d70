import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import type {
  BatchRecord,
  ChangedDevice,
  DeletedDevice,
  DeletedGroup,
  Step,
} from '../changes/change-batch.ts';
import { fieldChanges, type LoggedChange, logChanges } from '../changes/change-log.ts';
import { mapInTurns } from '../../jobs/in-turns.ts';
import { setGroups } from '../devices/device-groups.ts';
import { freeIdentities } from '../devices/free-identities.ts';
import { returned } from '../devices/leaving.ts';
import { type By, isListChange } from '../devices/record-change.ts';
import { forgetOthers } from '../devices/other-units.ts';
import { bumpLists, bumpUnnamed, isOnList } from '../devices/list-sync.ts';
import type { Now as Judged } from './judge.ts';

type Now = Pick<Judged, 'devices' | 'groups' | 'memberships'>;
type Back = ChangedDevice | DeletedDevice;
type Found = readonly [record: Back, row: DeviceRow];

/** All columns of them: more keep the thread for long. */
const ROWS_OF_STATEMENT = 1000;

/** Puts fields back and lets deleted devices return, in few statements however many they are. */
export async function putDevicesBack(
  trx: Db,
  farmId: number,
  records: readonly Back[],
  now: Now,
  by: By,
): Promise<void> {
  const found = records.flatMap((record): Found[] => {
    const row = now.devices.get(record.id);
    return row ? [[record, row]] : [];
  });
  if (found.length === 0) return;
  const before = await mapInTurns(found, ([record, row]) => asBefore(record, row, by.now));
  await freeIdentities(
    trx,
    farmId,
    found.map(([, row], index) => [row, before[index] ?? row]),
  );
  for (let start = 0; start < before.length; start += ROWS_OF_STATEMENT)
    await writeDevices(trx, farmId, before.slice(start, start + ROWS_OF_STATEMENT));
  await tellLists(trx, farmId, found, before);
  await forgetOthers(
    trx,
    farmId,
    found.map(([, row], index) => [row, before[index] ?? row]),
    by.now,
  );
  await putGroupsBack(trx, farmId, found, now);
  await putKeysBack(trx, found);
  const ways = await mapInTurns(found, ([record, row]) => wayBack(record, row, now));
  by.batch?.records.push(...ways);
  const entries = await mapInTurns([...found.entries()], ([index, [record, row]]) =>
    logged(farmId, record, row, before[index] ?? row, by),
  );
  await logChanges(trx, entries, by.now);
}

/** The row as it is to be. */
function asBefore(record: Back, row: DeviceRow, at: Date): DeviceRow {
  const next = { ...row, version: row.version + 1, updated_at: at };
  if (record.what === 'deleted') return asReturned(record, next);
  const settings = new Map<string, unknown>(Object.entries(row.settings));
  for (const [name, [value]] of Object.entries(record.settings)) {
    if (value === null) settings.delete(name);
    else settings.set(name, value);
  }
  return { ...next, ...firsts(record.columns), settings: Object.fromEntries(settings) };
}

function asReturned({ columns = {}, settings = {} }: DeletedDevice, row: DeviceRow): DeviceRow {
  const back = returned({ ...row, deleted_at: null });
  const kept = Object.entries({ ...back.settings, ...firsts(settings) }).filter(
    ([, value]) => value !== null,
  );
  return { ...back, ...firsts(columns), settings: Object.fromEntries(kept) };
}

const firsts = (steps: Readonly<Record<string, Step>>) =>
  Object.fromEntries(Object.entries(steps).map(([name, [value]]) => [name, value]));

async function writeDevices(trx: Db, farmId: number, rows: readonly DeviceRow[]): Promise<void> {
  await sql`update device d set name = n.name, description = n.description, serial_number = n.serial_number, mac = n.mac,
      type = n.type, lat = n.lat, lng = n.lng, gateway_id = n.gateway_id, settings = n.settings, mapping = n.mapping,
      shares_serial = n.shares_serial,
      builtin_codec = n.builtin_codec, codec_id = n.codec_id, codec_version = n.codec_version, version = n.version, updated_at = n.updated_at, deleted_at = n.deleted_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id int, name text, description text, serial_number text,
      mac text, type int, lat float8, lng float8, gateway_id int, settings jsonb, mapping jsonb,
      shares_serial bool, builtin_codec text, codec_id int, codec_version int, version int,
      updated_at timestamptz, deleted_at timestamptz)
    where d.farm_id = ${farmId} and d.id = n.id`.execute(trx);
}

async function tellLists(
  trx: Db,
  farmId: number,
  found: readonly Found[],
  after: readonly DeviceRow[],
): Promise<void> {
  const units = found.flatMap(([record, row], index) => {
    const next = after[index] ?? row;
    if (record.what === 'deleted') return isOnList(row) ? [next] : [];
    return isListChange(row, next) ? [row, next] : [];
  });
  if (units.length > 0) await bumpLists(trx, farmId, units);
  if (found.some(([{ what, kind }]) => what === 'deleted' && kind === 'gateway'))
    await bumpUnnamed(trx, farmId);
}

/** Into the groups that each was in, of those that there are still; who is in the same ones goes together. */
async function putGroupsBack(trx: Db, farmId: number, found: readonly Found[], now: Now): Promise<void> {
  const together = new Map<string, DeviceRow[]>();
  for (const [record, row] of found) {
    const uids = record.what === 'deleted' ? record.groups : record.groups?.[0];
    if (uids === undefined) continue;
    const key = uids.filter((uid) => now.groups.has(uid)).join(' ');
    together.set(key, [...(together.get(key) ?? []), row]);
  }
  for (const [key, devices] of together)
    await setGroups(trx, farmId, devices, key === '' ? [] : key.split(' '));
}

/** A gateway signs in as it did, unless another one has its MAC's key by now. */
async function putKeysBack(trx: Db, found: readonly Found[]): Promise<void> {
  const keys = found.flatMap(([record]) => (record.what === 'deleted' && record.key ? [record.key] : []));
  if (keys.length === 0) return;
  await sql`insert into gateway_key select * from jsonb_populate_recordset(null::gateway_key, ${JSON.stringify(keys)}::jsonb)
    on conflict do nothing`.execute(trx);
}

/** What undoes the undoing. */
function wayBack(record: Back, row: DeviceRow, now: Now): BatchRecord {
  const { id, uid, kind, name } = record;
  if (record.what === 'deleted') return { what: 'added', id, uid, kind, name, version: row.version + 1 };
  const columns = new Map<string, unknown>(Object.entries(row));
  const settings = new Map<string, unknown>(Object.entries(row.settings));
  const turned = (of: ReadonlyMap<string, unknown>, steps: ChangedDevice['columns']) =>
    Object.fromEntries(
      Object.entries(steps).map(([field, [value]]) => [field, [of.get(field) ?? null, value]]),
    ) as ChangedDevice['columns'];
  const groups =
    record.groups && ([[...(now.memberships.get(id) ?? [])], record.groups[0]] as [string[], string[]]);
  return {
    what: 'changed',
    id,
    uid,
    kind,
    name,
    columns: turned(columns, record.columns),
    settings: turned(settings, record.settings),
    groups,
  };
}

function logged(
  farmId: number,
  record: Back,
  row: DeviceRow,
  next: DeviceRow,
  { accountId, page, batch }: By,
): LoggedChange {
  const { kind, uid, name } = next;
  const entry = { farmId, accountId, kind, uid, name, page, batch };
  if (record.what === 'deleted') return { ...entry, what: 'restored', fields: [] };
  const fields = [
    ...fieldChanges(row, firsts(record.columns)),
    ...fieldChanges(row.settings, firsts(record.settings)),
  ];
  return { ...entry, what: 'changed', fields };
}

/** A group comes back as it was, with those of its devices that are on the farm and in no other lateral group. */
export async function putGroupBack(trx: Db, farmId: number, record: DeletedGroup, by: By): Promise<void> {
  const { uid, name } = record;
  const { rows } = await sql<{ id: number; version: number }>`insert into device_group overriding system value
    select (jsonb_populate_record(null::device_group, ${JSON.stringify(record.row)}::jsonb
      || jsonb_build_object('version', ${Number(record.row['version']) + 1}::int, 'updated_at', ${by.now}::timestamptz))).*
    returning id, version`.execute(trx);
  const [{ id, version } = { id: 0, version: 1 }] = rows;
  await sql`insert into device_group_member (farm_id, group_id, device_id)
    select d.farm_id, ${id}, d.id from device d where d.farm_id = ${farmId} and d.uid = any(${record.members})
      and d.deleted_at is null and not (${record.row['is_lateral'] === true} and exists (select from device_group_member m
        join device_group g on g.farm_id = m.farm_id and g.id = m.group_id and g.is_lateral and g.id <> ${id}
        where m.farm_id = d.farm_id and m.device_id = d.id and d.kind = 'sprinkler'))`.execute(trx);
  by.batch?.records.push({ what: 'added', kind: 'group', uid, name, version });
  const { accountId, page, batch } = by;
  await logChanges(
    trx,
    [{ farmId, accountId, kind: 'group', uid, name, what: 'restored', fields: [], page, batch }],
    by.now,
  );
}

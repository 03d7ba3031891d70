import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { type BatchRecord, isOfDevice } from '../changes/change-batch.ts';
import { groupUidsOf } from '../devices/device-groups.ts';
import { takenSerials } from '../devices/serial-numbers.ts';
import { macHolders } from '../devices/taken-macs.ts';
import { isReturn, type Now, nameKey } from './judge.ts';
import { type KnownSet, knownSets } from '../schedules/known-sets.ts';
import { readOthers } from './other-records.ts';

export const groupWith = (trx: Db, farmId: number, uid: string) =>
  trx
    .selectFrom('device_group')
    .select(['id', 'uid', 'name'])
    .where('farm_id', '=', farmId)
    .where('uid', '=', uid)
    .executeTakeFirst();

/** A batch of the farm, locked, with who undid it; undefined when there is none. */
export async function lockBatch(trx: Db, farmId: number, uid: string) {
  const batch = await trx
    .selectFrom('change_batch')
    .selectAll()
    .where('farm_id', '=', farmId)
    .where('uid', '=', uid)
    .forUpdate()
    .executeTakeFirst();
  if (!batch?.undone_by) return batch && { ...batch, undoneBy: null };
  const by = await trx
    .selectFrom('account')
    .select('name')
    .where('id', '=', batch.undone_by)
    .executeTakeFirst();
  return { ...batch, undoneBy: by?.name ?? null };
}

export async function markUndone(trx: Db, farmId: number, id: string, by: { accountId: number; now: Date }) {
  await trx
    .updateTable('change_batch')
    .set({ undone_at: by.now, undone_by: by.accountId })
    .where('farm_id', '=', farmId)
    .where('id', '=', id)
    .execute();
}

/**
 * The farm as far as these records are concerned, locked. What those that are to go back give free counts as free; `kept`: uids of
 * those that stay as they are.
 */
export async function readNow(
  trx: Db,
  farmId: number,
  records: readonly BatchRecord[],
  kept: ReadonlySet<string>,
): Promise<Now> {
  const going = records.filter(({ uid }) => !kept.has(uid));
  const devices = await lockDevices(
    trx,
    farmId,
    records.filter(isOfDevice).map(({ id }) => id),
  );
  const deleted = [...devices.values()].filter(({ deleted_at }) => deleted_at !== null);
  const groups = await trx
    .selectFrom('device_group')
    .select(['uid', 'name', 'version'])
    .where('farm_id', '=', farmId)
    .execute();
  const others = await readOthers(trx, farmId, records);
  const sets = records.some(({ kind }) => kind === 'schedule set')
    ? await knownSets(trx, farmId)
    : new Map<string, KnownSet>();
  const names = await namesAfter(trx, farmId, groups, going);
  const wanted = [...deleted.flatMap(({ mac }) => mac ?? []), ...records.flatMap(macBefore)];
  const holders = wanted.length > 0 ? await macHolders(trx, wanted) : [];
  const freed = new Set(going.flatMap((record) => macGoes(record, devices)));
  const macs = new Set(holders.flatMap(({ id, mac }) => (freed.has(id) ? [] : mac)));
  const isGoing = ({ uid }: DeviceRow) => !kept.has(uid);
  return {
    devices,
    groups: new Map(groups.map((group) => [group.uid, group])),
    names,
    others,
    setsInUse: new Map(
      [...sets].flatMap(([uid, { inUse }]) => (inUse === null ? [] : [[uid, inUse] as const])),
    ),
    setsReplaced: new Map(
      [...sets].flatMap(([uid, { replacedBy }]) =>
        replacedBy === null || going.some((record) => record.uid === replacedBy.uid)
          ? []
          : [[uid, replacedBy.name] as const],
      ),
    ),
    schedules: {
      'schedule set': setsAfter(sets, going),
      'schedule template':
        [...names].reduce(
          (sum, [key, uids]) => (key.startsWith('schedule template ') ? sum + uids.length : sum),
          0,
        ) + going.filter((record) => isReturn(record) && record.kind === 'schedule template').length,
    },
    memberships: await groupUidsOf(trx, farmId, [...devices.keys()]),
    liveGateways: await gatewaysAfter(trx, farmId, deleted, macs),
    takenMacs: macs,
    takenSerials: await takenSerials(
      trx,
      farmId,
      [...deleted.filter(isGoing), ...returning(devices, going)],
      going.flatMap(leaves),
    ),
  };
}

/** A MAC that is to be put back where another one was entered. */
function macBefore(record: BatchRecord): string[] {
  const mac = isOfDevice(record) && record.what !== 'added' ? record.columns?.['mac']?.[0] : undefined;
  return typeof mac === 'string' ? [mac] : [];
}

/** Devices of which the undo takes the MAC away, by id. */
function macGoes(record: BatchRecord, devices: ReadonlyMap<number, DeviceRow>): number[] {
  if (!isOfDevice(record)) return [];
  if (record.what === 'added') return [record.id];
  const mac = record.what === 'changed' ? record.columns['mac'] : undefined;
  return mac && mac[0] !== devices.get(record.id)?.mac ? [record.id] : [];
}

/** Devices that leave the farm or become placeholders: their serial numbers are free. */
function leaves(record: BatchRecord): number[] {
  if (!isOfDevice(record)) return [];
  const isEmptied = record.what === 'changed' && record.settings['isPlaceholder']?.[0] === true;
  return record.what === 'added' || isEmptied ? [record.id] : [];
}

/** How many sets will be in the list. */
function setsAfter(sets: ReadonlyMap<string, KnownSet>, going: readonly BatchRecord[]): number {
  const deletedAfter = new Map(
    going.flatMap((record) => {
      const step = record.kind === 'schedule set' ? record.columns['deleted_at'] : undefined;
      return step ? [[record.uid, step[0] !== null] as const] : [];
    }),
  );
  const isThere = (uid: string) => !(deletedAfter.get(uid) ?? (sets.get(uid)?.deletedAt ?? null) !== null);
  const isReplaced = ({ replacedBy }: KnownSet) => replacedBy !== null && isThere(replacedBy.uid);
  return [...sets].filter(([uid, set]) => isThere(uid) && !isReplaced(set)).length;
}

/** Who will have which name among groups and schedule templates. */
async function namesAfter(
  trx: Db,
  farmId: number,
  groups: readonly { readonly uid: string; readonly name: string }[],
  going: readonly BatchRecord[],
): Promise<Now['names']> {
  const templates = await trx
    .selectFrom('schedule_template')
    .select(['uid', 'name', 'deleted_at'])
    .where('farm_id', '=', farmId)
    .where('deleted_at', 'is', null)
    .execute();
  const goes = new Map(going.map((record) => [`${record.kind} ${record.uid}`, record]));
  const names = new Map<string, string[]>();
  const note = (kind: 'group' | 'schedule template', { uid, name }: { uid: string; name: string }) => {
    const record = goes.get(`${kind} ${uid}`);
    const steps = record && !isOfDevice(record) && record.what === 'changed' ? record.columns : {};
    if (record?.what === 'added' || (steps['deleted_at'] && steps['deleted_at'][0] !== null)) return;
    const key = nameKey(kind, textOr(steps['name']?.[0], name));
    names.set(key, [...(names.get(key) ?? []), uid]);
  };
  for (const group of groups) note('group', group);
  for (const template of templates) note('schedule template', template);
  return names;
}

const textOr = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise);

/** Those that are to have another serial number, or to be units again and no placeholders, as they will be. */
const returning = (devices: ReadonlyMap<number, DeviceRow>, records: readonly BatchRecord[]): DeviceRow[] =>
  records.flatMap((record) => {
    if (!isOfDevice(record) || record.what !== 'changed') return [];
    const row = devices.get(record.id);
    if (!row || row.deleted_at !== null) return [];
    const step = record.settings['isPlaceholder'];
    const isPlaceholder = (step ? step[0] : row.settings['isPlaceholder']) === true;
    const serial = textOr(record.columns['serial_number']?.[0], row.serial_number);
    const isAsBefore = serial === row.serial_number && row.settings['isPlaceholder'] !== true;
    if (isPlaceholder || isAsBefore) return [];
    return [{ ...row, serial_number: serial, settings: { ...row.settings, isPlaceholder } }];
  });

/** In the order of their keys; deleted ones too. */
export async function lockDevices(
  trx: Db,
  farmId: number,
  ids: readonly number[],
): Promise<Map<number, DeviceRow>> {
  const rows = await trx
    .selectFrom('device')
    .selectAll()
    .where('farm_id', '=', farmId)
    .where(sql<boolean>`id = any(${ids})`)
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Gateways of the farm, with those that are about to come back. */
async function gatewaysAfter(
  trx: Db,
  farmId: number,
  deleted: readonly DeviceRow[],
  taken: ReadonlySet<string>,
): Promise<Set<number>> {
  const rows = await trx
    .selectFrom('device')
    .select('id')
    .where('farm_id', '=', farmId)
    .where('kind', '=', 'gateway')
    .where('deleted_at', 'is', null)
    .execute();
  const back = deleted.filter(({ kind, mac }) => kind === 'gateway' && !(mac && taken.has(mac)));
  return new Set([...rows, ...back].map(({ id }) => id));
}

/** The newest change of each of these records that is no part of the batch, by uid. */
export async function lastChanges(trx: Db, farmId: number, batchId: string, uids: readonly string[]) {
  const { rows } = await sql<{ uid: string; by: string | null; at: Date }>`
    select distinct on (log.uid) log.uid, a.name as by, log.at from change_log log left join account a on a.id = log.account_id
    where log.farm_id = ${farmId} and log.uid = any(${uids}) and log.batch_id is distinct from ${batchId}
      and log.id > (select max(id) from change_log where farm_id = ${farmId} and batch_id = ${batchId})
    order by log.uid, log.id desc`.execute(trx);
  return new Map(rows.map((row) => [row.uid, row]));
}

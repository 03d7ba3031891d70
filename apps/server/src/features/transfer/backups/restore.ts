import { sqlClient } from '../../../db/sql-client.ts';
import type { Db } from '../../../db/client.ts';
import type { DeviceRow, FarmRow } from '../../../db/schema.ts';
import type { ChangedRecord } from '../../changes/change-batch.ts';
import { giveBackSchedules } from '../../commands/give-back.ts';
import type { By } from '../../devices/record-change.ts';
import type { GatewaysService } from '../../gateways/gateways.service.ts';
import { lockGroups } from '../../groups/add-groups.ts';
import { removeGroup } from '../../groups/remove-group.ts';
import { returnGroup } from '../../groups/return-group.ts';
import { lockSchedules, lockSets } from '../../schedules/alone-with-schedules.ts';
import { returnSet, returnTemplate } from '../../schedules/return-schedules.ts';
import { putRecordsBack, readOthers } from '../../undo/other-records.ts';
import { putDevicesBack } from '../../undo/put-back.ts';
import { takeDevicesOff } from '../../undo/take-devices-off.ts';
import { lockTakes } from '../../water-takes/lock-takes.ts';
import type { FarmContentRepo } from '../farm-content.repo.ts';
import { type FarmNow, type ReadFor, readFarmNow } from './farm-now.ts';
import { merged, mergeBatch } from '../../changes/merge-steps.ts';
import { type Deed, planRestore, type RestoreItem } from './plan-restore.ts';
import { NOW } from './plan-records.ts';
import { devicesOf, type Snapshot } from './snapshot.ts';

export interface RestoreParts {
  readonly content: FarmContentRepo;
  readonly gateways: Pick<GatewaysService, 'takeOff'>;
}

export interface OfBackup {
  readonly snapshot: Snapshot;
  readonly createdAt: Date;
  readonly reads: ReadFor;
}

/**
 * What restoring would do; for a restore with the locks that keep it true to the end of the transaction. `before`: the farm before
 * the first step, which says what sets are in use: what is sent by the restore itself doesn't count.
 */
export async function lookIn(
  trx: Db,
  { content }: Pick<RestoreParts, 'content'>,
  farm: FarmRow,
  of: Pick<OfBackup, 'snapshot' | 'reads'>,
  before?: FarmNow,
): Promise<{ items: RestoreItem[]; now: FarmNow }> {
  if (of.reads !== 'plan') {
    await lockGroups(trx, farm.id);
    await lockSchedules(trx, farm.id);
    await lockSets(trx, farm.id);
    // Before the farm itself is: who enters a take has them, and refers to the farm then.
    await lockTakes(trx, farm.id);
  }
  const found = await readFarmNow(trx, content, farm, of);
  const now = before ? { ...found, sets: inUseAsIn(before.sets, found.sets) } : found;
  return { items: await planRestore(of.snapshot, now), now };
}

/**
 * Makes the farm as it was. In steps, each planned on what the one before has left: what is new goes, so that names, MACs and serial
 * numbers are free; devices and groups come back; then what hangs on them. What is to be done after the commit.
 */
export async function restoreIn(
  trx: Db,
  parts: RestoreParts,
  farm: FarmRow,
  of: OfBackup,
  by: By,
): Promise<(() => void)[]> {
  const first = await lookIn(trx, parts, farm, of);
  const afterwards = await takeOff(trx, farm.id, first.items, parts, by);
  const second = await lookIn(trx, parts, farm, of, first.now);
  await putBack(trx, farm.id, of, { ...second, before: first.now }, by);
  const third = await lookIn(trx, parts, farm, of, first.now);
  await putSchedulesBack(trx, farm.id, third.items, by);
  if (by.batch) mergeBatch(by.batch);
  return afterwards;
}

const inUseAsIn = (before: FarmNow['sets'], sets: FarmNow['sets']): FarmNow['sets'] =>
  new Map([...sets].map(([uid, set]) => [uid, { ...set, inUse: before.get(uid)?.inUse ?? null }]));

type DeedOf<Do extends Deed['do']> = Extract<Deed, { do: Do }>;
const deedsOf = <Do extends Deed['do']>(items: readonly RestoreItem[], what: Do): DeedOf<Do>[] =>
  items.flatMap(({ deed }) => (deed?.do === what ? [deed as DeedOf<Do>] : []));

async function takeOff(
  trx: Db,
  farmId: number,
  items: readonly RestoreItem[],
  { gateways }: RestoreParts,
  by: By,
): Promise<(() => void)[]> {
  const devices = deedsOf(items, 'take device off').map(({ device }) => device);
  const afterwards = await takeDevicesOff(trx, farmId, devices, gateways, by);
  for (const { group } of deedsOf(items, 'take group off')) await removeGroup(trx, farmId, group, by);
  return afterwards;
}

async function putBack(
  trx: Db,
  farmId: number,
  { snapshot, createdAt }: OfBackup,
  { items, now, before }: { items: readonly RestoreItem[]; now: FarmNow; before: FarmNow },
  by: By,
): Promise<void> {
  await changeRecords(
    trx,
    farmId,
    items.filter(({ row: { kind } }) => kind === 'farm' || kind === 'group'),
    by,
  );
  for (const { group } of deedsOf(items, 'return group')) await returnGroup(trx, farmId, group, by);
  const records = deedsOf(items, 'put device back').map(({ record }) => record);
  const rows = new Map([...now.devices.values()].map((row): [number, DeviceRow] => [row.id, row]));
  // As before the first step: groups that left with it come back with an undo.
  const memberships = new Map(
    devicesOf(before.snapshot).map(({ _id, groups }) => [now.devices.get(_id)?.id ?? 0, groups] as const),
  );
  const groups = new Map(snapshot.groups.map(({ _id }) => [_id, { version: 1 }]));
  await putDevicesBack(trx, farmId, records, { devices: rows, groups, memberships }, by);
  const units = records.flatMap(({ kind, id, ...record }) => {
    const isTaken = (name: string) =>
      record.settings?.[name]?.[1] === true && record.settings[name][0] !== true;
    const isBack = record.what === 'deleted' || isTaken('isSpareUnit') || isTaken('outOfService');
    return kind === 'sprinkler' && isBack ? [{ farmId, deviceId: id }] : [];
  });
  await giveBackSchedules(sqlClient(trx), units, { since: createdAt, now: by.now });
}

async function putSchedulesBack(
  trx: Db,
  farmId: number,
  items: readonly RestoreItem[],
  by: By,
): Promise<void> {
  await changeRecords(trx, farmId, items, by);
  for (const { template } of deedsOf(items, 'return template'))
    await returnTemplate(trx, farmId, template, by);
  for (const { set } of deedsOf(items, 'return set')) await returnSet(trx, farmId, set, by);
}

async function changeRecords(trx: Db, farmId: number, items: readonly RestoreItem[], by: By): Promise<void> {
  const records = merged(deedsOf(items, 'change record').map(({ record }) => dated(record, by.now)));
  if (records.length === 0) return;
  await putRecordsBack(trx, farmId, records, await readOthers(trx, farmId, records), by);
}

function dated(record: ChangedRecord, now: Date): ChangedRecord {
  const deleted = record.columns['deleted_at'];
  return deleted?.[0] === NOW
    ? { ...record, columns: { ...record.columns, deleted_at: [now.toISOString(), deleted[1]] } }
    : record;
}

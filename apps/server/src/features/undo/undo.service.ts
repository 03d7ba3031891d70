import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import type { Act, undo, UndoChoices } from '@headrace/contract/undo';
import { can, hasRight, type Permissions } from '@headrace/contract/permissions';
import type { Db } from '../../db/client.ts';
import { sqlClient } from '../../db/sql-client.ts';
import type { FarmAccess } from '../../http/access-gate.ts';
import { readResource } from '../access/read-resource.ts';
import { ApiFailure, conflict, forbidden, notFound } from '../../http/errors.ts';
import { titleOfUndo } from '../changes/batch-title.ts';
import {
  type AddedDevice,
  type AddedGroup,
  type BatchRecord,
  type ChangedDevice,
  type DeletedDevice,
  type ChangedRecord,
  type DeletedGroup,
  inBatch,
  isOfDevice,
  isUndoable,
  UNDO_DAYS,
  unpacked,
} from '../changes/change-batch.ts';
import { mergeBatch } from '../changes/merge-steps.ts';
import { giveBackSchedules } from '../commands/give-back.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import type { By } from '../devices/record-change.ts';
import type { GatewaysService } from '../gateways/gateways.service.ts';
import { lockGroups } from '../groups/add-groups.ts';
import { removeGroup } from '../groups/remove-group.ts';
import { mapInTurns } from '../../jobs/in-turns.ts';
import { lockSchedules } from '../schedules/alone-with-schedules.ts';
import { lockTakes } from '../water-takes/lock-takes.ts';
import { takeDevicesOff } from './take-devices-off.ts';
import { judge, type Now, toConflict, type Verdict } from './judge.ts';
import { putDevicesBack, putGroupBack } from './put-back.ts';
import { putRecordsBack } from './other-records.ts';
import { groupWith, lastChanges, lockBatch, lockDevices, markUndone, readNow } from './undo.repo.ts';

type Asked = BodyOf<typeof undo>;

/** Puts back what was done as one: once, within 30 days, and what others changed since only where they are told so. */
export function createUndoService(records: DeviceRecords, gateways: Pick<GatewaysService, 'takeOff'>) {
  return {
    async undo(
      { farmId, permissions }: Pick<FarmAccess, 'farmId' | 'permissions'>,
      asked: Asked,
      by: By,
    ): Promise<ReplyOf<typeof undo>> {
      const afterwards: (() => void)[] = [];
      const reply = await records.together(farmId, async (trx) => {
        afterwards.length = 0;
        await lockGroups(trx, farmId);
        if (isOfSchedules(asked.act)) await lockSchedules(trx, farmId);
        // Before the farm itself is: who enters a take has them, and refers to the farm then.
        if (asked.act === 'restore') await lockTakes(trx, farmId);
        const batch = await openBatch(trx, farmId, asked, by.now);
        const all = await unpacked(batch.records);
        if (asked.act === 'import') refuseBeyondRights(all, permissions);
        const now = await readNow(trx, farmId, all, new Set(asked.keep?.map((uid) => uid.toLowerCase())));
        const chosen = await choose(trx, farmId, batch.id, all, now, asked);
        const what = { act: asked.act, title: titleOfUndo(batch), undoes: batch.id };
        const { batchId } = await inBatch(trx, farmId, by, what, async (batched) => {
          // First what leaves: names, MACs and serial numbers are free then.
          const added = chosen.filter(isAddedDevice).flatMap(({ id }) => now.devices.get(id) ?? []);
          afterwards.push(...(await takeDevicesOff(trx, farmId, added, gateways, batched)));
          for (const record of chosen.filter(isAddedGroup)) await takeGroupOff(trx, farmId, record, batched);
          await putRecordsBack(trx, farmId, chosen.filter(isChangedRecord), now.others, batched);
          const groups = chosen.filter(isDeletedGroup);
          for (const record of groups) await putGroupBack(trx, farmId, record, batched);
          // Units of a gateway that left are changed by that.
          const devices = await lockDevices(trx, farmId, [...now.devices.keys()]);
          const withGroups = {
            ...now,
            devices,
            groups: groupsAfter(now.groups, groups, chosen.filter(isAddedGroup)),
          };
          await putDevicesBack(trx, farmId, chosen.filter(isBack), withGroups, batched);
          await giveBackSchedules(sqlClient(trx), returned(farmId, chosen), { since: batch.at, now: by.now });
          if (batched.batch) mergeBatch(batched.batch);
        });
        await markUndone(trx, farmId, batch.id, by);
        return { undone: chosen.length, kept: all.length - chosen.length, batchId };
      });
      for (const act of afterwards) act();
      return reply;
    },
  };
}
export type UndoService = ReturnType<typeof createUndoService>;

const isOfSchedules = (act: Act) =>
  act === 'restore' ||
  act === 'import' ||
  act === 'delete schedule set' ||
  act === 'delete schedule template';

/** Of several kinds at once, each is to be undone by who may do the same to it. */
function refuseBeyondRights(all: readonly BatchRecord[], permissions: Permissions): void {
  for (const record of all) {
    const { kind, what } = record;
    // A set isn't changed: it was added, as a record that hadn't been there.
    const isAdded = what === 'added' || kind === 'schedule set';
    const level = isAdded ? 'Create' : what === 'deleted' ? 'Delete' : 'Edit';
    const resource = isOfDevice(record) ? readResource[record.kind] : otherResources[record.kind];
    if (!hasRight(permissions, can(resource, level)))
      throw forbidden(`It is about a ${kind} too, and you may not ${levelLabels[level]} those.`);
  }
}
const otherResources = {
  farm: 'farms',
  group: 'groups',
  'schedule template': 'schedules',
  'schedule set': 'schedules',
  'inputs and relays': 'gateways',
  'water take': 'sensors',
} as const;
const levelLabels = { Create: 'add', Edit: 'change', Delete: 'delete' } as const;

const isChangedRecord = (record: BatchRecord): record is ChangedRecord =>
  !isOfDevice(record) && record.what === 'changed';
const isDeletedGroup = (record: BatchRecord): record is DeletedGroup =>
  !isOfDevice(record) && record.what === 'deleted';
const isAddedGroup = (record: BatchRecord): record is AddedGroup =>
  !isOfDevice(record) && record.what === 'added';
const isBack = (record: BatchRecord): record is ChangedDevice | DeletedDevice =>
  isOfDevice(record) && record.what !== 'added';
const isAddedDevice = (record: BatchRecord): record is AddedDevice =>
  isOfDevice(record) && record.what === 'added';

/** Groups that come back in the same step take their members in. */
const groupsAfter = (
  groups: Now['groups'],
  back: readonly DeletedGroup[],
  off: readonly AddedGroup[],
): Now['groups'] =>
  new Map([
    ...[...groups].filter(([uid]) => !off.some((group) => group.uid === uid)),
    ...back.map(({ uid, row }) => [uid, { version: Number(row['version']) + 1 }] as const),
  ]);

/** Sprinklers that are in service again: as spares, out of service or deleted they were to be cleared. */
const returned = (farmId: number, chosen: readonly BatchRecord[]) =>
  chosen.filter(isBack).flatMap((record) => {
    const isTaken = (name: string) =>
      record.what === 'changed' && record.settings[name]?.[1] === true && record.settings[name][0] !== true;
    const isOne = record.what === 'deleted' || isTaken('isSpareUnit') || isTaken('outOfService');
    return record.kind === 'sprinkler' && isOne ? [{ farmId, deviceId: record.id }] : [];
  });

/** Throws notFound, or conflict where it was undone already or is too old. */
async function openBatch(
  trx: Db,
  farmId: number,
  { batchId, act }: { batchId: string; act: Act },
  now: Date,
) {
  const batch = await lockBatch(trx, farmId, batchId.toLowerCase());
  if (batch?.act !== act) throw notFound();
  if (batch.undone_at)
    throw conflict(`This was undone already${batch.undoneBy ? ` by ${batch.undoneBy}` : ''}.`, 'batchId');
  if (!isUndoable(batch.at, now))
    throw conflict(`This can't be undone any more: it was done more than ${UNDO_DAYS} days ago.`, 'batchId');
  return batch;
}

/** Those that go back. Throws conflict with the choices where somebody has to choose. */
async function choose(
  trx: Db,
  farmId: number,
  batchId: string,
  all: readonly BatchRecord[],
  now: Now,
  { keep = [], putBack = [] }: Asked,
): Promise<BatchRecord[]> {
  const lower = (uids: readonly string[]) => new Set(uids.map((uid) => uid.toLowerCase()));
  const [kept, back] = [lower(keep), lower(putBack)];
  const judged = await mapInTurns(all, (record) => ({ record, verdict: judge(record, now) }));
  const isOpen = (verdict: Verdict, uid: string) =>
    verdict.is === 'conflict' && !kept.has(uid) && !(verdict.canPutBack && back.has(uid));
  const open = judged.filter(({ record, verdict }) => isOpen(verdict, record.uid));
  const going = judged.filter(
    ({ record: { uid }, verdict }) =>
      !kept.has(uid) &&
      (verdict.is === 'fine' || (verdict.is === 'conflict' && verdict.canPutBack && back.has(uid))),
  );
  if (open.length > 0) {
    const last = await lastChanges(
      trx,
      farmId,
      batchId,
      open.map(({ record }) => record.uid),
    );
    const choices: UndoChoices = {
      others: going.length,
      conflicts: open.flatMap(({ record, verdict }) =>
        verdict.is === 'conflict' ? [toConflict(record, verdict, last.get(record.uid))] : [],
      ),
    };
    throw new ApiFailure(
      'conflict',
      'Some of these were changed since. Please choose what becomes of them.',
      'keep',
      choices,
    );
  }
  return going.map(({ record }) => record);
}

async function takeGroupOff(trx: Db, farmId: number, { uid }: AddedGroup, by: By): Promise<void> {
  const group = await groupWith(trx, farmId, uid);
  if (group) await removeGroup(trx, farmId, group, by);
}

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Act } from '@headrace/contract/undo';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { DeviceKind } from '../../db/schema.ts';

/** How long what was done can be undone, days. */
export const UNDO_DAYS = 30;

export const isUndoable = (at: Date, now: Date): boolean =>
  now.getTime() - at.getTime() <= UNDO_DAYS * 86_400_000;

interface OfDevice {
  readonly id: number;
  readonly uid: string;
  readonly kind: DeviceKind;
  readonly name: string;
}
/** A value before the act, and as the act left it. */
export type Step = readonly [before: unknown, after: unknown];
/** Fields of a device that were changed. A setting that wasn't there is null. `groups` are uids. */
export interface ChangedDevice extends OfDevice {
  readonly what: 'changed';
  readonly columns: Readonly<Record<string, Step>>;
  readonly settings: Readonly<Record<string, Step>>;
  readonly groups?: readonly [string[], string[]] | undefined;
}
/** A device that left the farm, with the groups that it was in and a gateway's key. */
export interface DeletedDevice extends OfDevice {
  readonly what: 'deleted';
  /** Of a backup: it comes back otherwise than it left. */
  readonly columns?: Readonly<Record<string, Step>> | undefined;
  readonly settings?: Readonly<Record<string, Step>> | undefined;
  readonly groups: readonly string[];
  /** Row of gateway_key. */
  readonly key?: Readonly<Record<string, unknown>> | undefined;
}
/** A device that came to the farm: back, or new. */
export interface AddedDevice extends OfDevice {
  readonly what: 'added';
  readonly version: number;
}
interface OfGroup {
  readonly kind: 'group';
  readonly uid: string;
  readonly name: string;
}
/** A group that is gone: its row, and the uids of its members. */
export interface DeletedGroup extends OfGroup {
  readonly what: 'deleted';
  readonly row: Readonly<Record<string, unknown>>;
  readonly members: readonly string[];
}
export interface AddedGroup extends OfGroup {
  readonly what: 'added';
  readonly version: number;
}
/** A record that is no device, by its columns as they are stored; `deleted_at` among them where it can be deleted. */
export interface ChangedRecord {
  readonly what: 'changed';
  readonly kind: 'farm' | 'group' | 'schedule template' | 'schedule set' | 'inputs and relays' | 'water take';
  readonly uid: string;
  readonly name: string;
  readonly columns: Readonly<Record<string, Step>>;
}
export type DeviceRecord = ChangedDevice | DeletedDevice | AddedDevice;
export type BatchRecord = DeviceRecord | DeletedGroup | AddedGroup | ChangedRecord;
export const isOfDevice = (record: BatchRecord): record is DeviceRecord => 'id' in record;

/** What is being done as one: whoever changes a record with it adds how that was before. */
export interface Batch {
  readonly id: string;
  readonly uid: string;
  readonly records: BatchRecord[];
}

export interface NewBatch {
  readonly act: Act;
  /** For the history: "A14 deleted". */
  readonly title: string;
  /** The batch that this one undoes. */
  readonly undoes?: string;
}

interface By {
  readonly accountId: number | null;
  readonly now: Date;
}

/** Does `work` as one that can be undone. `batchId` is null where it changed nothing. */
export async function inBatch<B extends By, T>(
  trx: Db,
  farmId: number,
  by: B,
  { act, title, undoes }: NewBatch,
  work: (by: B & { batch: Batch }) => Promise<T>,
): Promise<{ result: T; batchId: string | null }> {
  const uid = newUid(by.now);
  const { id } = await trx
    .insertInto('change_batch')
    .values({
      farm_id: farmId,
      uid,
      at: by.now,
      account_id: by.accountId,
      act,
      title,
      records: Buffer.alloc(0),
      undoes: undoes ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const batch: Batch = { id, uid, records: [] };
  const result = await work({ ...by, batch });
  if (batch.records.length === 0)
    await trx.deleteFrom('change_batch').where('farm_id', '=', farmId).where('id', '=', id).execute();
  else
    await trx
      .updateTable('change_batch')
      .set({ records: await packed(batch.records) })
      .where('farm_id', '=', farmId)
      .where('id', '=', id)
      .execute();
  return { result, batchId: batch.records.length === 0 ? null : uid };
}

export const packed = async (records: object): Promise<Buffer> => promisify(gzip)(JSON.stringify(records));
/** As they were packed. */
export const unpacked = async <T = BatchRecord[]>(records: Buffer): Promise<T> =>
  JSON.parse((await promisify(gunzip)(records)).toString()) as T;

/** Those that can't be undone any more. */
export async function forgetBatches(db: Db, now: Date): Promise<void> {
  const border = new Date(now.getTime() - UNDO_DAYS * 86_400_000);
  await db.deleteFrom('change_batch').where('at', '<', border).execute();
}

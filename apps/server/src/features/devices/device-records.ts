import { MUCH_FROM } from '@headrace/contract/limits';
import type { Db } from '../../db/client.ts';
import { claimOnce } from '../../db/once.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { inBatch, type NewBatch } from '../changes/change-batch.ts';
import { addRecord } from './add-records.ts';
import { changeRecord } from './change-records.ts';
import type { By, NewRecord, RecordChange } from './record-change.ts';
import { removeRecord } from './remove-records.ts';

/** What records need of others. */
export interface RecordEffects {
  onDevicesChanged(farmId: number): void;
  /** Keeps the farm as the transaction sees it. */
  backUp(trx: Db, farmId: number, description: string, by: By): Promise<unknown>;
}

/**
 * The one way in which people's entries get into `device`, whatever its kind: the serial number is no other unit's of the farm and
 * the MAC nobody else's, the version is the one they saw, the gateway's list is marked as changed, and the change is logged, all
 * in one transaction.
 */
export function createDeviceRecords(db: Db, effects: RecordEffects) {
  /** Several steps in one transaction; the functions below do them. */
  async function together<T>(farmId: number, work: (trx: Db) => Promise<T>): Promise<T> {
    const result = await transact(db, work);
    effects.onDevicesChanged(farmId);
    return result;
  }
  return {
    together,

    /** What changes would find, with their locks; nothing is written. */
    looking: <T>(work: (trx: Db) => Promise<T>): Promise<T> => transact(db, work),

    /** The same, and what is done in it can be undone as one: `batchId`, null where nothing changed. */
    undoable<T>(farmId: number, by: By, what: NewBatch, work: (trx: Db, by: By) => Promise<T>) {
      return together(farmId, (trx) => inBatch(trx, farmId, by, what, (batched) => work(trx, batched)));
    },

    /** What is taken from this many devices at once goes with a backup of the farm before it, or not at all. */
    async backUpBefore(trx: Db, farmId: number, title: string, devices: number, by: By): Promise<void> {
      if (devices >= MUCH_FROM) await effects.backUp(trx, farmId, `Before ${title}`, by);
    },

    /** Throws conflict when the farm has the serial number already, or the MAC is in use, on whichever farm; where isn't told. */
    add(farmId: number, record: NewRecord, by: By, groups?: readonly string[]): Promise<DeviceRow> {
      return together(farmId, (trx) => addRecord(trx, farmId, record, by, groups));
    },

    /** Throws StaleRecord when `version` is not the newest. Nothing is written when nothing differs. */
    change(device: DeviceRow, change: RecordChange, by: By, version?: number): Promise<DeviceRow> {
      return together(device.farm_id, (trx) => changeRecord(trx, device, change, by, { version }));
    },

    /** The history stays. What undoes it. */
    async remove(device: DeviceRow, by: By): Promise<string | null> {
      const { batchId } = await this.undoable(device.farm_id, by, deletionOf(device), (trx, batched) =>
        removeRecord(trx, device, batched),
      );
      return batchId;
    },
  };
}
export type DeviceRecords = ReturnType<typeof createDeviceRecords>;

/** For the history. */
export const deletionOf = ({ kind, name }: Pick<DeviceRow, 'kind' | 'name'>): NewBatch => ({
  act: `delete ${kind}`,
  title: `${name} deleted`,
});

const DEADLOCK = '40P01';
const TRIES = 3;

/** What devices say locks gateways before units, and people the other way round: who loses tries again. */
async function transact<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await db.transaction().execute(async (trx) => {
        await claimOnce(trx);
        return work(trx);
      });
    } catch (error) {
      if ((error as { code?: unknown }).code !== DEADLOCK || tried === TRIES) throw error;
    }
  }
}

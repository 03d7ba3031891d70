import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import type { createFarm, Farm, Timezone, updateFarm } from '@headrace/contract/farms';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { Caller, FarmAccess } from '../../http/access-gate.ts';
import { forbidden, notFound, stale } from '../../http/errors.ts';
import { senderKey } from '../../mqtt/transport.ts';
import type { AccessService } from '../access/access.service.ts';
import type { By } from '../devices/record-change.ts';
import type { Messages } from '../messages/messages.ts';
import { deleteFarm } from './delete-farm.ts';
import { mailDeleted } from './mail-deleted.ts';
import { createFarmEditor, StaleFarm } from './farm-editor.ts';
import { isOwner, ownersFor } from './farm-owners.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { FarmsService } from './farms.service.ts';

export interface FarmEffects {
  /** New farms may be made on this installation. */
  mayCreate(): Promise<boolean>;
  /** Ends a sender's broker sessions, see senderKey. */
  disconnect(senderKey: string): void;
  /** What ingest knows of the farm and its devices is no longer so. */
  onDevicesChanged(farmId: number): void;
  /** What these accounts may do has changed. */
  onAccessChanged(accountIds: readonly number[]): void;
}

/** Creating, changing and deleting farms, and what the rest of the server has to hear of it. */
export function createFarmEditService(
  db: Db,
  parts: {
    farms: FarmsService;
    access: AccessService;
    messages: Pick<Messages, 'mail'>;
    effects: FarmEffects;
  },
) {
  const { farms, access, messages, effects } = parts;
  const editor = createFarmEditor(db);

  /** Ingest cuts hours and days by the farm's clock: it must know the new one before the old hours are made anew. */
  async function clocked(change: Promise<FarmRow>): Promise<FarmRow> {
    const farm = await change;
    effects.onDevicesChanged(farm.id);
    return farm;
  }

  return {
    async create(
      { accountId, ...entry }: BodyOf<typeof createFarm>,
      caller: Caller,
      now: Date,
    ): Promise<ReplyOf<typeof createFarm>> {
      if (!(await effects.mayCreate()))
        throw forbidden('New farms are not made at present. Please ask the operator.');
      const { farm, sharedWith } = await editor.create(entry, accountId, caller, now);
      effects.onAccessChanged([farm.owner_id, ...sharedWith]);
      const grant = await access.farmByUid(caller, farm.uid, now);
      if (!grant) throw notFound();
      return { farmUID: farm.uid, permissions: { farmUID: farm.uid, ...grant.permissions } };
    },

    async change(
      { id: _id, version, ...entry }: BodyOf<typeof updateFarm>,
      farm: FarmAccess,
      by: By,
    ): Promise<Farm> {
      try {
        return await farms.farm(await clocked(editor.change(farm.farmId, entry, version, by)));
      } catch (error) {
        throw error instanceof StaleFarm ? stale(await farms.farm(error.current)) : error;
      }
    },

    /** Throws forbidden where the farm is another account's than the one that is named. */
    async removeOf(farm: FarmRow, accountUid: string | undefined, by: By): Promise<void> {
      if (accountUid !== undefined && !(await isOwner(db, farm.owner_id, accountUid))) throw forbidden();
      await this.remove(farm.id, by, (trx, gone) => mailDeleted(trx, messages, gone, by));
    },

    /** As its owner would who closes the account: who hears of that needn't hear of each farm. */
    async remove(farmId: number, by: By, also?: Parameters<typeof deleteFarm>[3]): Promise<void> {
      const { accounts, senders } = await deleteFarm(db, farmId, by, also);
      for (const sender of senders) effects.disconnect(senderKey(sender));
      effects.onDevicesChanged(farmId);
      effects.onAccessChanged(accounts);
    },

    async refreshClock(farmId: number, by: By): Promise<Timezone> {
      return toZone(await clocked(editor.refreshClock(farmId, by)));
    },

    async setDst(farmId: number, dstEnabled: boolean, by: By): Promise<Timezone> {
      return toZone(await clocked(editor.setDst(farmId, dstEnabled, by)));
    },

    async owners(caller: Caller, now: Date) {
      const accounts = await ownersFor(db, caller, now);
      return { accounts: accounts.map(({ uid, name, email }) => ({ _id: uid, id: uid, name, email })) };
    },
  };
}
export type FarmEditService = ReturnType<typeof createFarmEditService>;

import type { DeletedFarm, RestoredFarm } from '@headrace/contract/deleted-farms';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { UNDO_DAYS, unpacked } from '../changes/change-batch.ts';
import type { By } from '../devices/record-change.ts';
import type { FarmEffects } from './farm-edit.service.ts';
import { shutFarms, wholeAccountsFor } from './farm-owners.ts';
import { deletedFarms, type KeptFarm } from './kept-farm.ts';
import { keptShares, mayDelete, shareOf } from './kept-shares.ts';
import { restoreFarm } from './restore-farm.ts';

type Effects = Pick<FarmEffects, 'onDevicesChanged' | 'onAccessChanged'>;
const KEPT_MS = UNDO_DAYS * 86_400_000;

/** Farms that were deleted in the last 30 days, for those who could delete them. */
export function createDeletedFarmsService(db: Db, effects: Effects) {
  return {
    async list(accountId: number, now: Date): Promise<DeletedFarm[]> {
      const whole = await wholeAccounts(db, accountId, now);
      const since = new Date(now.getTime() - KEPT_MS);
      const found = await deletedFarms(db, accountId, [accountId, ...whole.keys()], since);
      const ids = found.map(({ id }) => id);
      const asker = { accountId, whole, shut: await shutFarms(db, accountId, ids, now), now };
      const farms: DeletedFarm[] = [];
      for (const farm of found) {
        const kept = await unpacked<KeptFarm>(farm.records);
        if (!mayRestore(farm, kept, asker)) continue;
        farms.push({
          farmUID: farm.uid,
          name: farm.name,
          deletedAt: farm.at.toISOString(),
          deletedBy: farm.by ?? '',
          until: new Date(farm.at.getTime() + KEPT_MS).toISOString(),
          devices: kept.devices.length,
        });
      }
      return farms;
    },

    async restore(farmUid: string, by: By & { accountId: number }): Promise<RestoredFarm> {
      const { accountId, now } = by;
      const { farmId, accounts, away } = await restoreFarm(db, farmUid, by, async (trx, farm, kept) => {
        const whole = await wholeAccounts(trx, accountId, now);
        const shut = await shutFarms(trx, accountId, [farm.id], now);
        return mayRestore(farm, kept, { accountId, whole, shut, now });
      });
      effects.onDevicesChanged(farmId);
      effects.onAccessChanged(accounts);
      return { away };
    },
  };
}
export type DeletedFarmsService = ReturnType<typeof createDeletedFarmsService>;

/** What each owner's share of the whole account gives, by the owner's id. */
async function wholeAccounts(db: Db, accountId: number, now: Date): Promise<ReadonlyMap<number, unknown>> {
  const rows = await wholeAccountsFor(db, accountId, now).select(['owner_id', 'permissions']).execute();
  return new Map(rows.map(({ owner_id, permissions }) => [owner_id, permissions]));
}

interface Asker {
  readonly accountId: number;
  readonly whole: ReadonlyMap<number, unknown>;
  readonly shut: ReadonlySet<number>;
  readonly now: Date;
}

/** Who could delete it if it were there: by owning it, by a share of it that holds and isn't shut, or by one of the whole account. */
function mayRestore(
  farm: Pick<FarmRow, 'id' | 'owner_id'>,
  { rows }: KeptFarm,
  { accountId, whole, shut, now }: Asker,
): boolean {
  if (farm.owner_id === accountId) return true;
  if (shut.has(farm.id)) return false;
  const permissions = shareOf(keptShares(rows), accountId, now)?.permissions ?? whole.get(farm.owner_id);
  return mayDelete(permissions);
}

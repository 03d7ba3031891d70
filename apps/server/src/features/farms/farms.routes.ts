import {
  createFarm,
  deleteFarm,
  farmContents,
  farmsCard,
  farmsOfUser,
  farmsSummary,
  getFarm,
  getTimezone,
  listFarms,
  ownerAccounts,
  refreshTimezone,
  updateFarm,
  updateTimezone,
} from '@headrace/contract/farms';
import { listDeletedFarms, restoreFarm } from '@headrace/contract/deleted-farms';
import type { Mount } from '../../http/mount.ts';
import { byOf, success } from '../devices/replies.ts';
import type { DeletedFarmsService } from './deleted-farms.service.ts';
import type { FarmEditService } from './farm-edit.service.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { FarmsService } from './farms.service.ts';

export function farmsRoutes(
  mount: Mount,
  farms: FarmsService,
  edit: FarmEditService,
  deleted: DeletedFarmsService,
): void {
  mount(farmsCard, ({ caller, now }) => farms.cards(caller.accountId, now));
  mount(farmsSummary, async ({ caller, now }) => ({ farms: await farms.summaries(caller.accountId, now) }));
  mount(farmsOfUser, ({ caller, now }) => farms.farms(caller.accountId, now));
  mount(listFarms, async ({ caller, now }) => ({ farms: await farms.farms(caller.accountId, now) }));
  mount(getFarm, ({ farm }) => farms.farm(farm.farm));
  mount(farmContents, ({ farm }) => farms.contents(farm.farmId));
  mount(createFarm, ({ body, caller, now }) => edit.create(body, caller, now));
  mount(updateFarm, (call) => edit.change(call.body, call.farm, byOf(call)));
  mount(deleteFarm, async (call) => {
    await edit.removeOf(call.farm.farm, call.query.accountId, byOf(call));
    return success;
  });
  mount(listDeletedFarms, async ({ caller, now }) => ({ farms: await deleted.list(caller.accountId, now) }));
  mount(restoreFarm, (call) =>
    deleted.restore(call.body.farmUID, { ...byOf(call), accountId: call.caller.accountId }),
  );
  mount(getTimezone, async ({ farm }) => toZone(farm.farm));
  mount(refreshTimezone, (call) => edit.refreshClock(call.farm.farmId, byOf(call)));
  mount(updateTimezone, (call) => edit.setDst(call.farm.farmId, call.body.dstEnabled, byOf(call)));
  mount(ownerAccounts, ({ caller, now }) => edit.owners(caller, now));
}

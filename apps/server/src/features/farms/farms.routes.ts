import { farmsCard, farmsSummary, getFarm } from '@headrace/contract/farms';
import type { Mount } from '../../http/mount.ts';
import type { FarmsService } from './farms.service.ts';

export function farmsRoutes(mount: Mount, farms: FarmsService): void {
  mount(farmsCard, ({ caller, now }) => farms.cards(caller.accountId, now));
  mount(farmsSummary, async ({ caller, now }) => ({ farms: await farms.summaries(caller.accountId, now) }));
  mount(getFarm, ({ farm }) => farms.farm(farm.farm));
}

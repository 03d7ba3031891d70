import { accountUsage, farmUsage } from '@headrace/contract/usage';
import type { Mount } from '../../http/mount.ts';
import type { UsageService } from './usage.service.ts';

export function usageRoutes(mount: Mount, usage: UsageService): void {
  mount(farmUsage, ({ farm, now }) => usage.ofFarm(farm, now));
  mount(accountUsage, ({ caller, now }) => usage.ofAccount(caller, now));
}

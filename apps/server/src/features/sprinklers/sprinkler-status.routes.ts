import { groupInfo, ipcStatus, irrigationStatus } from '@headrace/contract/groups';
import type { Mount } from '../../http/mount.ts';
import type { SprinklerStatusService } from './sprinkler-status.service.ts';

export function sprinklerStatusRoutes(mount: Mount, sprinklers: SprinklerStatusService): void {
  mount(groupInfo, ({ farm, query, now }) => sprinklers.groupInfo(farm.farm, query.name, now));
  mount(irrigationStatus, ({ farm, now }) => sprinklers.overview(farm.farm, now));
  mount(ipcStatus, ({ farm, now }) => sprinklers.counts(farm.farm, now));
}

import { groupInfo, ipcStatus, irrigationStatus } from '@headrace/contract/groups';
import { groupUnits } from '@headrace/contract/map-units';
import { sprinklerHistory } from '@headrace/contract/sprinkler-history';
import { sprinklerInfo } from '@headrace/contract/sprinkler-info';
import type { Mount } from '../../http/mount.ts';
import type { SprinklerHistoryService } from './sprinkler-history.service.ts';
import type { SprinklerInfoService } from './sprinkler-info.service.ts';
import type { SprinklerStatusService } from './sprinkler-status.service.ts';

export function sprinklerStatusRoutes(
  mount: Mount,
  sprinklers: SprinklerStatusService,
  { info, history }: { info: SprinklerInfoService; history: SprinklerHistoryService },
): void {
  mount(groupInfo, ({ farm, query, now }) => sprinklers.groupInfo(farm.farm, query.name, now));
  mount(groupUnits, ({ farm, query, now }) => sprinklers.groupUnits(farm.farm, query, now));
  mount(irrigationStatus, ({ farm, now }) => sprinklers.overview(farm.farm, now));
  mount(ipcStatus, ({ farm, now }) => sprinklers.counts(farm.farm, now));
  mount(sprinklerInfo, ({ farm, device, now }) => info.whole(farm.farm, device, now));
  mount(sprinklerHistory, ({ farm, device, query, now }) => history.of(farm.farm, device, query, now));
}

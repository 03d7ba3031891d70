import {
  batteryHistory,
  levelHistory,
  tankBasicInfo,
  tankFullInfo,
  tankSite,
  tankSummaries,
  usageHistory,
} from '@headrace/contract/tanks';
import type { Mount } from '../../http/mount.ts';
import type { TanksService } from './tanks.service.ts';

export function tankRoutes(mount: Mount, tanks: TanksService): void {
  mount(tankSummaries, async ({ farm, now }) => ({ tanks: await tanks.summaries(farm.farm, now) }));
  mount(tankBasicInfo, ({ farm, query, now }) => tanks.basicInfo(farm.farm, query.sensorUid, now));
  mount(tankFullInfo, ({ farm, device, now }) => tanks.fullInfo(farm.farm, device, now));
  mount(levelHistory, async ({ farm, device, query, now }) => ({
    history: await tanks.levelHistory(farm.farm, device, query, now),
  }));
  mount(usageHistory, async ({ farm, device, query, now }) => ({
    history: await tanks.usageHistory(farm.farm, device, query, now),
  }));
  mount(batteryHistory, async ({ farm, device, query, now }) => ({
    history: await tanks.batteryHistory(farm.farm, device, query, now),
  }));
  mount(tankSite, ({ farm, now }) => tanks.site(farm.farm, now));
}

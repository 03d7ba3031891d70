import { farmInsights } from '@headrace/contract/insights';
import { readSettings } from '@headrace/contract/rules/settings-migrations';
import type { Mount } from '../../http/mount.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { InsightsService } from './insights.service.ts';

export function insightsRoutes(mount: Mount, insights: InsightsService, settings: SettingsService): void {
  mount(farmInsights, async ({ farm, caller, now }) => {
    const stored = await settings.ofAccount(caller.accountId);
    const reader = { settings: readSettings(stored), permissions: farm.permissions };
    return insights.ofFarm(farm.farm, reader, now);
  });
}

import type { Core, Feature } from '../../feature.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import { createInsightsRepo } from './insights.repo.ts';
import { insightsRoutes } from './insights.routes.ts';
import { createInsightsService, type InsightsService } from './insights.service.ts';

export interface InsightsFeature extends Feature {
  readonly service: InsightsService;
}

/** What readings mean: leaks, tanks that run empty, soil that dries. */
export function createInsightsFeature({ db }: Core, settings: SettingsService): InsightsFeature {
  const service = createInsightsService(createInsightsRepo(db));
  return { service, routes: (mount) => insightsRoutes(mount, service, settings) };
}

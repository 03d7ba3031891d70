import type { Core, Feature } from '../../feature.ts';
import { createWateringsRepo } from './waterings.repo.ts';
import { wateringsRoutes } from './waterings.routes.ts';
import { createWateringsService, type WateringsService } from './waterings.service.ts';

export interface WateringsFeature extends Feature {
  readonly service: WateringsService;
}

/** When each valve was open. */
export function createWateringsFeature({ db }: Core): WateringsFeature {
  const service = createWateringsService(createWateringsRepo(db));
  return { service, routes: (mount) => wateringsRoutes(mount, service) };
}

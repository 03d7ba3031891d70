import type { Core, Feature } from '../../feature.ts';
import { createWateringsRepo } from './waterings.repo.ts';
import { wateringsRoutes } from './waterings.routes.ts';
import { createWateringsService } from './waterings.service.ts';

/** When each valve was open. */
export function createWateringsFeature({ db }: Core): Feature {
  const service = createWateringsService(createWateringsRepo(db));
  return { routes: (mount) => wateringsRoutes(mount, service) };
}

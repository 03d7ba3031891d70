import type { Core, Feature } from '../../feature.ts';
import type { DevicesFeature } from '../devices/devices.feature.ts';
import { createPoisRepo } from './pois.repo.ts';
import { poisRoutes } from './pois.routes.ts';
import { createPoisService } from './pois.service.ts';

/** Points of interest. */
export function createPoisFeature({ db }: Core, { records, far }: DevicesFeature): Feature {
  const service = createPoisService(createPoisRepo(db), records);
  return { routes: (mount) => poisRoutes(mount, service, far) };
}

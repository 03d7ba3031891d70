import type { Core, Feature } from '../../feature.ts';
import type { AccessService } from '../access/access.service.ts';
import { createSearchRepo } from './search.repo.ts';
import { searchRoutes } from './search.routes.ts';
import { createSearchService } from './search.service.ts';

/** Finds devices by name, serial number or MAC. */
export function createSearchFeature({ db }: Core, access: AccessService): Feature {
  const service = createSearchService(createSearchRepo(db), access);
  return { routes: (mount) => searchRoutes(mount, service) };
}

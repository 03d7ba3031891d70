import type { Core, Feature } from '../../feature.ts';
import { createGroupsRepo } from './groups.repo.ts';
import { groupsRoutes } from './groups.routes.ts';
import { createGroupsService } from './groups.service.ts';

/** Sprinklers that water together. */
export function createGroupsFeature({ db }: Core): Feature {
  const service = createGroupsService(createGroupsRepo(db));
  return { routes: (mount) => groupsRoutes(mount, service) };
}

import type { Core, Feature } from '../../feature.ts';
import { createGroupsRepo } from './groups.repo.ts';
import { groupsRoutes } from './groups.routes.ts';
import { createGroupsService, type GroupsService } from './groups.service.ts';

export interface GroupsFeature extends Feature {
  readonly service: Pick<GroupsService, 'list'>;
}

/** Sprinklers that water together. */
export function createGroupsFeature({ db }: Core): GroupsFeature {
  const service = createGroupsService(createGroupsRepo(db));
  return { service, routes: (mount) => groupsRoutes(mount, service) };
}

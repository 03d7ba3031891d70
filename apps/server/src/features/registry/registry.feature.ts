import type { Core, Feature } from '../../feature.ts';
import type { AccessService } from '../access/access.service.ts';
import { createRegistryRepo } from './registry.repo.ts';
import { registryRoutes } from './registry.routes.ts';
import { createRegistryService, type RegistryService } from './registry.service.ts';

export interface RegistryFeature extends Feature {
  readonly service: RegistryService;
}

/** Which device has a MAC. */
export function createRegistryFeature({ db }: Core, access: AccessService): RegistryFeature {
  const service = createRegistryService(createRegistryRepo(db), access);
  return { service, routes: (mount) => registryRoutes(mount, service) };
}

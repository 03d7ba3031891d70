import type { Core, Feature } from '../../feature.ts';
import type { FarmUnits } from '../irrigation-devices/farm-units.ts';
import { createSprinklerStatusRepo } from './sprinkler-status.repo.ts';
import { sprinklerStatusRoutes } from './sprinkler-status.routes.ts';
import { createSprinklerStatusService, type SprinklerStatusService } from './sprinkler-status.service.ts';

export interface SprinklersFeature extends Feature {
  readonly service: SprinklerStatusService;
}

/** What sprinklers do at present. */
export function createSprinklersFeature({ db }: Core, farmUnits: FarmUnits): SprinklersFeature {
  const service = createSprinklerStatusService(createSprinklerStatusRepo(db, farmUnits));
  return { service, routes: (mount) => sprinklerStatusRoutes(mount, service) };
}

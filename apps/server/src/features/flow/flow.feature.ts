import type { Core, Feature } from '../../feature.ts';
import { createFlowRepo } from './flow.repo.ts';
import { flowRoutes } from './flow.routes.ts';
import { createFlowService, type FlowService } from './flow.service.ts';

export interface FlowFeature extends Feature {
  readonly service: FlowService;
}

/** What flows through meters. */
export function createFlowFeature({ db }: Core): FlowFeature {
  const service = createFlowService(createFlowRepo(db));
  return { service, routes: (mount) => flowRoutes(mount, service) };
}

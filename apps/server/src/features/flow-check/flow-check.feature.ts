import type { Core, Feature } from '../../feature.ts';
import { createFlowCheckService, type FlowCheckParts } from './flow-check.service.ts';
import { flowCheckRoutes } from './flow-check.routes.ts';

/** What flows through the meter against what is open. */
export function createFlowCheckFeature(_core: Core, parts: FlowCheckParts): Feature {
  const service = createFlowCheckService(parts);
  return { routes: (mount) => flowCheckRoutes(mount, service) };
}

import type { Core, Feature } from '../../feature.ts';
import { createFlowCheckService, type FlowCheckParts } from './flow-check.service.ts';
import { flowCheckRoutes } from './flow-check.routes.ts';
import { createPipesService, type PipesParts } from './pipes.service.ts';

/** What flows against what is open: through the meter, and on the pipes of one sprinkler. */
export function createFlowCheckFeature(_core: Core, parts: FlowCheckParts & PipesParts): Feature {
  const service = createFlowCheckService(parts);
  const pipes = createPipesService(parts);
  return { routes: (mount) => flowCheckRoutes(mount, service, pipes) };
}

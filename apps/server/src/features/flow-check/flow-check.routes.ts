import { checkFlow, pipesOfSprinkler } from '@headrace/contract/flow';
import type { Mount } from '../../http/mount.ts';
import type { FlowCheckService } from './flow-check.service.ts';
import type { PipesService } from './pipes.service.ts';

export function flowCheckRoutes(mount: Mount, flow: FlowCheckService, pipes: PipesService): void {
  mount(checkFlow, async ({ farm, now }) => ({ check: await flow.check(farm.farm, now) }));
  mount(pipesOfSprinkler, ({ farm, device, query, now }) => pipes.of(farm.farm, device, query.minutes, now));
}

import { checkFlow } from '@headrace/contract/flow';
import type { Mount } from '../../http/mount.ts';
import type { FlowCheckService } from './flow-check.service.ts';

export function flowCheckRoutes(mount: Mount, flow: FlowCheckService): void {
  mount(checkFlow, async ({ farm, now }) => ({ check: await flow.check(farm.farm, now) }));
}

import { flowHistories, flowSummaries } from '@headrace/contract/flow';
import { flowHistory } from '@headrace/contract/tanks';
import type { Mount } from '../../http/mount.ts';
import type { FlowService } from './flow.service.ts';

export function flowRoutes(mount: Mount, flow: FlowService): void {
  mount(flowSummaries, async ({ farm, now }) => ({ flows: await flow.summaries(farm.farm, now) }));
  mount(flowHistories, async ({ farm, query, now }) => ({
    meters: await flow.histories(farm.farm, query, now),
  }));
  mount(flowHistory, async ({ farm, device, query, now }) => ({
    history: await flow.history(farm.farm, device, query, now),
  }));
}

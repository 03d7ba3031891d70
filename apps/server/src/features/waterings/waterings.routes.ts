import { listRuns } from '@headrace/contract/waterings';
import type { Mount } from '../../http/mount.ts';
import type { WateringsService } from './waterings.service.ts';

export function wateringsRoutes(mount: Mount, waterings: WateringsService): void {
  mount(listRuns, ({ farm, query, now }) => waterings.runs(farm.farm, query, now));
}

import { compareSets, createSet, deleteSet, getSet, listSets } from '@headrace/contract/schedule-sets';
import type { Mount } from '../../http/mount.ts';
import { byOf } from '../devices/replies.ts';
import type { CompareService } from './compare.service.ts';
import { withSmallUids } from './design-checks.ts';
import type { SetsService } from './sets.service.ts';

export function setsRoutes(mount: Mount, sets: SetsService, compare: CompareService): void {
  mount(listSets, ({ farm }) => sets.list(farm.farm));
  mount(getSet, ({ farm, query }) => sets.get(farm.farm, query.setUID));
  mount(createSet, (call) => sets.create(call.farm.farm, withSmallUids(call.body), byOf(call)));
  mount(deleteSet, (call) => sets.remove(call.farm.farm, call.query.setUID, byOf(call)));
  mount(compareSets, ({ farm, query }) => compare.compare(farm.farm, query));
}

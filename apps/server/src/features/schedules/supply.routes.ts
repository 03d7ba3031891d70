import { groupTakes } from '@headrace/contract/restriction';
import { getSupply, putSupply } from '@headrace/contract/supply';
import type { Mount } from '../../http/mount.ts';
import { byOf } from '../devices/replies.ts';
import type { SupplyService } from './supply.service.ts';
import type { TakesService } from './takes.service.ts';

export function supplyRoutes(mount: Mount, supply: SupplyService, takes: TakesService): void {
  mount(groupTakes, ({ farm }) => takes.of(farm.farm));
  mount(getSupply, ({ farm }) => supply.of(farm.farm));
  mount(putSupply, (call) => supply.put(call.farm.farm, call.body, byOf(call)));
}

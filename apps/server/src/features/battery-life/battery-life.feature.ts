import { repeaterBatteryLife, sprinklerBatteryLife } from '@headrace/contract/battery-life';
import type { Core, Feature } from '../../feature.ts';
import { unitLimits } from '../gateways/unit-limits.ts';
import { readGatewayLimits } from '../gateways/unit-limits.repo.ts';
import { createBatteryLifeRepo } from './battery-life.repo.ts';
import { type BatteryLifeService, createBatteryLifeService } from './battery-life.service.ts';

export interface BatteryLifeFeature extends Feature {
  readonly service: BatteryLifeService;
}

/** How the batteries of sprinklers and repeaters fared. */
export function createBatteryLifeFeature({ db }: Core): BatteryLifeFeature {
  const service = createBatteryLifeService(createBatteryLifeRepo(db), async (farmId) =>
    unitLimits(await readGatewayLimits(db, farmId)),
  );
  const { of } = service;
  return {
    service,
    routes: (mount) => {
      mount(sprinklerBatteryLife, ({ farm, device, query, now }) =>
        of(farm.farm, device, 'sprinkler', query, now),
      );
      mount(repeaterBatteryLife, ({ farm, device, query, now }) =>
        of(farm.farm, device, 'repeater', query, now),
      );
    },
  };
}

import { repeaterBatteryLife, sprinklerBatteryLife } from '@headrace/contract/battery-life';
import type { Core, Feature } from '../../feature.ts';
import type { SprinklerStatusService } from '../sprinklers/sprinkler-status.service.ts';
import { createBatteryLifeRepo } from './battery-life.repo.ts';
import { createBatteryLifeService } from './battery-life.service.ts';

/** How the batteries of sprinklers and repeaters fared. */
export function createBatteryLifeFeature(
  { db }: Core,
  sprinklers: Pick<SprinklerStatusService, 'limits'>,
): Feature {
  const { of } = createBatteryLifeService(createBatteryLifeRepo(db), sprinklers.limits);
  return {
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

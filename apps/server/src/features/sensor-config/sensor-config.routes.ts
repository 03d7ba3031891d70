import { createConfigUpdate, deleteConfigUpdate } from '@headrace/contract/sensors';
import type { Mount } from '../../http/mount.ts';
import { success } from '../devices/replies.ts';
import type { SensorConfigService } from './sensor-config.service.ts';

export function sensorConfigRoutes(mount: Mount, configs: SensorConfigService): void {
  mount(createConfigUpdate, async ({ farm, device, body, now }) => ({
    success: true,
    configId: await configs.create(farm.farm, device, body, now),
  }));
  mount(deleteConfigUpdate, async ({ farm, device, query, now }) => {
    await configs.withdraw(farm.farm, device, query.configId, now);
    return success;
  });
}

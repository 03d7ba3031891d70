import { createSensor, deleteSensor } from '@headrace/contract/sensors';
import type { Mount } from '../../http/mount.ts';
import type { SensorsService } from './sensors.service.ts';

export function sensorsRoutes(mount: Mount, sensors: SensorsService): void {
  mount(createSensor, ({ farm, body, now }) => sensors.create(farm.farmId, body, now));
  mount(deleteSensor, async ({ device, now }) => {
    await sensors.remove(device, now);
    return { success: true };
  });
}

import * as api from '@headrace/contract/soil-moisture';
import type { Mount } from '../../http/mount.ts';
import { success } from '../devices/replies.ts';
import type { createAddReading } from './add-reading.ts';
import type { SoilMoistureService } from './soil-moisture.service.ts';

export function soilMoistureRoutes(
  mount: Mount,
  soil: SoilMoistureService,
  add: ReturnType<typeof createAddReading>,
): void {
  mount(api.soilSites, async ({ farm, now }) => ({ sites: await soil.sites(farm.farm, now) }));
  mount(api.soilMoisture, ({ farm, device, query, now }) => soil.readings(farm.farm, device, query, now));
  mount(api.addSoilReading, async ({ query, body, now }) => {
    await add({ ...query, ...body }, now);
    return success;
  });
}

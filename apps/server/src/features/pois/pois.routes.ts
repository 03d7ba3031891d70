import * as api from '@headrace/contract/pois';
import type { Mount } from '../../http/mount.ts';
import { byOf, success } from '../devices/replies.ts';
import type { Conversions } from './conversions.ts';
import type { PoisService } from './pois.service.ts';

export function poisRoutes(mount: Mount, pois: PoisService, conversions: Conversions): void {
  mount(api.listPois, async ({ farm }) => ({ pois: await pois.list(farm.farm) }));
  mount(api.getPoi, ({ farm, device }) => pois.get(farm.farm, device));
  mount(api.createPoi, (call) => pois.create(call.farm.farmId, call.body, byOf(call)));
  mount(api.updatePoi, (call) => pois.update(call.farm.farm, call.device, call.body, byOf(call)));
  mount(api.deletePoi, async (call) => {
    await pois.remove(call.device, byOf(call));
    return success;
  });
  mount(api.convertPoiToIpc, async (call) => ({
    ipc: await conversions.poiToUnit(call.farm.farm, call.device, call.body, byOf(call)),
  }));
  mount(api.convertPoiToSensor, async (call) => ({
    sensor: await conversions.poiToSensor(call.farm.farm, call.device, call.body, byOf(call)),
  }));
}

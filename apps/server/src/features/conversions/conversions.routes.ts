import { convertToPoi } from '@headrace/contract/irrigation-devices';
import { convertPoiToIpc, convertPoiToSensor } from '@headrace/contract/pois';
import type { Mount } from '../../http/mount.ts';
import { byOf } from '../devices/replies.ts';
import type { Conversions } from './conversions.ts';

export function conversionsRoutes(mount: Mount, conversions: Conversions): void {
  mount(convertToPoi, async (call) => ({
    name: await conversions.unitToPoi(call.farm.farm, call.device, byOf(call)),
  }));
  mount(convertPoiToIpc, async (call) => ({
    ipc: await conversions.poiToUnit(call.farm.farm, call.device, call.body, byOf(call)),
  }));
  mount(convertPoiToSensor, async (call) => ({
    sensor: await conversions.poiToSensor(call.farm.farm, call.device, call.body, byOf(call)),
  }));
}

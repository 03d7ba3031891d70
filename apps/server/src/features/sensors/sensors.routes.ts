import * as api from '@headrace/contract/sensors';
import type { Mount } from '../../http/mount.ts';
import type { FarPlaces } from '../devices/far-places.ts';
import { byOf, success } from '../devices/replies.ts';
import type { SensorMonitorService } from './sensor-monitor.service.ts';
import type { SensorsService } from './sensors.service.ts';

export function sensorsRoutes(
  mount: Mount,
  sensors: SensorsService,
  monitor: SensorMonitorService,
  far: FarPlaces,
): void {
  mount(api.sensorDevices, ({ farm, now }) => sensors.list(farm.farm, now));
  mount(api.sensorList, async ({ farm, query }) => ({ sensors: await sensors.find(farm.farmId, query) }));
  mount(api.getSensor, ({ farm, device, now }) => sensors.get(farm.farm, device, now));
  mount(api.createSensor, (call) =>
    far.tell(call.farm.farm, call.body, null, () => sensors.create(call.farm.farmId, call.body, byOf(call))),
  );
  mount(api.updateSensor, (call) =>
    far.tell(call.farm.farm, call.body, call.device, () =>
      sensors.update(call.farm.farm, call.device, call.body, byOf(call)),
    ),
  );
  mount(api.updateSensorSettings, async (call) => {
    await sensors.updateSettings(call.device, call.body.settings, byOf(call));
    return success;
  });
  mount(api.monitorSensor, ({ device, now }) => monitor.monitor(device, now));
  mount(api.sensorHistory, ({ farm, device, query, now }) => monitor.history(farm.farm, device, query, now));
  mount(api.deleteSensor, async (call) => {
    const batchId = await sensors.remove(call.device, byOf(call));
    return { ...success, batchId };
  });
}

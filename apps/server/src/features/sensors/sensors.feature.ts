import type { Core, Feature } from '../../feature.ts';
import type { DevicesFeature } from '../devices/devices.feature.ts';
import type { FlowService } from '../flow/flow.service.ts';
import { createSensorMonitorRepo } from './sensor-monitor.repo.ts';
import { createSensorMonitor } from './sensor-monitor.service.ts';
import { createSensorsRepo } from './sensors.repo.ts';
import { sensorsRoutes } from './sensors.routes.ts';
import { createSensorsService, type SensorsService } from './sensors.service.ts';

export interface SensorsFeature extends Feature {
  readonly service: SensorsService;
}

/** Records of sensors, and how each does. */
export function createSensorsFeature(
  { db }: Core,
  { records, far }: DevicesFeature,
  flow: FlowService,
): SensorsFeature {
  const service = createSensorsService(db, createSensorsRepo(db), records);
  const monitor = createSensorMonitor(createSensorMonitorRepo(db), flow);
  return { service, routes: (mount) => sensorsRoutes(mount, service, monitor, far) };
}

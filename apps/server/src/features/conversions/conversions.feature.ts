import type { Core, Feature } from '../../feature.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import type { IrrigationDevicesService } from '../irrigation-devices/irrigation-devices.service.ts';
import type { SensorsService } from '../sensors/sensors.service.ts';
import { createConversions } from './conversions.ts';
import { conversionsRoutes } from './conversions.routes.ts';

/** A sprinkler becomes a point of interest, and the other way round. */
export function createConversionsFeature(
  { db }: Core,
  needs: { records: DeviceRecords; units: IrrigationDevicesService; sensors: SensorsService },
): Feature {
  const conversions = createConversions(db, needs.records, needs.units, needs.sensors);
  return { routes: (mount) => conversionsRoutes(mount, conversions) };
}

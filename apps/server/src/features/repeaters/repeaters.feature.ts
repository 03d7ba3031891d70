import type { Core, Feature } from '../../feature.ts';
import type { DevicesFeature } from '../devices/devices.feature.ts';
import type { IrrigationDevicesFeature } from '../irrigation-devices/irrigation-devices.feature.ts';
import { createRepeatersRepo } from './repeaters.repo.ts';
import { repeatersRoutes } from './repeaters.routes.ts';
import { createRepeatersService } from './repeaters.service.ts';

/** Repeaters between gateways and sprinklers. */
export function createRepeatersFeature(
  { db }: Core,
  { records, far }: DevicesFeature,
  { farmUnits, flags }: IrrigationDevicesFeature,
): Feature {
  const service = createRepeatersService(db, createRepeatersRepo(db), records, farmUnits);
  return { routes: (mount) => repeatersRoutes(mount, service, flags, far) };
}

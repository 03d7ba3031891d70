import type { Core, Feature } from '../../feature.ts';
import type { DevicesFeature } from '../devices/devices.feature.ts';
import { createLocations } from '../devices/locations.ts';
import type { RegistryService } from '../registry/registry.service.ts';
import { createBulkUnits } from './bulk-units.ts';
import { createFarmUnits, type FarmUnits } from './farm-units.ts';
import { irrigationDevicesRoutes } from './irrigation-devices.routes.ts';
import {
  createIrrigationDevicesService,
  type IrrigationDevicesService,
} from './irrigation-devices.service.ts';
import { createUnitFlags, type UnitFlags } from './unit-flags.ts';
import { createUnitsRepo } from './units.repo.ts';

export interface IrrigationDevicesFeature extends Feature {
  readonly units: IrrigationDevicesService;
  readonly flags: UnitFlags;
  readonly farmUnits: FarmUnits;
}

/** Records of sprinklers and their units. */
export function createIrrigationDevicesFeature(
  { db }: Core,
  { records, far }: DevicesFeature,
  registry: RegistryService,
): IrrigationDevicesFeature {
  const farmUnits = createFarmUnits(db);
  const repo = createUnitsRepo(db, farmUnits);
  const units = createIrrigationDevicesService(db, repo, records);
  const flags = createUnitFlags(records);
  const bulk = createBulkUnits(db, repo, records, registry);
  const locations = createLocations(db, records);
  return {
    units,
    flags,
    farmUnits,
    routes: (mount) => irrigationDevicesRoutes(mount, { units, bulk, flags, locations, far }),
  };
}

import type { Core, Feature } from '../../feature.ts';
import { createDeviceRecords, type DeviceRecords, type RecordEffects } from './device-records.ts';
import { createFarPlaces, type FarPlaces } from './far-places.ts';
import { createMoves } from './moves.ts';
import { movesRoutes } from './moves.routes.ts';

export interface DevicesFeature extends Feature {
  readonly records: DeviceRecords;
  readonly far: FarPlaces;
}

/** The one way in which people change records of devices; `devicesChanged` also hears of it, and `backUp` keeps the farm before much is lost. */
export function createDevicesFeature(
  core: Core,
  { devicesChanged }: { devicesChanged: (farmId: number) => Promise<unknown> },
  backUp: RecordEffects['backUp'],
): DevicesFeature {
  const records = createDeviceRecords(core.db, {
    onDevicesChanged(farmId) {
      core.onDevicesChanged(farmId);
      void devicesChanged(farmId);
    },
    backUp,
  });
  const moves = createMoves(records);
  return { records, far: createFarPlaces(core.db), routes: (mount) => movesRoutes(mount, moves) };
}

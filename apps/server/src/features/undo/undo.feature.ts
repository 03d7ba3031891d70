import type { Feature } from '../../feature.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import type { GatewaysService } from '../gateways/gateways.service.ts';
import { undoRoutes } from './undo.routes.ts';
import { createUndoService } from './undo.service.ts';

/** Takes back what somebody changed. */
export function createUndoFeature(records: DeviceRecords, gateways: GatewaysService): Feature {
  const service = createUndoService(records, gateways);
  return { routes: (mount) => undoRoutes(mount, service) };
}

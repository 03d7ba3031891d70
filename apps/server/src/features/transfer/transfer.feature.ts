import type { Core, Feature } from '../../feature.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import type { RegistryService } from '../registry/registry.service.ts';
import type { SchedulesService } from '../schedules/schedules.service.ts';
import { createExportsService } from './exports.service.ts';
import { createFarmContentRepo } from './farm-content.repo.ts';
import { createImportsService } from './imports.service.ts';
import { transferRoutes } from './transfer.routes.ts';

interface Uses {
  readonly schedules: SchedulesService;
  readonly records: DeviceRecords;
  readonly registry: RegistryService;
}

/** A farm's configuration as files, out and in. */
export function createTransferFeature({ db }: Core, { schedules, records, registry }: Uses): Feature {
  const content = createFarmContentRepo(db);
  const exports = createExportsService(content, schedules);
  const imports = createImportsService(content, records, registry);
  return { routes: (mount) => transferRoutes(mount, exports, imports) };
}

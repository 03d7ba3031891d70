import type { Core, Feature } from '../../feature.ts';
import type { SchedulesService } from '../schedules/schedules.service.ts';
import { createExportsService } from './exports.service.ts';
import { exportsRoutes } from './exports.routes.ts';
import { createFarmContentRepo } from './farm-content.repo.ts';

/** A farm's configuration as files. */
export function createTransferFeature({ db }: Core, schedules: SchedulesService): Feature {
  const exports = createExportsService(createFarmContentRepo(db), schedules);
  return { routes: (mount) => exportsRoutes(mount, exports) };
}

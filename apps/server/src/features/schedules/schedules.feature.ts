import type { Core, Feature } from '../../feature.ts';
import { createScheduleSets } from './schedule-sets.ts';
import { createSchedulesRepo } from './schedules.repo.ts';
import { schedulesRoutes } from './schedules.routes.ts';
import { createSchedulesService } from './schedules.service.ts';

/** What sprinklers are to water, in sets that are stored and sent. */
export function createSchedulesFeature({ db }: Core): Feature {
  const service = createSchedulesService(createScheduleSets(db), createSchedulesRepo(db));
  return { routes: (mount) => schedulesRoutes(mount, service) };
}

import type { Core, Feature } from '../../feature.ts';
import { createHealthRepo } from './health.repo.ts';
import { healthRoutes } from './health.routes.ts';
import { createHealthService, type HealthService, type UnitSource } from './health.service.ts';
import { snapshotFarms } from './snapshot-job.ts';

const EACH_5_MINUTES = 5 * 60_000;

export interface HealthFeature extends Feature {
  readonly service: HealthService;
}

/** How a farm's sprinklers are on the whole, and were at the end of each day. */
export function createHealthFeature({ db, ofJobs, now }: Core, sprinklers: UnitSource): HealthFeature {
  const service = createHealthService(createHealthRepo(db), sprinklers);
  return {
    service,
    routes: (mount) => healthRoutes(mount, service),
    jobs: [
      {
        name: 'sprinkler health',
        everyMs: EACH_5_MINUTES,
        run: () => snapshotFarms(ofJobs.db, now(), sprinklers.units),
      },
    ],
  };
}

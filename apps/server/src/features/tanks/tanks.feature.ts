import type { Core, Feature } from '../../feature.ts';
import { EACH_MINUTE } from '../../jobs/rhythm.ts';
import { countLevelDays } from './count-level-days.ts';
import { createTanksRepo } from './tanks.repo.ts';
import { tankRoutes } from './tanks.routes.ts';
import { createTanksService, type TanksService } from './tanks.service.ts';

export interface TanksFeature extends Feature {
  readonly service: TanksService;
}

/** Levels of tanks, and what is used of them. */
export function createTanksFeature({ db, ofJobs, now }: Core): TanksFeature {
  const service = createTanksService(createTanksRepo(db));
  return {
    service,
    routes: (mount) => tankRoutes(mount, service),
    // Of days that are over.
    jobs: [{ name: 'use of tanks', everyMs: EACH_MINUTE, run: () => countLevelDays(ofJobs.db, now()) }],
  };
}

import type { Core, Feature } from '../../feature.ts';
import { EACH_HOUR } from '../../jobs/rhythm.ts';
import type { LongJobType } from './long-job-type.ts';
import { createLongJobsRepo } from './long-jobs.repo.ts';
import { longJobsRoutes } from './long-jobs.routes.ts';
import { createLongJobsService } from './long-jobs.service.ts';

/** Work that takes longer than a call; `types` are those of all features. */
export function createLongJobsFeature(
  { db, ofJobs, now }: Core,
  types: () => readonly LongJobType[],
): Feature {
  const service = createLongJobsService(db, types);
  return {
    routes: (mount) => longJobsRoutes(mount, service),
    jobs: [
      { name: 'ended long jobs', everyMs: EACH_HOUR, run: () => createLongJobsRepo(ofJobs.db).purge(now()) },
    ],
  };
}

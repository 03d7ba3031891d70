import type { Core, Feature } from '../../feature.ts';
import { EACH_HOUR } from '../../jobs/rhythm.ts';
import { createDeadLettersRepo, purgeDeadLetters } from './dead-letters.repo.ts';
import { deadLettersRoutes } from './dead-letters.routes.ts';
import { createDeadLettersService } from './dead-letters.service.ts';
import type { TakeAgain } from './replay.ts';
import { takeAgainJob } from './take-again-job.ts';

/** Messages of devices that were not taken. */
export function createDeadLettersFeature({ db, ofJobs, now }: Core, takeAgain: TakeAgain): Feature {
  const service = createDeadLettersService(createDeadLettersRepo(db), takeAgain);
  const ofJobsRepo = createDeadLettersRepo(ofJobs.db);
  return {
    routes: (mount) => deadLettersRoutes(mount, service),
    jobs: [{ name: 'dead letters', everyMs: EACH_HOUR, run: () => purgeDeadLetters(ofJobs.db, now()) }],
    longJobs: [takeAgainJob(ofJobsRepo, takeAgain)],
  };
}

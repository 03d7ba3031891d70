import type { Core, Feature } from '../../feature.ts';
import { EACH_HOUR } from '../../jobs/rhythm.ts';
import { forgetBatches } from './change-batch.ts';
import { createChangesRepo } from './changes.repo.ts';
import { changesRoutes } from './changes.routes.ts';
import { createChangesService } from './changes.service.ts';

/** Who changed what on a farm. */
export function createChangesFeature({ db, ofJobs, now }: Core): Feature {
  const service = createChangesService(createChangesRepo(db));
  return {
    routes: (mount) => changesRoutes(mount, service),
    // What can't be undone any more.
    jobs: [{ name: 'undo', everyMs: EACH_HOUR, run: () => forgetBatches(ofJobs.db, now()) }],
  };
}

import type { Core, Feature } from '../../feature.ts';
import type { CommandsService } from '../commands/commands.service.ts';
import { createHoldsRepo } from './holds.repo.ts';
import { holdsRoutes } from './holds.routes.ts';
import { createHoldsService } from './holds.service.ts';

const EACH_10_SECONDS = 10_000;

/** Paddocks in which nothing may water until a time. */
export function createHoldsFeature({ db, ofJobs, now }: Core, commands: CommandsService): Feature {
  const service = createHoldsService(createHoldsRepo(db), commands);
  const ofJob = createHoldsService(createHoldsRepo(ofJobs.db), commands);
  return {
    routes: (mount) => holdsRoutes(mount, service),
    jobs: [{ name: 'paddock holds', everyMs: EACH_10_SECONDS, run: () => ofJob.endDue(now()) }],
  };
}

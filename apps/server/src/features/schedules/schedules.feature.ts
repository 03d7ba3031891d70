import type { Db } from '../../db/client.ts';
import type { Core, Feature } from '../../feature.ts';
import type { AccessGate } from '../../http/access-gate.ts';
import { EACH_HOUR } from '../../jobs/rhythm.ts';
import { createCompareRepo } from './compare.repo.ts';
import { createCompareService } from './compare.service.ts';
import { createScheduleSets, type ScheduleSets } from './schedule-sets.ts';
import { createSchedulesRepo } from './schedules.repo.ts';
import { schedulesRoutes } from './schedules.routes.ts';
import { createSchedulesService, type SchedulesService } from './schedules.service.ts';
import { createSetProgrammes, type SetProgrammesReader } from './set-programmes.ts';
import { createSupplyRepo } from './supply.repo.ts';
import { supplyRoutes } from './supply.routes.ts';
import { createSupplyService, type SupplyService } from './supply.service.ts';
import { createSupplyCheck } from './supply-check.ts';
import { createTakesRepo } from './takes.repo.ts';
import { createTakesService } from './takes.service.ts';
import { createSetsRepo } from './sets.repo.ts';
import { setsRoutes } from './sets.routes.ts';
import { createSetsService } from './sets.service.ts';
import { createTemplatesRepo } from './templates.repo.ts';
import { templatesRoutes } from './templates.routes.ts';
import { createTemplatesService, type TemplatesService } from './templates.service.ts';

export interface SchedulesFeature extends Feature {
  readonly sets: ScheduleSets;
  readonly programmesOf: SetProgrammesReader;
  readonly service: SchedulesService;
  readonly templates: TemplatesService;
  readonly supply: SupplyService;
  readonly beyondSupply: ReturnType<typeof createSupplyCheck>;
}

/** What sprinklers are to water: designed in templates, and in sets that are stored and sent. */
export function createSchedulesFeature(
  { db, ofJobs, now }: Core,
  access: Pick<AccessGate, 'farmByTemplate'>,
): SchedulesFeature {
  const stored = createScheduleSets(db);
  const service = schedulesOn(db);
  const templates = createTemplatesService(createTemplatesRepo(db));
  const supply = createSupplyService(createSupplyRepo(db));
  const sets = setsOn(db, templates, supply);
  const compare = createCompareService(createSetsRepo(db), createCompareRepo(db));
  const ofJob = createTemplatesService(createTemplatesRepo(ofJobs.db));
  const setsOfJob = setsOn(ofJobs.db, ofJob, supply);
  return {
    sets: stored,
    programmesOf: createSetProgrammes(db),
    service,
    templates,
    supply,
    beyondSupply: createSupplyCheck(db, templates, supply),
    routes: (mount) => {
      schedulesRoutes(mount, service);
      setsRoutes(mount, sets, compare);
      templatesRoutes(mount, templates, access);
      supplyRoutes(mount, supply, createTakesService(createTakesRepo(db)));
    },
    // What can't be restored any more.
    jobs: [
      { name: 'schedule templates', everyMs: EACH_HOUR, run: () => ofJob.forget(now()) },
      { name: 'schedule sets', everyMs: EACH_HOUR, run: () => setsOfJob.forget(now()) },
    ],
  };
}

/** Schedules as a transaction sees them. */
export const schedulesOn = (db: Db): SchedulesService =>
  createSchedulesService(createScheduleSets(db), createSchedulesRepo(db));

function setsOn(db: Db, templates: TemplatesService, supply: SupplyService) {
  const repos = {
    sets: createSetsRepo(db),
    schedules: createSchedulesRepo(db),
    templates: createTemplatesRepo(db),
  };
  return createSetsService(db, repos, templates, supply);
}

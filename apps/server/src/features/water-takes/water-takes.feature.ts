import type { Core, Feature } from '../../feature.ts';
import { readGaps } from '../device-connections/listening.ts';
import { readTakeVolumes } from './take-volumes.ts';
import { createTakesRepo } from './takes.repo.ts';
import { waterTakesRoutes } from './water-takes.routes.ts';
import { createWaterTakesService } from './water-takes.service.ts';

/** Consents to take water, and the evidence of what was taken. */
export function createWaterTakesFeature({ db }: Core): Feature {
  const service = createWaterTakesService({
    repo: createTakesRepo(db),
    volumes: (farmId, take, range, now) => readTakeVolumes(db, farmId, take, range, now),
    outages: (now) => readGaps(db, now),
  });
  return { routes: (mount) => waterTakesRoutes(mount, service) };
}

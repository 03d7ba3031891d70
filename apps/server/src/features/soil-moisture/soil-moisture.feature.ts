import type { Core, Feature } from '../../feature.ts';
import { liveStatusEvent } from '../readings/live-status-event.ts';
import { createAddReading } from './add-reading.ts';
import { createSoilMoistureRepo } from './soil-moisture.repo.ts';
import { soilMoistureRoutes } from './soil-moisture.routes.ts';
import { createSoilMoistureService, type SoilMoistureService } from './soil-moisture.service.ts';

export interface SoilMoistureFeature extends Feature {
  readonly service: SoilMoistureService;
}

/** Sites of soil moisture. Readings older than `rawRetentionDays` are refused; as many days as usual unless said. */
export function createSoilMoistureFeature(
  { db, pool, live }: Core,
  { rawRetentionDays }: { rawRetentionDays?: number },
): SoilMoistureFeature {
  const repo = createSoilMoistureRepo(db);
  const service = createSoilMoistureService(repo);
  const addReading = createAddReading(repo, {
    pool,
    ...(rawRetentionDays && { retentionDays: rawRetentionDays }),
    onCommitted: (events) => live.publish(events.map(liveStatusEvent)),
  });
  return { service, routes: (mount) => soilMoistureRoutes(mount, service, addReading) };
}

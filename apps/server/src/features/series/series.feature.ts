import type { Core, Feature } from '../../feature.ts';
import { createSeriesRepo } from './series.repo.ts';
import { seriesRoutes } from './series.routes.ts';
import { createSeriesService, type SeriesService } from './series.service.ts';

export interface SeriesFeature extends Feature {
  readonly service: SeriesService;
}

/** Everything that a sensor has reported, by metric. */
export function createSeriesFeature({ db }: Core): SeriesFeature {
  const service = createSeriesService(createSeriesRepo(db));
  return { service, routes: (mount) => seriesRoutes(mount, service) };
}

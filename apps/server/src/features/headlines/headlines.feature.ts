import type { Feature } from '../../feature.ts';
import { headlinesRoutes } from './headlines.routes.ts';
import { createHeadlinesService, type HeadlineSources } from './headlines.service.ts';

type Needs = { readonly [Name in keyof HeadlineSources]: { readonly service: HeadlineSources[Name] } };

/** One fact of a farm each, large, above its dashboard. */
export function createHeadlinesFeature({ soil, tanks, flow, weather, gatewayIo, series }: Needs): Feature {
  const service = createHeadlinesService({
    soil: soil.service,
    tanks: tanks.service,
    flow: flow.service,
    weather: weather.service,
    gatewayIo: gatewayIo.service,
    series: series.service,
  });
  return { routes: (mount) => headlinesRoutes(mount, service) };
}

import type { Core, Feature } from '../../feature.ts';
import type { WeatherDriver } from './weather-driver.ts';
import { weatherRoutes } from './weather.routes.ts';
import { createWeatherService, type WeatherService } from './weather.service.ts';

export interface WeatherFeature extends Feature {
  readonly service: WeatherService;
}

/** Rain forecasts; without a driver there are none. */
export function createWeatherFeature({ log }: Core, driver: WeatherDriver | null = null): WeatherFeature {
  const service = createWeatherService({ driver, log });
  return { service, routes: (mount) => weatherRoutes(mount, service) };
}

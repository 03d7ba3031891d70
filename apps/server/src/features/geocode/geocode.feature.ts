import type { Core, Feature } from '../../feature.ts';
import type { SettingsFeature } from '../settings/settings.feature.ts';
import { geocodeRoutes } from './geocode.routes.ts';
import { createGeocodeService } from './geocode.service.ts';
import type { GeocoderSettings } from './geocoder.ts';

/** Addresses while they are typed: of the operator's geocoder, without one of our own gazetteer. */
export function createGeocodeFeature(
  { log }: Core,
  { operatorSettings }: SettingsFeature,
  geocoder: GeocoderSettings | null = null,
): Feature {
  const countries = async () => (await operatorSettings()).enabledCountryCodes;
  const service = createGeocodeService({ geocoder, countries, log });
  return { routes: (mount) => geocodeRoutes(mount, service) };
}

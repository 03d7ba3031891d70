import type { Address, AddressSuggestion } from '@headrace/contract/farms';
import { createAjv } from '../../create-ajv.ts';

/**
 * GeoJSON as geocoders answer it: Mapbox v5 (`place_name`, `context`), Photon (flat properties), Nominatim (`address`, or
 * `geocoding` in its geocodejson) and LINZ (`full_address`, `town_city`). Anything else of a feature isn't read.
 */
interface Feature {
  readonly geometry: { readonly coordinates: readonly [number, number] };
  readonly properties?: Readonly<Record<string, unknown>> | null;
  readonly context?: readonly {
    readonly id: string;
    readonly text?: unknown;
    readonly short_code?: string;
  }[];
}

const ajv = createAjv({ strict: false });
const isCollection = ajv.compile<{ features: unknown[] }>({
  type: 'object',
  required: ['type', 'features'],
  properties: { type: { const: 'FeatureCollection' }, features: { type: 'array', maxItems: 200 } },
});
const isFeature = ajv.compile<Feature>({
  type: 'object',
  required: ['geometry'],
  properties: {
    geometry: {
      type: 'object',
      required: ['type', 'coordinates'],
      properties: {
        type: { const: 'Point' },
        coordinates: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 3 },
      },
    },
    properties: { type: ['object', 'null'] },
    context: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'string' }, short_code: { type: 'string' } },
      },
    },
  },
});
const MAX_SUGGESTIONS = 8;

/** Where an answer doesn't name a country, its place has to be in one of these: [west, south, east, north], degrees. */
const countryBoxes: Readonly<Record<string, readonly (readonly [number, number, number, number])[]>> = {
  nz: [
    [165, -53, 180, -28],
    [-180, -53, -175, -28],
  ],
  au: [
    [112, -45, 155, -9],
    [158, -55, 168.2, -28.5],
  ],
};

/** Places in the enabled countries, as they were answered. Throws when the answer is no FeatureCollection. */
export function readFeatures(answer: unknown, countries: readonly string[]): AddressSuggestion[] {
  if (!isCollection(answer)) throw new Error('its answer is no GeoJSON FeatureCollection');
  return answer.features
    .flatMap((feature) => (isFeature(feature) ? (toSuggestion(feature, countries) ?? []) : []))
    .slice(0, MAX_SUGGESTIONS);
}

function toSuggestion(feature: Feature, countries: readonly string[]): AddressSuggestion | null {
  const [lng, lat] = feature.geometry.coordinates;
  if (Math.abs(lat) > 90 || Math.abs(lng) > 180) return null;
  const member = reader(feature);
  if (!isEnabled(countryOf(feature, member), lat, lng, countries)) return null;
  const parts = partsOf(member);
  const label =
    member('place_name', 'display_name', 'label', 'full_address') ||
    [...new Set([member('name'), parts.street, parts.suburb, parts.city, parts.country])]
      .filter(Boolean)
      .join(', ');
  return label ? { text: label, address: { fullAddress: label, ...parts }, lat, lng } : null;
}

type Member = (...names: string[]) => string;

/** The first of these members that is there, wherever the provider puts it, as one line of at most 200 characters. */
function reader({ properties, context = [], ...feature }: Feature): Member {
  const own = new Map<string, unknown>();
  const add = (members: object) => {
    for (const [name, value] of Object.entries(members)) if (!own.has(name)) own.set(name, value);
  };
  add(Object.fromEntries(context.map(({ id, text }) => [`context.${id.split('.')[0]}`, text])));
  add(feature);
  add(properties ?? {});
  for (const nested of [properties?.['address'], properties?.['geocoding']])
    if (typeof nested === 'object' && nested !== null) add(nested);
  return (...names) => {
    for (const name of names) {
      const value = own.get(name);
      const line = typeof value === 'string' || typeof value === 'number' ? oneLine(String(value)) : '';
      if (line) return line;
    }
    return '';
  };
}

const oneLine = (value: string) =>
  value
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 200);

function partsOf(member: Member): Omit<Address, 'fullAddress'> {
  const road = member('street', 'road', 'full_road_name', 'road_name') || roadOfMapbox(member);
  const number = road && member('housenumber', 'house_number', 'full_address_number', 'address');
  return {
    street: [number, road].filter(Boolean).join(' '),
    suburb: member('suburb', 'suburb_locality', 'district', 'locality', 'context.locality'),
    city: member('city', 'town', 'town_city', 'village', 'hamlet', 'context.place'),
    zip: member('postcode', 'context.postcode').slice(0, 20),
    country: member('country', 'context.country'),
  };
}

/** Mapbox names a road by the feature's own `text`; with towns that is the town. */
function roadOfMapbox(member: Member): string {
  return member('context.place') && member('place_name') && member('id').startsWith('address')
    ? member('text')
    : '';
}

function countryOf({ context = [] }: Feature, member: Member): string {
  const short = context.find(({ id }) => id.startsWith('country'))?.short_code;
  return (short || member('countrycode', 'country_code')).toLowerCase();
}

function isEnabled(country: string, lat: number, lng: number, countries: readonly string[]): boolean {
  if (country) return countries.includes(country);
  return countries.some((code) =>
    (countryBoxes[code] ?? []).some(
      ([west, south, east, north]) => lng >= west && lng <= east && lat >= south && lat <= north,
    ),
  );
}

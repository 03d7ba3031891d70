import type { AddressSuggestion } from '@headrace/contract/farms';
import data from './generated/gazetteer.json' with { type: 'json' };

const countryNames: Readonly<Record<string, string>> = { nz: 'New Zealand', au: 'Australia' };
const MAX_SUGGESTIONS = 8;
/** Fewer letters begin too many names. */
const MIN_LETTERS = 4;

interface Place {
  readonly name: string;
  readonly region: string;
  readonly country: string;
  readonly lat: number;
  readonly lng: number;
  /** The name, and what may be typed of it: with region and country, or with the country alone. */
  readonly folded: string;
  readonly labels: readonly string[];
}

/** Without case, accents (Taupō) and marks: words and single spaces. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const places: readonly Place[] = data.places.map(([name = '', regionIndex = '', lat = 0, lng = 0]) => {
  const [country = '', region = ''] = data.regions[Number(regionIndex)] ?? [String(regionIndex)];
  const code = country.toLowerCase();
  const countryName = countryNames[code] ?? '';
  return {
    name: String(name),
    region,
    country: code,
    lat: Number(lat) / data.scale,
    lng: Number(lng) / data.scale,
    folded: fold(String(name)),
    labels: [fold(`${name} ${region} ${countryName}`), fold(`${name} ${countryName}`)],
  };
});

/**
 * Places of the enabled countries whose names begin like the text, the largest first. Where none does, the first words are
 * taken for a road: "12 Race Road, Ashburton" finds Ashburton and keeps the road.
 */
export function suggestPlaces(text: string, countries: readonly string[]): AddressSuggestion[] {
  const words = text.split(/[\s,]+/).filter(Boolean);
  for (let skipped = 0; skipped < words.length; skipped += 1) {
    const asked = fold(words.slice(skipped).join(' '));
    if (asked.replace(/ /g, '').length < MIN_LETTERS) return [];
    const found = matches(asked, countries);
    if (found.length > 0) return found.map((place) => toSuggestion(place, words.slice(0, skipped).join(' ')));
  }
  return [];
}

/** In the order of their size, but a name that is the text comes first, and one with a later word like it last. */
function matches(asked: string, countries: readonly string[]): Place[] {
  const ranks: Place[][] = [[], [], []];
  for (const place of places)
    if (countries.includes(place.country)) ranks[rankOf(place, asked) ?? ranks.length]?.push(place);
  return ranks.flat().slice(0, MAX_SUGGESTIONS);
}

function rankOf({ folded, labels }: Place, asked: string): 0 | 1 | 2 | null {
  if (folded === asked) return 0;
  if (labels.some((label) => label.startsWith(asked))) return 1;
  const later = labels.map((label) => label.indexOf(` ${asked}`));
  // The regions alone are no names.
  return later.some((at) => at >= 0 && at < folded.length) ? 2 : null;
}

function toSuggestion({ name, region, country, lat, lng }: Place, street: string): AddressSuggestion {
  const countryName = countryNames[country] ?? '';
  const fullAddress = [street, name, region === name ? '' : region, countryName].filter(Boolean).join(', ');
  return {
    text: fullAddress,
    address: { fullAddress, street, suburb: '', city: name, zip: '', country: countryName },
    lat,
    lng,
  };
}

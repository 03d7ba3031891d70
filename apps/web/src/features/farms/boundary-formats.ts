import { areaSquareMetres } from '@headrace/contract/rules/polygon';
import type { LatLng } from '@headrace/contract/schemas';

/** Outer rings of the polygons in a text, with longitude first as these formats have it. */
interface Shapes {
  readonly format: 'GeoJSON' | 'KML' | 'WKT';
  readonly rings: readonly LatLng[][];
}

export interface LargestRing {
  readonly boundary: LatLng[];
  /** How it was understood: a sentence. */
  readonly note: string;
}

/** The largest polygon of a text in GeoJSON, KML or WKT; null when it is none of these, or holds no polygon. */
export function largestRing(text: string): LargestRing | null {
  const shapes = readShapes(text.trim());
  const [largest] = (shapes?.rings ?? []).toSorted((a, b) => areaSquareMetres(b) - areaSquareMetres(a));
  if (!shapes || !largest) return null;
  const count = shapes.rings.length;
  const which = count > 1 ? ` It holds ${count} polygons: the largest was taken.` : '';
  return { boundary: largest, note: `Read as ${shapes.format}, longitude first.${which}` };
}

function readShapes(text: string): Shapes | null {
  if (/^[{[]/.test(text)) return { format: 'GeoJSON', rings: geoJsonRings(text) };
  if (text.startsWith('<')) return { format: 'KML', rings: kmlRings(text) };
  if (/^(SRID=\d+;)?\s*(MULTI)?POLYGON\b/i.test(text)) return { format: 'WKT', rings: wktRings(text) };
  return null;
}

/** RFC 7946: a feature, several, or a bare geometry; of each polygon the outer ring. */
function geoJsonRings(text: string): LatLng[][] {
  try {
    return ringsIn(JSON.parse(text));
  } catch {
    return [];
  }
}

function ringsIn(value: unknown): LatLng[][] {
  if (Array.isArray(value)) return value.flatMap(ringsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { type, features, geometry, geometries, coordinates } = value as Record<string, unknown>;
  if (type === 'Polygon') return ringOf(coordinates);
  if (type === 'MultiPolygon' && Array.isArray(coordinates)) return coordinates.flatMap(ringOf);
  return [features, geometry, geometries].flatMap(ringsIn);
}

function ringOf(polygon: unknown): LatLng[][] {
  const outer: unknown = Array.isArray(polygon) ? polygon[0] : null;
  if (!Array.isArray(outer)) return [];
  return tidy(outer.map((position: unknown) => (Array.isArray(position) ? position.map(Number) : [])));
}

/**
 * Looked through, not parsed: half a file, a prefix that nobody declared or a bare & in a name keep no corner from being
 * read. The altitude counts for nothing.
 */
function kmlRings(text: string): LatLng[][] {
  const shown = text.replaceAll(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>/g, '');
  const outers = insidesOf('outerBoundaryIs', shown);
  const parts = outers.length > 0 ? outers : [shown];
  return parts.flatMap((part) => insidesOf('coordinates', part)).flatMap((all) => tidy(tuplesOf(all)));
}

/** What stands in the elements of this name, whatever their prefix. */
const insidesOf = (name: string, text: string): string[] =>
  [
    ...text.matchAll(
      new RegExp(`<(?:[\\w.-]+:)?${name}(?:\\s[^>]*)?>([^]*?)</(?:[\\w.-]+:)?${name}\\s*>`, 'gi'),
    ),
  ].map(([, inside = '']) => inside);

/** Numbers with commas between them, and blanks between the places: 171.65,-43.63,0 171.66,-43.63,0. */
const tuplesOf = (text: string): number[][] =>
  text
    .trim()
    .replaceAll(/\s*,\s*/g, ',')
    .split(/\s+/)
    .map((place) => place.split(',').map(Number));

/** The first ring of each polygon is its outer one. */
function wktRings(text: string): LatLng[][] {
  const polygons = text.match(/\(\s*\([^()]*\)(\s*,\s*\([^()]*\))*\s*\)/g) ?? [];
  return polygons.flatMap((polygon) => {
    const outer = /\(([^()]*)\)/.exec(polygon)?.[1] ?? '';
    return tidy(outer.split(',').map((place) => place.trim().split(/\s+/).map(Number)));
  });
}

/** A ring of degrees without its repeated first corner; none where a number is no degree: metres of a map's grid, say. */
function tidy(positions: readonly (readonly number[])[]): LatLng[][] {
  const ring = positions.map(([lng = Number.NaN, lat = Number.NaN]) => ({ lat, lng }));
  const isRing =
    ring.length >= 3 && ring.every(({ lat, lng }) => Math.abs(lat) <= 90 && Math.abs(lng) <= 180);
  return isRing ? [opened(ring)] : [];
}

/** Without a last corner that says the first again. */
export function opened(ring: readonly LatLng[]): LatLng[] {
  const [first, last] = [ring[0], ring.at(-1)];
  const isClosed = ring.length > 3 && first?.lat === last?.lat && first?.lng === last?.lng;
  return isClosed ? ring.slice(0, -1) : [...ring];
}

import { BOUNDARY_POINTS } from '@headrace/contract/rules/polygon';
import type { LatLng } from '@headrace/contract/schemas';
import { readPlace } from '../../map/place-entry.ts';
import { readPair } from '../../map/place-text.ts';
import { largestRing, opened } from './boundary-formats.ts';

/** Seven decimals are a centimetre. */
const DECIMALS = 7;

/** One corner a line: "-43.74, 172.04". */
export const cornersText = (boundary: readonly LatLng[]): string =>
  boundary.map(({ lat, lng }) => `${round(lat)}, ${round(lng)}`).join('\n');

const round = (degrees: number) => Number(degrees.toFixed(DECIMALS));

export type ReadBoundary =
  | { boundary: LatLng[] /** How it was understood, where that isn't plain: a sentence. */; note?: string }
  | { fieldError: string };

/** The corners as typed or pasted, line by line or in a format of maps; or one sentence on the first line that isn't a corner. */
export function readCorners(text: string): ReadBoundary {
  const shape = largestRing(text);
  const read = shape ?? readLines(text);
  return 'boundary' in read && read.boundary.length > BOUNDARY_POINTS.max
    ? { fieldError: `The boundary can have at most ${BOUNDARY_POINTS.max} points.` }
    : read;
}

function readLines(text: string): ReadBoundary {
  if (/^\s*[<{]/.test(text))
    return { fieldError: 'No polygon in degrees of latitude and longitude was found in this.' };
  const boundary: LatLng[] = [];
  let isSwapped = false;
  for (const [index, line] of oneALine(text).entries()) {
    if (line.trim() === '' || (index === 0 && isHeading(line))) continue;
    const { pair, isLngFirst } = withoutHeight(line);
    const corner = readCorner(pair);
    if (!corner) return { fieldError: `Line ${index + 1} isn't a point: enter latitude, longitude.` };
    isSwapped ||= isLngFirst;
    boundary.push(corner);
  }
  return { boundary: opened(boundary), ...(isSwapped && { note: 'Read with longitude first.' }) };
}

/** The inside of KML's coordinates stands in one line, with blanks between the corners. */
function oneALine(text: string): string[] {
  const places = text.trim().split(/\s+/);
  const isTuples = places.length > 1 && places.every((place) => TUPLE.test(place) && place.includes('.'));
  return isTuples ? places : text.split('\n');
}

const NUMBER = '[-−+]?\\d+(?:\\.\\d+)?';
const TUPLE = new RegExp(`^${NUMBER},${NUMBER}(,${NUMBER})?$`);
const TRIPLE = new RegExp(`^\\s*(${NUMBER})\\s*[,;\\t ]\\s*(${NUMBER})\\s*[,;\\t ]\\s*${NUMBER}\\s*$`);

const isHeading = (line: string) => /lat|lon|lng|^\W*[xy]\b/i.test(line) && !/\d/.test(line);

/** Three numbers are a place and its height, as KML writes them: longitude first, unless the size says otherwise. */
function withoutHeight(line: string): { pair: string; isLngFirst: boolean } {
  const [, one = '', other = ''] = TRIPLE.exec(line) ?? [];
  if (one === '') return { pair: line, isLngFirst: false };
  const isLatFirst = Math.abs(Number(other.replace('−', '-'))) > 90;
  return isLatFirst
    ? { pair: `${one}, ${other}`, isLngFirst: false }
    : { pair: `${other}, ${one}`, isLngFirst: true };
}

function readCorner(line: string): LatLng | null {
  const pair = readPair(line);
  const corner = pair && readPlace(pair);
  return corner && Math.abs(corner.lat) <= 90 && Math.abs(corner.lng) <= 180 ? corner : null;
}

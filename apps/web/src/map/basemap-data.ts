import { nextTask } from '../ui/next-task.ts';
import { toWorld } from './geometry.ts';

/** What scripts/build-basemap.mjs writes: whole numbers of 1/scale degrees, rings as [x0, y0, dx, dy, …]. */
export interface BasemapFile {
  scale: number;
  /** Polygons of rings: the coast, then the lakes. */
  land: number[][][];
  /** name, x, y, rank: 0 the largest cities … 5 villages */
  towns: [string, number, number, number][];
}

/** A ring's corners on the projection's unit square, [x, y, x, y, …], and the box around them. */
export interface Ring {
  points: Float64Array;
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
  /** How wide it is on average, km: its area by half its shore. */
  widthKm: number;
}
export interface Town {
  name: string;
  lat: number;
  lng: number;
  rank: number;
}
export interface Basemap {
  /** Polygons by coast; lakes follow their coast. */
  land: Ring[][];
  towns: Town[];
}

function decodeRing(deltas: readonly number[], scale: number): Ring {
  const points = new Float64Array(deltas.length);
  const ring: Ring = { points, minX: 1, minY: 1, maxX: 0, maxY: 0, widthKm: 0 };
  let lng = 0;
  let lat = 0;
  for (let i = 0; i + 1 < deltas.length; i += 2) {
    lng += deltas[i] ?? 0;
    lat += deltas[i + 1] ?? 0;
    const [x, y] = toWorld(lat / scale, lng / scale);
    points[i] = x;
    points[i + 1] = y;
    ring.minX = Math.min(ring.minX, x);
    ring.maxX = Math.max(ring.maxX, x);
    ring.minY = Math.min(ring.minY, y);
    ring.maxY = Math.max(ring.maxY, y);
  }
  ring.widthKm = widthOf(ring) * worldKmAt(lat / scale);
  return ring;
}

/** How many km the whole projection spans at a latitude. */
const worldKmAt = (lat: number) => 40_075 * Math.cos((lat * Math.PI) / 180);

function widthOf({ points }: Ring): number {
  let twiceArea = 0;
  let shore = 0;
  let beforeX = points.at(-2) ?? 0;
  let beforeY = points.at(-1) ?? 0;
  for (let i = 0; i + 1 < points.length; i += 2) {
    const x = points[i] ?? 0;
    const y = points[i + 1] ?? 0;
    twiceArea += beforeX * y - x * beforeY;
    shore += Math.hypot(x - beforeX, y - beforeY);
    beforeX = x;
    beforeY = y;
  }
  return shore === 0 ? 0 : Math.abs(twiceArea) / shore;
}

export function decodeBasemap(file: BasemapFile): Basemap {
  return {
    land: file.land.map((polygon) => polygon.map((ring) => decodeRing(ring, file.scale))),
    towns: file.towns.map(([name, x, y, rank]) => ({ name, lng: x / file.scale, lat: y / file.scale, rank })),
  };
}

/** The files, and the box [west, south, east, north] in which each is needed. */
const FILES = [
  {
    url: '/basemap/nz.json',
    boxes: [
      [164, -54, 180.1, -28],
      [-180, -54, -174, -28],
    ],
  },
  { url: '/basemap/au.json', boxes: [[105, -46, 162, -8]] },
] as const;

const loads = new Map<string, Promise<Basemap | null>>();

async function load(url: string): Promise<Basemap | null> {
  try {
    const response = await fetch(url);
    if (!response.ok) return null;
    const file = (await response.json()) as BasemapFile;
    await nextTask();
    return decodeBasemap(file);
  } catch {
    // A map without its land still shows the farm.
    return null;
  }
}

/** What of the base map a view needs, each part fetched once. A part that fails is asked for again by the next view. */
export function basemapsFor(view: {
  west: number;
  south: number;
  east: number;
  north: number;
}): Promise<Basemap | null>[] {
  return FILES.filter(({ boxes }) =>
    boxes.some(([w, s, e, n]) => view.west < e && view.east > w && view.south < n && view.north > s),
  ).map(({ url }) => {
    let promise = loads.get(url);
    if (!promise) {
      promise = load(url).then((basemap) => {
        if (!basemap) loads.delete(url);
        return basemap;
      });
      loads.set(url, promise);
    }
    return promise;
  });
}

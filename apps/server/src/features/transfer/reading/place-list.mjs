import { nothing } from './content-pieces.mjs';
import { FileFault, count, nameOf } from './file-fault.mjs';
import { projectionOf } from './projections.mjs';

/**
 * @typedef {import('./read-coordinates.mjs').Position} Position
 * @typedef {import('./file-content.ts').FileContent} FileContent
 * @typedef {{ line: number, name: string, kind: string }} Named
 */

/** Points: a farm with 5,000 sprinklers, and as many of all others. `allCorners`: of all outlines of a file. */
const MAX = { points: 10_000, areas: 500, corners: 2000, allCorners: 50_000, refused: 500 };

/** Points and polygons of a map file, as they are found; in degrees when all are there. */
export class PlaceList {
  /** @type {(Named & { serial: string, path: string[], at: string, position: Position })[]} */
  points = [];
  /** @type {(Named & { at: string, ring: Position[], holes: number })[]} */
  areas = [];
  /** @type {{ line: number, name: string, why: string }[]} */
  refused = [];
  /** @type {Set<string>} */
  notes = new Set();
  found = { points: 0, areas: 0, corners: 0, refused: 0 };

  /** @param {Named & { serial: string, path: string[] }} of @param {Position} position @param {string} at what of its line says so */
  point(of, position, at) {
    this.found.points += 1;
    if (this.found.points <= MAX.points) this.points.push({ ...of, at, position });
  }

  /**
   * @param {Named} of
   * @param {Position[]} ring
   * @param {{ corners: number, holes: number, at: string }} about as many corners as it has, and what of its line says so
   */
  area(of, ring, { corners, holes, at }) {
    if (corners > MAX.corners)
      return this.refuse(
        of,
        `its outline has ${count(corners)} corners. The most is ${count(MAX.corners)}: draw it with fewer.`,
        at,
      );
    const [first] = ring;
    const last = ring.at(-1);
    const isClosed =
      first !== undefined && last !== undefined && first[0] === last[0] && first[1] === last[1];
    if (ring.length < (isClosed ? 4 : 3))
      return this.refuse(of, 'its outline has fewer than three corners. Draw it anew.', at);
    if (!isClosed) this.notes.add('Outlines that were left open are closed.');
    this.found.areas += 1;
    this.found.corners += isClosed ? ring.length - 1 : ring.length;
    if (this.found.areas <= MAX.areas && this.found.corners <= MAX.allCorners)
      this.areas.push({ ...of, at, ring: isClosed ? ring.slice(0, -1) : ring, holes });
  }

  /** @param {{ line: number, name: string }} of @param {string} why @param {string} [at] what of its line is wrong */
  refuse({ line, name }, why, at = '') {
    this.refusePlaced({ line, name }, `Line ${line}${at === '' ? '' : `, ${at}`}: ${why}`);
  }

  /** @param {{ line: number, name: string }} of @param {string} why with its place */
  refusePlaced({ line, name }, why) {
    this.found.refused += 1;
    if (this.found.refused <= MAX.refused) this.refused.push({ line, name: nameOf(name), why });
  }

  /**
   * @param {string | null} crs
   * @param {{ lat: number, lng: number }} farm
   * @param {Partial<Pick<FileContent, 'units' | 'sets' | 'groups' | 'farms'>>} [besides]
   * @returns {FileContent}
   */
  content(crs, farm, besides = {}) {
    const { points, areas, corners, refused } = this.found;
    if (points > MAX.points)
      throw new FileFault(`The file has ${count(points)} points. The most is ${count(MAX.points)}.`);
    if (areas > MAX.areas)
      throw new FileFault(`The file has ${count(areas)} areas. The most is ${count(MAX.areas)}.`);
    if (corners > MAX.allCorners)
      throw new FileFault(
        `The outlines of the file have ${count(corners)} corners. The most is ${count(MAX.allCorners)}.`,
      );
    if (points + areas + refused === 0 && Object.values(besides).every(({ length }) => length === 0))
      throw new FileFault('The file has no points and no areas.');
    const { toDegrees, note } = projectionOf(crs, this.points[0]?.position ?? this.areas[0]?.ring[0], farm);
    if (note !== null) this.notes.add(note);
    const placed = this.points.flatMap(({ position, name, ...of }) => {
      const place = placeOf(toDegrees(position));
      if (place) return [{ ...of, name: nameOf(name), ...place }];
      this.refuse({ line: of.line, name }, outside(position), of.at);
      return [];
    });
    const outlined = this.areas.flatMap(({ ring, name, at, ...of }) => {
      const places = ring.map((position) => placeOf(toDegrees(position)));
      const wrong = places.indexOf(null);
      if (wrong < 0) return [{ ...of, name: nameOf(name), ring: places.flatMap((place) => place ?? []) }];
      this.refuse({ line: of.line, name }, outside(ring[wrong] ?? [0, 0]), at);
      return [];
    });
    if (this.found.refused > MAX.refused)
      this.notes.add(`${count(this.found.refused - MAX.refused)} more places can't be taken.`);
    return {
      ...nothing(),
      ...besides,
      points: placed,
      areas: outlined,
      refused: this.refused,
      notes: [...this.notes],
    };
  }
}

/** @param {Position} position */
function placeOf([lng, lat]) {
  return Number.isFinite(lat) && Number.isFinite(lng) && Math.abs(lat) <= 90 && Math.abs(lng) <= 180
    ? { lat, lng }
    : null;
}
/** @param {Position} position */
const outside = ([x, y]) =>
  `'${x}, ${y}' isn't a place: longitude is from -180 to 180, latitude from -90 to 90. Correct it.`;

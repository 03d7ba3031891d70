import { FileFault, shown } from './file-fault.mjs';
import { PlaceList } from './place-list.mjs';
import { isMember, readJson } from './read-json.mjs';
import { readSite, siteMember } from './read-site.mjs';

/**
 * @typedef {Record<string, unknown>} Member
 * @typedef {import('./read-coordinates.mjs').Position} Position
 */

/** Positions that are kept of one outline; how many there are is counted. */
const KEPT = 2001;
const GEOMETRIES = [
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
];

/**
 * GeoJSON (RFC 7946): a Feature, a FeatureCollection or a geometry by itself. Members that it doesn't know are passed over.
 * @param {string} text
 * @param {{ lat: number, lng: number }} farm
 */
export function readGeoJson(text, farm) {
  const { value, lineOf } = readJson(text, siteMember);
  if (!isMember(value)) throw new FileFault('This JSON is no GeoJSON: it is no object with a type.');
  const places = new PlaceList();
  const { type, features, crs } = value;
  if (type === 'FeatureCollection') {
    if (!Array.isArray(features)) throw new FileFault("features isn't a list.");
    for (const [index, feature] of features.entries())
      readFeature(places, feature, `features[${index}]`, lineOf);
  } else if (type === 'Feature') readFeature(places, value, '', lineOf);
  else if (GEOMETRIES.includes(String(type)))
    readGeometry(places, value, { ...unnamed, line: lineOf(value) }, '');
  else if (type === 'Topology')
    throw new FileFault('This is TopoJSON. Export the layer as GeoJSON in WGS 84.');
  else if ('ipcs' in value && 'version' in value) return readSite(value, lineOf, farm);
  else
    throw new FileFault(
      `This JSON is no GeoJSON: its type is '${typeof type === 'string' ? shown(type) : 'none'}'.`,
    );
  return places.content(crsOf(crs), farm);
}

const unnamed = { name: '', serial: '', kind: '', path: [] };

/** @param {unknown} crs */
function crsOf(crs) {
  const properties = isMember(crs) ? crs['properties'] : undefined;
  const name = isMember(properties) ? properties['name'] : undefined;
  return typeof name === 'string' ? name : null;
}

/** @param {PlaceList} places @param {unknown} feature @param {string} path @param {(of: object) => number} lineOf */
function readFeature(places, feature, path, lineOf) {
  if (!isMember(feature))
    return places.refuse({ line: 1, name: '' }, `${textOf(feature)} is no feature. Take it out.`, path);
  const properties = isMember(feature['properties']) ? feature['properties'] : {};
  const of = {
    line: lineOf(feature),
    name: said(properties, ['name', 'Name', 'NAME', 'title', 'label']),
    serial: said(properties, ['serial', 'serial_number', 'serialNumber']),
    kind: said(properties, ['kind']).toLowerCase(),
    path: [],
  };
  const { geometry } = feature;
  if (!isMember(geometry))
    return places.refuse(of, 'it has no geometry. Give it a point or an outline.', path || 'geometry');
  readGeometry(places, geometry, of, path === '' ? 'geometry' : `${path}.geometry`);
}

/** @param {Member} properties @param {string[]} names */
function said(properties, names) {
  for (const name of names) {
    const value = properties[name];
    if (typeof value === 'string' || typeof value === 'number') return String(value).trim();
  }
  return '';
}

/** @typedef {{ line: number, name: string, serial: string, kind: string, path: string[] }} Of */

/** @param {PlaceList} places @param {Member} geometry @param {Of} of @param {string} path */
function readGeometry(places, geometry, of, path) {
  const { type, coordinates, geometries } = geometry;
  const at = path === '' ? 'coordinates' : `${path}.coordinates`;
  try {
    if (type === 'Point') return places.point(of, position(coordinates, at), at);
    if (type === 'MultiPoint')
      return list(coordinates, at).forEach((one, index) =>
        places.point(of, position(one, `${at}[${index}]`), `${at}[${index}]`),
      );
    if (type === 'Polygon') return polygon(places, of, coordinates, at);
    if (type === 'MultiPolygon')
      return list(coordinates, at).forEach((one, index) => polygon(places, of, one, `${at}[${index}]`));
    if (type === 'GeometryCollection')
      return list(geometries, `${path}.geometries`).forEach((one, index) => {
        if (isMember(one)) readGeometry(places, one, of, `${path}.geometries[${index}]`);
      });
    places.refuse(
      of,
      /LineString/.test(String(type))
        ? LINE
        : `'${shown(String(type))}' is no geometry of GeoJSON. Export the layer anew.`,
      path === '' ? 'type' : `${path}.type`,
    );
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const { at: wrong = at } = /** @type {FileFault & { at?: string }} */ (error);
    places.refuse(of, error.message, wrong);
  }
}

export const LINE = 'a line is neither a place nor an area. Draw it as one of them, or take it out.';

/** @param {PlaceList} places @param {Of} of @param {unknown} coordinates @param {string} at */
function polygon(places, { line, name, kind }, coordinates, at) {
  const [outer, ...holes] = list(coordinates, at);
  const ring = list(outer ?? [], `${at}[0]`);
  const kept = ring.slice(0, KEPT).map((one, index) => position(one, `${at}[0][${index}]`));
  places.area({ line, name, kind }, kept, { corners: ring.length, holes: holes.length, at });
}

/** @param {unknown} value @param {string} at @returns {unknown[]} */
function list(value, at) {
  if (!Array.isArray(value)) throw placed(`${textOf(value)} isn't a list. Export the layer anew.`, at);
  return value;
}

/** @param {unknown} value @param {string} at @returns {Position} */
function position(value, at) {
  const [x, y] = Array.isArray(value) ? value : [];
  if (typeof x !== 'number' || typeof y !== 'number')
    throw placed(`${textOf(value)} isn't [longitude, latitude], such as [171.95, -43.75].`, at);
  return [x, y];
}

/** @param {string} sentence @param {string} at */
const placed = (sentence, at) => Object.assign(new FileFault(sentence), { at });

/** As it stands there. @param {unknown} value */
const textOf = (value) => `'${shown(JSON.stringify(value) ?? '')}'`;

import { FileFault, count } from './file-fault.mjs';
import { PlaceList } from './place-list.mjs';
import { readCoordinates } from './read-coordinates.mjs';
import { LINE } from './read-geojson.mjs';
import { readXml } from './read-xml.mjs';

/** @typedef {import('./read-coordinates.mjs').Coordinates} Coordinates */

const FOLDERS = ['Document', 'Folder'];
/** What is passed over whole: it would have to be fetched, or is about how things look. */
const SKIPPED = [
  'NetworkLink',
  'GroundOverlay',
  'ScreenOverlay',
  'PhotoOverlay',
  'Style',
  'StyleMap',
  'Schema',
  'Region',
  'Update',
];

/**
 * KML: Placemarks with their points and polygons, in whatever namespace. Links are never followed, names are text.
 * @param {string} text
 * @param {{ lat: number, lng: number }} farm
 */
export function readKml(text, farm) {
  const reader = new KmlReader();
  readXml(text, reader);
  return reader.done(farm);
}

/** @typedef {{ line: number, name: string, serial: string, kind: string, path: string[] }} Of */

class KmlReader {
  places = new PlaceList();
  /** @type {string[]} */
  folders = [];
  /** Elements that are open within what is passed over. */
  skipped = 0;
  links = 0;
  isKml = false;
  /** @type {Of | null} */
  mark = null;
  hasGeometry = false;
  isSerial = false;
  /** @type {{ outer: Coordinates | null, holes: number, ring: 'outer' | 'hole' | null } | null} */
  polygon = null;
  track = '';

  /** @param {{ name: string, attributes: Record<string, string>, line: number }} element */
  open({ name, attributes, line }) {
    if (this.skipped > 0 || SKIPPED.includes(name)) {
      this.skipped += 1;
      if (name === 'NetworkLink') this.links += 1;
      return;
    }
    if (name === 'kml' || name === 'Placemark') this.isKml = true;
    if (FOLDERS.includes(name)) this.folders.push('');
    else if (name === 'Placemark') {
      this.mark = { line, name: '', serial: '', kind: '', path: [...this.folders] };
      this.hasGeometry = false;
    } else if (name === 'Polygon') this.polygon = { outer: null, holes: 0, ring: null };
    else if (this.polygon && name === 'outerBoundaryIs') this.polygon.ring = 'outer';
    else if (this.polygon && name === 'innerBoundaryIs') this.polygon.ring = 'hole';
    else if (name === 'Data' || name === 'SimpleData')
      this.isSerial = /^serial(_?number)?$/i.test(attributes['name'] ?? '');
    else if (name === 'Track') this.track = '';
  }

  /** @param {{ name: string, parent: string, text: string }} element */
  close({ name, parent, text }) {
    if (this.skipped > 0) {
      this.skipped -= 1;
      return;
    }
    if (name === 'name') this.called(parent, text.trim());
    else if (FOLDERS.includes(name)) this.folders.pop();
    else if (name === 'Placemark') this.marked();
    else if (this.mark) this.within(this.mark, { name, parent, text });
  }

  /** @param {string} parent @param {string} name */
  called(parent, name) {
    if (parent === 'Placemark' && this.mark) this.mark.name = name;
    else if (FOLDERS.includes(parent)) this.folders.splice(-1, 1, name);
  }

  marked() {
    if (this.mark && !this.hasGeometry)
      this.places.refuse(this.mark, 'It has no place. Give it a point or an outline.');
    this.mark = null;
  }

  /** @param {Of} mark @param {{ name: string, parent: string, text: string }} element */
  within(mark, { name, parent, text }) {
    if (this.isSerial && (name === 'value' || name === 'SimpleData')) mark.serial = text.trim();
    else if (name === 'coord') this.track = text.trim().split(/\s+/).slice(0, 2).join(',');
    else if (!['coordinates', 'Polygon', 'Track'].includes(name)) return;
    try {
      if (name === 'coordinates') this.coordinates(mark, parent, text);
      if (name === 'Polygon') this.polygonDone(mark);
      if (name === 'Track') this.point(mark, readCoordinates(this.track));
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      this.hasGeometry = true;
      this.places.refuse(mark, error.message, name === 'Track' ? 'coord' : 'coordinates');
    }
  }

  /** @param {Of} mark @param {string} parent @param {string} text */
  coordinates(mark, parent, text) {
    const read = readCoordinates(text);
    if (read.isMended) this.places.notes.add('Blanks around the commas of coordinates are passed over.');
    if (parent === 'Point') return this.point(mark, read);
    if (this.polygon && parent === 'LinearRing') {
      if (this.polygon.ring === 'hole') this.polygon.holes += 1;
      else this.polygon.outer = read;
      return;
    }
    this.hasGeometry = true;
    this.places.refuse(mark, LINE);
  }

  /** @param {Of} mark @param {Coordinates} read */
  point(mark, { positions }) {
    const [position] = positions;
    if (!position) throw new FileFault('there are none. Write longitude,latitude.');
    this.hasGeometry = true;
    this.places.point(mark, position, 'coordinates');
  }

  /** @param {Of} mark */
  polygonDone({ line, name, kind }) {
    const { outer, holes } = this.polygon ?? { outer: null, holes: 0 };
    this.polygon = null;
    this.hasGeometry = true;
    if (!outer) throw new FileFault('its polygon has no outline. Draw it anew.');
    this.places.area({ line, name, kind }, outer.positions, {
      corners: outer.count,
      holes,
      at: 'coordinates',
    });
  }

  /** @param {{ lat: number, lng: number }} farm */
  done(farm) {
    if (!this.isKml) throw new FileFault('This XML is no KML.');
    if (this.links > 0)
      this.places.notes.add(
        `${count(this.links)} ${this.links === 1 ? 'link' : 'links'} to other files: not followed.`,
      );
    return this.places.content(null, farm);
  }
}

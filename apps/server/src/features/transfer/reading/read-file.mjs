import { isArchive } from './archive.mjs';
import { bytesOf, decode } from './decode.mjs';
import { knownFile, wrongTypeText } from '@headrace/contract/rules/files/file-types';
import { FileFault, outcomeOf } from './file-fault.mjs';
import { readGeoJson } from './read-geojson.mjs';
import { readKml } from './read-kml.mjs';
import { readRxp } from './read-rxp.mjs';
import { unpackKmz } from './unpack-kmz.mjs';

/**
 * @typedef {import('./file-content.ts').ReadJob} ReadJob
 * @typedef {import('./file-content.ts').ReadOutcome} ReadOutcome
 * @typedef {import('./file-content.ts').FileContent} FileContent
 */

/**
 * A map file, a site or a backup.
 * @param {Omit<ReadJob, 'typeFile'>} job
 * @returns {Promise<ReadOutcome>}
 */
export const readFile = ({ data, farm }) =>
  outcomeOf(async () => {
    const bytes = bytesOf(data);
    const { text, note } = decode(isArchive(bytes) ? await unpackKmz(bytes) : bytes);
    const content = readText(text, farm);
    return note === '' ? content : { ...content, notes: [note, ...content.notes] };
  });

/**
 * By what the file is, whatever it is called.
 * @param {string} text
 * @param {{ lat: number, lng: number }} farm
 * @returns {FileContent}
 */
function readText(text, farm) {
  const start = text
    .slice(0, 2000)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start === '') throw new FileFault('The file is empty.');
  if (start.includes('\u0000'))
    throw new FileFault('This is no text. Please choose a GeoJSON, KML or KMZ file.');
  if (/^<(!doctype html|html)/i.test(start))
    throw new FileFault(
      'This is a web page, not a map file. Sign in where you got it and download it again.',
    );
  if (/^(PROJCS|GEOGCS)\[/i.test(start))
    throw new FileFault('This .prj is the projection of a shapefile. Export the layer as GeoJSON in WGS 84.');
  if (start.startsWith('{')) return readGeoJson(text, farm);
  if (/^<site[\s>/]/i.test(withoutProlog(start))) return readRxp(text, farm);
  if (start.startsWith('<')) return readKml(text, farm);
  const known = knownFile(start);
  if (known) throw new FileFault(wrongTypeText(known), known.type);
  if (start.startsWith('[')) throw new FileFault('This JSON is no GeoJSON: it is a list.');
  throw new FileFault(
    'This is neither GeoJSON nor KML. A list of devices or a project is imported by its own type.',
  );
}

/**
 * Without the declaration and comments in front of the first element.
 * @param {string} start
 */
function withoutProlog(start) {
  let rest = start;
  for (let end = 0; /^<[?!]/.test(rest) && end >= 0; rest = rest.slice(end).trimStart()) {
    const close = rest.startsWith('<!--') ? '-->' : '>';
    end = rest.indexOf(close);
    if (end < 0) return '';
    end += close.length;
  }
  return rest;
}

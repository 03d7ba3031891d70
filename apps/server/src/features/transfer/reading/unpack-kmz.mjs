import { withArchive } from './archive.mjs';
import { FileFault } from './file-fault.mjs';

/** @typedef {import('yauzl').Entry} Entry */

const BYTES_MAX = 20 * 1024 * 1024;

/**
 * The KML file of a KMZ archive: doc.kml, else the first .kml at its root, else the only one.
 * @param {Buffer} bytes
 * @returns {Promise<Buffer>}
 */
export const unpackKmz = (bytes) =>
  withArchive(bytes, BYTES_MAX, (entries, contentOf) => contentOf(kmlAmong(entries)));

/** @param {Entry[]} entries */
function kmlAmong(entries) {
  const names = entries.map(({ fileName }) => fileName);
  if (names.includes('[Content_Types].xml'))
    throw new FileFault(
      'This is an Excel workbook. Save it as CSV UTF-8, and choose that file as a list of devices.',
    );
  if (names.some((name) => /\.shp$/i.test(name)))
    throw new FileFault('This is a shapefile. Export the layer as GeoJSON in WGS 84, and choose that file.');
  if (names.includes('manifest.json') && names.some((name) => /\.csv$/i.test(name)))
    throw new FileFault('This is site.zip. Choose Schedules.', 'schedules');
  const kml = entries.filter(({ fileName }) => /\.kml$/i.test(fileName));
  const docs = kml.filter(({ fileName }) => fileName.toLowerCase() === 'doc.kml');
  if (docs.length > 1) throw new FileFault('The archive holds two files named doc.kml. Please make it anew.');
  const found =
    docs[0] ?? kml.find(({ fileName }) => !fileName.includes('/')) ?? (kml.length === 1 ? kml[0] : undefined);
  if (!found)
    throw new FileFault(
      kml.length > 1
        ? 'The archive holds several KML files, and none of them is doc.kml. Unpack it and choose one.'
        : 'The archive holds no KML file.',
    );
  return found;
}

import { SCHEDULE_SETS_PER_FARM } from '@headrace/contract/limits';
import { readSchedules, WATERINGS_MAX } from '@headrace/contract/rules/files/read-schedules';
import { withArchive } from './archive.mjs';
import { decode } from './decode.mjs';
import { FileFault, count, shown } from './file-fault.mjs';
import { isMember, readJson } from './read-json.mjs';

/** @typedef {import('@headrace/contract/rules/files/read-schedules').FileSet} FileSet */

/** Of the most waterings that are read, and names as long as they come. */
const BYTES_MAX = 64 * 1024 * 1024;
const VERSION = 1;

/**
 * site.zip: a CSV file for each schedule set. One after another is unpacked, so that never all of their texts are there at once.
 * @param {Buffer} bytes
 * @returns {Promise<{ sets: FileSet[] }>}
 */
export const readSiteZip = (bytes) =>
  withArchive(bytes, BYTES_MAX, async (entries, contentOf) => {
    const manifest = entries.find(({ fileName }) => fileName === 'manifest.json');
    if (manifest) refuseLater((await contentOf(manifest)).toString());
    const files = entries.filter(({ fileName }) => /^[^/]+\.csv$/i.test(fileName));
    if (files.length === 0)
      throw new FileFault('The archive holds no schedules: no CSV file. Please choose site.zip.');
    /** @type {FileSet[]} */
    const sets = [];
    let waterings = 0;
    for (const file of files) {
      const { text } = decode(await contentOf(file));
      const { sets: found, fault } = readSchedules(text);
      if (fault !== null) throw new FileFault(`${shown(file.fileName)}: ${fault}`);
      sets.push(...found);
      waterings += wateringsOf(found);
      if (sets.length > SCHEDULE_SETS_PER_FARM)
        throw new FileFault(
          `The file has more than ${SCHEDULE_SETS_PER_FARM} schedule sets. A farm has ${SCHEDULE_SETS_PER_FARM} at most: please divide it.`,
        );
      if (waterings > WATERINGS_MAX)
        throw new FileFault(
          `The file has more than ${count(WATERINGS_MAX)} waterings. Unpack it and import its sets one by one.`,
        );
    }
    return { sets };
  });

/** @param {readonly FileSet[]} sets */
export const wateringsOf = (sets) =>
  sets.reduce((sum, { turns }) => turns.reduce((all, { schedules }) => all + schedules.length, sum), 0);

/** @param {string} text */
function refuseLater(text) {
  const { value } = readJson(text);
  const version = isMember(value) ? value['version'] : undefined;
  if (typeof version === 'number' && version > VERSION)
    throw new FileFault(`The file is of version ${version}: it was made by a later Headrace.`);
}

import { knownFile } from '@headrace/contract/rules/files/file-types';
import { readDeviceList } from '@headrace/contract/rules/files/read-device-list';
import { readProject } from '@headrace/contract/rules/files/read-project';
import { readSchedules } from '@headrace/contract/rules/files/read-schedules';
import { isArchive } from './archive.mjs';
import { nothing } from './content-pieces.mjs';
import { bytesOf, decode } from './decode.mjs';
import { FileFault, outcomeOf } from './file-fault.mjs';
import { PlaceList } from './place-list.mjs';
import { readFile } from './read-file.mjs';
import { readSiteZip } from './read-site-zip.mjs';

/**
 * @typedef {import('./file-content.ts').FileContent} FileContent
 * @typedef {import('./file-content.ts').ReadJob} ReadJob
 * @typedef {import('./file-content.ts').ReadOutcome} ReadOutcome
 */

/** @type {Partial<Record<ReadJob['typeFile'], (text: string, farm: ReadJob['farm']) => FileContent>>} */
const lists = { podlist: devicesIn, sparelist: devicesIn, project: projectIn, schedules: schedulesIn };

/**
 * Reads a file by the type that was chosen for it.
 * @param {ReadJob} job
 * @returns {Promise<ReadOutcome>}
 */
export async function readContent(job) {
  const { typeFile, data, farm } = job;
  const readList = lists[typeFile];
  if (!readList) return readFile(job);
  return outcomeOf(async () => {
    if (!data.startsWith('data:')) return readList(data, farm);
    const bytes = bytesOf(data);
    if (typeFile === 'schedules' && isArchive(bytes)) return { ...nothing(), ...(await readSiteZip(bytes)) };
    const { text, note } = decode(bytes);
    const content = readList(text, farm);
    return note === '' ? content : { ...content, notes: [note, ...content.notes] };
  });
}

/** What a reader of texts found. @template T @param {T & { fault: string | null, suggested?: ReadJob['typeFile'] | undefined }} read */
function found({ fault, suggested, ...read }) {
  if (fault !== null) throw new FileFault(fault, suggested);
  return read;
}

/** @param {string} text @returns {FileContent} */
function devicesIn(text) {
  // Schedules are told by their columns, also where the menu says a list of devices.
  if (knownFile(text)?.type === 'schedules') return schedulesIn(text);
  const { units, notes } = found(readDeviceList(text));
  return { ...nothing(), units, notes };
}

/** @param {string} text @returns {FileContent} */
function schedulesIn(text) {
  const { sets } = found(readSchedules(text));
  return { ...nothing(), sets };
}

/** @param {string} text @param {ReadJob['farm']} land @returns {FileContent} */
function projectIn(text, land) {
  const { units, notes, gateways, groups, farm, boundary, refused } = found(readProject(text));
  const places = new PlaceList();
  for (const { lat, lng, ...of } of gateways)
    places.point({ ...of, kind: 'gateway', path: [] }, [lng, lat], 'lat, lng');
  if (boundary) {
    const { line, ring } = boundary;
    // A project lists its corners, and none of them twice.
    const corners = [...ring, ...ring.slice(0, 1)].map(
      ({ lat, lng }) => /** @type {[number, number]} */ ([lng, lat]),
    );
    places.area({ line, name: farm?.name ?? '', kind: 'boundary' }, corners, {
      corners: corners.length,
      holes: 0,
      at: '[boundary]',
    });
  }
  for (const { line, name, why } of refused) places.refusePlaced({ line, name }, why);
  const content = places.content(null, land, { units, groups, farms: farm ? [farm] : [] });
  return { ...content, notes: [...notes, ...content.notes] };
}

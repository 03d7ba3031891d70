import { readDeviceList } from '@headrace/contract/rules/files/read-device-list';
import { readProject } from '@headrace/contract/rules/files/read-project';
import { readSchedules } from '@headrace/contract/rules/files/read-schedules';
import { readFile } from './read-file.mjs';

/**
 * @typedef {import('./file-content.ts').FileContent} FileContent
 * @typedef {import('./file-content.ts').ReadJob} ReadJob
 * @typedef {import('./file-content.ts').ReadOutcome} ReadOutcome
 */

/** @type {Partial<Record<ReadJob['typeFile'], typeof readDeviceList>>} */
const lists = { podlist: readDeviceList, sparelist: readDeviceList, project: readProject };

/** @type {FileContent} */
const nothing = { units: [], points: [], areas: [], refused: [], sets: [], notes: [] };

/**
 * Reads a file by the type that was chosen for it.
 * @param {ReadJob} job
 * @returns {Promise<ReadOutcome>}
 */
export async function readContent(job) {
  const { typeFile, data } = job;
  const readList = lists[typeFile];
  if (typeFile === 'schedules' || (readList && isSchedules(data))) {
    const { sets, fault } = readSchedules(data);
    return outcomeOf(fault, { sets });
  }
  if (!readList) return readFile(job);
  const { units, notes, fault } = readList(data);
  return outcomeOf(fault, { units, notes });
}

/**
 * @param {string | null} fault
 * @param {Partial<FileContent>} found
 * @returns {ReadOutcome}
 */
const outcomeOf = (fault, found) =>
  fault === null ? { kind: 'content', content: { ...nothing, ...found } } : { kind: 'fault', fault };

/**
 * Its first row names what no list of devices has.
 * @param {string} data
 */
function isSchedules(data) {
  const head =
    data
      .slice(0, 500)
      .split(/[\r\n]/, 1)[0]
      ?.toLowerCase() ?? '';
  return ['set', 'start', 'duration'].every((column) => new RegExp(`\\b${column}\\b`).test(head));
}

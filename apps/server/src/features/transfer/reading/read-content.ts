import type { BodyOf } from '@headrace/contract/endpoint';
import type { ImportType, planImport } from '@headrace/contract/imports';
import type { FileRead, FileUnit } from '@headrace/contract/rules/files/file-units';
import { readDeviceList } from '@headrace/contract/rules/files/read-device-list';
import { readProject } from '@headrace/contract/rules/files/read-project';
import { readSchedules } from '@headrace/contract/rules/files/read-schedules';
import { unitKeys, unitOfTexts } from '@headrace/contract/rules/files/unit-of-texts';
import type { LatLng } from '@headrace/contract/schemas';
import { invalid } from '../../../http/errors.ts';
import type { FileContent, FileUnitTexts, ReadJob } from './file-content.ts';
import { createFileReader } from './file-reader.ts';

type Asked = Pick<BodyOf<typeof planImport>, 'typeFile' | 'data'>;

/** Read here: in linear time, and nothing unpacks. */
const lists: Partial<Readonly<Record<ImportType, (text: string) => FileRead>>> = {
  podlist: readDeviceList,
  sparelist: readDeviceList,
  project: readProject,
};

/** Its first row names what no list of devices has. */
const isSchedules = (data: string): boolean => {
  const head =
    data
      .slice(0, 500)
      .split(/[\r\n]/, 1)[0]
      ?.toLowerCase() ?? '';
  return ['set', 'start', 'duration'].every((column) => new RegExp(`\\b${column}\\b`).test(head));
};

const nothing: FileContent = { units: [], points: [], areas: [], refused: [], sets: [], notes: [] };

/** Reads a file by its type. Throws invalid where it can't be read. */
export function createContentReader() {
  const readInThread = createFileReader();

  return async function read(
    { typeFile, data }: Asked,
    { lat, lng }: LatLng,
    accountId: number,
  ): Promise<FileContent> {
    if (typeFile === 'schedules' || (typeFile in lists && isSchedules(data))) {
      const { sets, fault } = readSchedules(data);
      if (fault !== null) throw invalid(fault, 'data');
      return { ...nothing, sets };
    }
    const list = lists[typeFile]?.(data);
    if (list?.fault) throw invalid(list.fault, 'data');
    if (list) return { ...nothing, units: list.units, notes: list.notes };
    const job: ReadJob = { data, farm: { lat, lng } };
    const outcome = await readInThread(job, accountId);
    if (outcome.kind === 'fault') throw invalid(outcome.fault, 'data');
    return { ...outcome.content, sets: [], units: outcome.content.units.map(unitOf) };
  };
}

function unitOf({ line, kind, texts, isSpare }: FileUnitTexts): FileUnit {
  const values = new Map(unitKeys.flatMap((key) => (texts[key] ? [[key, texts[key]] as const] : [])));
  const { lat, lng, ...unit } = unitOfTexts({ line, kind, values });
  // Nothing stands in the sea off Africa: such a unit has no place.
  const place = lat === 0 && lng === 0 ? {} : { lat, lng };
  return { ...unit, ...place, uid: texts['uid'], ...(isSpare && { isSpare }) };
}

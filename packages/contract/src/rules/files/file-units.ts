import type { ImportType } from '../../imports.ts';
import { knownFile, wrongTypeText } from './file-types.ts';
import { wholeText } from '../number-text.ts';

/** Of a unit, as forms and plans name them. */
export type UnitField =
  | 'name'
  | 'serialNumber'
  | 'macAddress'
  | 'farmId'
  | 'channel'
  | 'groups'
  | 'lat'
  | 'lng';

/** What a file says of one unit. What it doesn't say is undefined, and stays as it is. */
export interface FileUnit {
  /** Of the file, from 1. */
  readonly line: number;
  readonly kind: 'sprinkler' | 'repeater';
  /** Of the device that it was written of, where the file says so. */
  readonly uid?: string | undefined;
  readonly name?: string | undefined;
  readonly serialNumber?: string | undefined;
  readonly macAddress?: string | undefined;
  readonly farmId?: string | undefined;
  readonly channel?: number | undefined;
  /** Names as they stand there: how they are apart depends on what groups the farm has. */
  readonly groups?: string | undefined;
  readonly lat?: number | undefined;
  readonly lng?: number | undefined;
  readonly isSpare?: boolean | undefined;
  /** Where the file says each of its values: "Row 5, column name"; `row`: "Row 5". */
  readonly at?: Readonly<Partial<Record<UnitField | 'row', string>>> | undefined;
  /** Why it can't be imported: sentences, each with its column. */
  readonly faults: readonly string[];
}

export interface FileRead {
  readonly units: readonly FileUnit[];
  /** Why the file can't be read: a sentence. */
  readonly fault: string | null;
  /** By which type it can be read, where another one was chosen. */
  readonly suggested?: ImportType | undefined;
  /** What was passed over, or understood in a way that the person should know. */
  readonly notes: readonly string[];
}

export const unread = (fault: string, suggested?: ImportType): FileRead => ({
  units: [],
  fault,
  notes: [],
  ...(suggested && { suggested }),
});

/** Of each kind on a farm. */
const UNITS_MAX = { sprinkler: 5000, repeater: 500 } as const;
/** 10 MB: characters of a text are about as many as its bytes. */
export const FILE_CHARACTERS_MAX = 10 * 1024 * 1024;

/** A sentence where a file lists more units than a farm has; null: it doesn't. */
export function tooManyUnits(units: readonly Pick<FileUnit, 'kind'>[]): string | null {
  for (const kind of ['sprinkler', 'repeater'] as const) {
    const count = units.filter((unit) => unit.kind === kind).length;
    if (count > UNITS_MAX[kind])
      return `The file lists ${wholeText(count)} ${kind}s. The most is ${wholeText(UNITS_MAX[kind])}.`;
  }
  return null;
}

/** Why a file can't be read as what it was chosen for. */
interface Unread {
  readonly fault: string;
  readonly suggested?: ImportType;
}

/** What a file is by its beginning, where that is nothing that `types` read; null: it may be. */
export function foreignFile(text: string, types: readonly ImportType[]): Unread | null {
  const start = text
    .slice(0, 400)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start === '') return { fault: 'The file is empty.' };
  if (['PK\u0003\u0004', 'ÐÏ'].some((mark) => start.startsWith(mark)))
    return {
      fault: 'This is an Excel workbook or an archive. In Excel, save it as CSV UTF-8, and choose that file.',
    };
  if (/^<(!doctype html|html)/i.test(start))
    return { fault: 'This is a web page. Sign in where you got it and download the file again.' };
  if (/^(PROJCS|GEOGCS)\[/i.test(start))
    return {
      fault:
        'This .prj is the projection of a shapefile, not a project. Export the layer as GeoJSON in WGS 84.',
    };
  const known = knownFile(text);
  if (known && !types.includes(known.type)) return { fault: wrongTypeText(known), suggested: known.type };
  if (start.startsWith('{') || start.startsWith('<'))
    return {
      fault: `This is ${start.startsWith('{') ? 'JSON' : 'XML'}, not a list of devices or a project.`,
    };
  if (text.includes('\u0000')) return { fault: 'This is no text. Please choose a text file.' };
  if (text.length > FILE_CHARACTERS_MAX)
    return { fault: `The file has ${(text.length / 1024 / 1024).toFixed(1)} MB. The most is 10 MB.` };
  return null;
}

/** More than this is no value that a device has, characters. Of groups a cell names several. */
const CELL_MAX = { groups: 2000, others: 200 } as const;

/** A sentence where a value is too long to be read at all; null: it isn't. */
export function overlong(text: string, what: 'groups' | 'others' = 'others'): string | null {
  const most = CELL_MAX[what];
  if (text.length <= most) return null;
  return `This has ${wholeText(text.length)} characters. The most is ${wholeText(most)}.`;
}

/** As people are shown it: not too long, and nothing that can't be seen. */
export const shown = (text: string): string => {
  const visible = text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '␀');
  return visible.length > 40 ? `${visible.slice(0, 39)}…` : visible;
};

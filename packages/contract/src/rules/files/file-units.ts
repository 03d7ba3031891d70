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
  /** Why it can't be imported: sentences, each with its column. */
  readonly faults: readonly string[];
}

export interface FileRead {
  readonly units: readonly FileUnit[];
  /** Why the file can't be read: a sentence. */
  readonly fault: string | null;
  /** What was passed over, or understood in a way that the person should know. */
  readonly notes: readonly string[];
}

export const unread = (fault: string): FileRead => ({ units: [], fault, notes: [] });

export const UNITS_MAX = 5000;
export const FILE_CHARACTERS_MAX = 2_000_000;

/** What a file is by its first characters, where that is nothing that we read; null: it may be. */
export function foreignFile(text: string): string | null {
  const start = text
    .slice(0, 400)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start === '') return 'The file is empty.';
  if (['PK\u0003\u0004', 'ÐÏ'].some((mark) => start.startsWith(mark)))
    return 'This is an Excel workbook or an archive. In Excel, save it as CSV UTF-8, and choose that file.';
  if (/^<(!doctype html|html)/i.test(start))
    return 'This is a web page. Sign in where you got it and download the file again.';
  if (/^(PROJCS|GEOGCS)\[/i.test(start)) return 'This .prj is the projection of a shapefile, not a project.';
  if (start.startsWith('{') || start.startsWith('<'))
    return `This is ${start.startsWith('{') ? 'JSON' : 'XML'}, not a list of devices or a project.`;
  if (text.includes('\u0000')) return 'This is no text. Please choose a text file.';
  if (text.length > FILE_CHARACTERS_MAX) return 'The file has too much text: the most is 2 MB.';
  return null;
}

/** More than this is no value that a device has, characters. Of groups a cell names several. */
const CELL_MAX = { groups: 2000, others: 200 } as const;

/** A sentence where a value is too long to be read at all; null: it isn't. */
export function overlong(text: string, what: 'groups' | 'others' = 'others'): string | null {
  const most = CELL_MAX[what];
  if (text.length <= most) return null;
  return `This has ${text.length.toLocaleString('en-NZ')} characters. The most is ${most.toLocaleString('en-NZ')}.`;
}

/** As people are shown it: not too long, and nothing that can't be seen. */
export const shown = (text: string): string => {
  const visible = text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '␀');
  return visible.length > 40 ? `${visible.slice(0, 39)}…` : visible;
};

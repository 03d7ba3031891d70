import type { ImportType } from '@headrace/contract/imports';
import { bytesOf, FILE_BYTES_MAX, readTextFile, refuseLarge, type TextOfFile } from './read-text-file.ts';

/** May be archives, or say in themselves how they are written: the server reads their bytes, and says how it understood them. */
const WHOLE: readonly ImportType[] = ['kml', 'geojson', 'rxp', 'ims'];

/** What is sent of a file. Throws an Error with a sentence. */
export async function readFile(file: File, type: ImportType): Promise<TextOfFile> {
  if (!WHOLE.includes(type) && endingOf(file.name) !== 'zip') return readTextFile(file);
  const isSite = endingOf(file.name) === 'json';
  refuseLarge(file, isSite ? SITE_BYTES_MAX : FILE_BYTES_MAX);
  const isLong = file.size > FILE_BYTES_MAX;
  return { text: dataUrlOf(await (isLong ? packed(file) : bytesOf(file))), note: '' };
}

/** A site.json with the schedules of thousands of sprinklers: packed it has a twentieth. */
const SITE_BYTES_MAX = 40 * 1024 * 1024;

const packed = (file: File): Promise<ArrayBuffer> =>
  bytesOf(new Response(file.stream().pipeThrough(new CompressionStream('gzip'))));

/** Arguments that one call takes on every browser. */
const PIECE = 0x80_00;

function dataUrlOf(buffer: ArrayBuffer): string {
  const bytes = new Uint8Array(buffer);
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE)
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return `data:application/octet-stream;base64,${btoa(text)}`;
}

const types: Readonly<Record<string, ImportType>> = {
  kml: 'kml',
  kmz: 'kml',
  geojson: 'geojson',
  json: 'geojson',
  xml: 'rxp',
  prj: 'project',
  ini: 'project',
  csv: 'podlist',
  zip: 'schedules',
};

/** What a file is by the end of its name; null: that says nothing. */
export const typeOfName = (name: string): ImportType | null => types[endingOf(name)] ?? null;

/** A whole site is a project, an RXP site or a backup. */
export function typeWithin(chosen: ImportType, name: string): ImportType {
  if (chosen !== 'project') return chosen;
  const ending = endingOf(name);
  return ending === 'json' ? 'ims' : ending === 'xml' ? 'rxp' : chosen;
}

/** Of the menu, for a type that it doesn't list. */
export function typeOfMenu(type: ImportType): ImportType {
  if (type === 'rxp' || type === 'ims') return 'project';
  return type === 'geojson' ? 'kml' : type;
}

const endingOf = (name: string): string => /\.(\w+)$/.exec(name.toLowerCase())?.[1] ?? '';

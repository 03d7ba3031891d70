import { shown } from '@headrace/contract/rules/files/file-units';
import type { FilePoint } from './reading/file-content.ts';

// Why something of a file is left out begins with where that stands, and what stands there.

export const onLine = ({ line }: { readonly line: number }, text: string): string => `Line ${line}: ${text}`;

export const atName = ({ line, name }: Pick<FilePoint, 'line' | 'name'>, text: string): string =>
  name === '' ? `Line ${line}, name: ${text}` : `Line ${line}, name, '${shown(name)}': ${text}`;

export const atSerial = ({ line, serial }: Pick<FilePoint, 'line' | 'serial'>, text: string): string =>
  `Line ${line}, serial number, '${shown(serial)}': ${text}`;

/** As maps write it: longitude first. */
export const atPlace = (
  { line, at, lat, lng }: Pick<FilePoint, 'line' | 'at' | 'lat' | 'lng'>,
  text: string,
): string => `Line ${line}, ${at}, '${lng}, ${lat}': ${text}`;

/** Of what the person may not do with the farm. */
export const mayNot = (what: string): string => `You may not ${what}. Ask the farm's owner for that.`;

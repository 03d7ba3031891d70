import type { FieldMappingEntry } from '@headrace/contract/rules/mapping-preview';
import { type EnteredNumber, enteredNumber } from '../../forms/fields.tsx';

/** A line of a mapping as it stands in the form. */
export interface EnteredLine {
  readonly key: number;
  readonly path: string;
  /** A metric's name; OWN_NAME where the line gives its own. */
  readonly metric: string;
  /** The name of one's own: `leaf-wetness`. */
  readonly slug: string;
  /** What people read for it. */
  readonly name: string;
  readonly unit: string;
  readonly scale: EnteredNumber;
  readonly offset: EnteredNumber;
  readonly kind: '' | 'value' | 'counter';
  readonly wrapAt: EnteredNumber;
  /** `open = true, closed = false` */
  readonly words: string;
}
export const OWN_NAME = 'own';

let made = 0;
export const newLine = (path = ''): EnteredLine => ({
  key: (made += 1),
  path,
  metric: '',
  slug: '',
  name: '',
  unit: '',
  scale: null,
  offset: null,
  kind: '',
  wrapAt: null,
  words: '',
});

export function linesOf(mapping: readonly FieldMappingEntry[]): EnteredLine[] {
  return mapping.map((entry) => {
    const own = /^(custom|counter)\.(.+)$/.exec(entry.metric);
    return {
      ...newLine(entry.path),
      metric: own ? OWN_NAME : entry.metric,
      slug: own?.[2] ?? '',
      name: entry.name ?? '',
      unit: entry.unit ?? '',
      scale: entry.scale ?? null,
      offset: entry.offset ?? null,
      kind: own?.[1] === 'counter' ? 'counter' : (entry.kind ?? ''),
      wrapAt: entry.wrapAt ?? null,
      words: valuesText(entry.text ?? {}),
    };
  });
}

const valuesText = (text: Record<string, boolean | number | null>): string =>
  Object.entries(text)
    .map(([word, value]) => `${word} = ${value}`)
    .join(', ');

/** One sentence for the first thing that is wrong with a line; null when it can be used. */
export function validateLine(line: EnteredLine): string | null {
  if (line.path.trim() === '') return 'Enter where the value is in the message.';
  if (line.metric === '') return 'Choose what it is.';
  if (line.metric === OWN_NAME && !/^[a-z][a-z0-9-]{0,30}$/.test(line.slug))
    return 'A name of your own begins with a small letter and has small letters, digits and dashes, 31 at most.';
  const numbers = [line.scale, line.offset, line.wrapAt].map((value) => enteredNumber(value) ?? 0);
  if (!numbers.every(Number.isFinite)) return 'Scale, offset and end of the count must be numbers.';
  return readValues(line.words) ? null : 'Words are entered like: open = true, closed = false.';
}

/** The line as it is sent. Call only with lines without a validation error. */
export function entryOf(line: EnteredLine): FieldMappingEntry {
  const group = line.kind === 'counter' ? 'counter' : 'custom';
  const metric = line.metric === OWN_NAME ? `${group}.${line.slug}` : line.metric;
  const [scale, offset, wrapAt] = [line.scale, line.offset, line.wrapAt].map(enteredNumber);
  const words = readValues(line.words) ?? {};
  return {
    path: line.path.trim(),
    metric: metric as FieldMappingEntry['metric'],
    ...(line.name.trim() && { name: line.name.trim() }),
    ...(line.unit.trim() && { unit: line.unit.trim() }),
    ...(scale !== null && scale !== undefined && { scale }),
    ...(offset !== null && offset !== undefined && { offset }),
    ...(line.kind && line.metric !== OWN_NAME && { kind: line.kind }),
    ...(wrapAt !== null && wrapAt !== undefined && { wrapAt }),
    ...(Object.keys(words).length > 0 && { text: words }),
  };
}

/** `open = true, closed = false, broken = null` */
function readValues(text: string): Record<string, boolean | number | null> | null {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  const read = parts.map((part) => {
    const at = part.lastIndexOf('=');
    const word = part.slice(0, at).trim();
    const value = meaning(part.slice(at + 1).trim());
    return at > 0 && word !== '' && value !== undefined ? ([word, value] as const) : null;
  });
  return read.every((pair) => pair !== null) ? Object.fromEntries(read) : null;
}

function meaning(text: string): boolean | number | null | undefined {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (text === 'null') return null;
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

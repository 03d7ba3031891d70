import { type FileRead, type FileUnit, foreignFile, shown, tooManyUnits, unread } from './file-units.ts';
import { type IniEntry, type IniSection, readIni } from './read-ini.ts';
import { readDegrees } from './sprinkler-rows.ts';
import { type UnitKey, unitKeys, unitOfTexts } from './unit-of-texts.ts';
import { wholeText } from '../number-text.ts';

interface ProjectPlace {
  readonly line: number;
  readonly lat: number;
  readonly lng: number;
}
interface ProjectGateway extends ProjectPlace {
  readonly name: string;
  readonly serial: string;
}
/** What a file says of the farm itself. What it doesn't say is undefined. */
export interface FileFarm {
  readonly line: number;
  readonly name?: string | undefined;
  readonly lat?: number | undefined;
  readonly lng?: number | undefined;
}
export interface FileGroup {
  readonly line: number;
  readonly name: string;
}

interface ProjectRead extends FileRead {
  /** That say a place: a file adds none, it moves those that the farm has. */
  readonly gateways: readonly ProjectGateway[];
  readonly groups: readonly FileGroup[];
  readonly farm: FileFarm | null;
  /** Its corners, in the order of their numbers. */
  readonly boundary: { readonly line: number; readonly ring: readonly ProjectPlace[] } | null;
  /** What can't be taken, with why. */
  readonly refused: readonly { readonly line: number; readonly name: string; readonly why: string }[];
}

const nothing = { gateways: [], groups: [], farm: null, boundary: null, refused: [] };

/** A project (.prj), or one of the .ini files that are exported. spec 2 §5 */
export function readProject(text: string): ProjectRead {
  const foreign = foreignFile(text, ['project']);
  if (foreign !== null) return { ...unread(foreign.fault, foreign.suggested), ...nothing };
  const { sections, faults } = readIni(text);
  const refuse = (fault: string): ProjectRead => ({ ...unread(fault), ...nothing });
  if (faults.length > 0) return refuse(faultsText(faults));
  const farm = sections.find(({ name }) => name === 'farm');
  const radio = farm ? valuesOf(farm, ['farm_id', 'channel']) : new Map<UnitKey, string>();
  const units = [
    ...numbered(sections, 'pod').map((section) => unitOf(section, 'sprinkler', radio)),
    ...numbered(sections, 'repeater').map((section) => unitOf(section, 'repeater', new Map())),
  ];
  const tooMany = tooManyUnits(units);
  if (tooMany !== null) return refuse(tooMany);
  const others = othersOf(sections);
  const isEmpty =
    units.length + others.gateways.length + others.groups.length + others.refused.length === 0 &&
    others.farm === null &&
    others.boundary === null;
  if (isEmpty)
    return refuse(
      'The file has nothing that is taken from a project: no [pod1], [repeater1], [gateway1] with its place, [group1], [boundary], nor a [farm] with its name or place.',
    );
  const known = /^(farm|boundary|(pod|repeater|gateway|group)\d{1,6})$/;
  return {
    ...others,
    units,
    fault: null,
    notes: [
      ...leftOut(sections.filter(({ name }) => !known.test(name))),
      ...unknownKeys(sections.filter(({ name }) => known.test(name))),
    ],
  };
}

const FAULTS_SHOWN = 50;
const faultsText = (faults: readonly string[]) =>
  [
    ...faults.slice(0, FAULTS_SHOWN),
    ...(faults.length > FAULTS_SHOWN ? [`…and ${wholeText(faults.length - FAULTS_SHOWN)} more.`] : []),
  ].join(' ');

/** Sections of one kind, by their numbers: gaps are fine. */
function numbered(sections: readonly IniSection[], word: string): IniSection[] {
  return sections
    .flatMap((section) => {
      const [, number] = new RegExp(`^${word}(\\d{1,6})$`).exec(section.name) ?? [];
      return number === undefined ? [] : [{ section, number: Number(number) }];
    })
    .toSorted((one, other) => one.number - other.number)
    .map(({ section }) => section);
}

/** What isn't blank. */
const valuesOf = ({ entries }: IniSection, keys: readonly UnitKey[]): Map<UnitKey, string> =>
  new Map(
    keys.flatMap((key): [UnitKey, string][] => {
      const value = entries.get(key)?.value ?? '';
      return value === '' ? [] : [[key, value]];
    }),
  );

function unitOf(
  section: IniSection,
  kind: FileUnit['kind'],
  defaults: ReadonlyMap<UnitKey, string>,
): FileUnit {
  const lineOf = (key: UnitKey) => section.entries.get(key)?.line;
  return unitOfTexts({ line: section.line, kind, values: valuesOf(section, unitKeys), defaults, lineOf });
}

/** What isn't a unit: what of it can't be read is refused by itself, and the rest is taken. */
function othersOf(sections: readonly IniSection[]) {
  const refused: { line: number; name: string; why: string }[] = [];
  const read = <T>(
    { line, name, entries }: IniSection,
    as: (fault: (text: string) => void) => T,
  ): T | null => {
    const faults: string[] = [];
    const value = as((text) => faults.push(text));
    if (faults.length === 0) return value;
    refused.push({ line, name: entries.get('name')?.value ?? name, why: faultsText(faults) });
    return null;
  };
  const [farm, boundary] = ['farm', 'boundary'].map((word) => sections.find(({ name }) => name === word));
  return {
    gateways: numbered(sections, 'gateway').flatMap((section) => {
      const place = read(section, (fault) => placeOf(section, fault));
      const { line, entries } = section;
      const of = { line, name: entries.get('name')?.value ?? '', serial: entries.get('serial')?.value ?? '' };
      return place ? [{ ...of, ...place }] : [];
    }),
    groups: numbered(sections, 'group').flatMap((section) => {
      const name = read(section, (fault) => {
        const said = section.entries.get('name')?.value ?? '';
        if (said === '') fault(`Line ${section.line}: [${section.name}] has no name. Please add name=…`);
        return said;
      });
      return name === null ? [] : [{ line: section.line, name }];
    }),
    farm: farm ? read(farm, (fault) => farmOf(farm, fault)) : null,
    boundary: boundary
      ? read(boundary, (fault) => ({ line: boundary.line, ring: ringOf(boundary, fault) }))
      : null,
    refused,
  };
}

type Tell = (text: string) => void;

/** null: it says none. */
function placeOf({ line, name, entries }: IniSection, fault: Tell): { lat: number; lng: number } | null {
  const degrees = (key: 'lat' | 'lng') => {
    const entry = entries.get(key);
    if (!entry || entry.value === '') return null;
    const value = readDegrees(entry.value.slice(0, 200));
    if (typeof value === 'number') return value;
    fault(`Line ${entry.line}, ${key}: ${value}`);
    return Number.NaN;
  };
  const [lat, lng] = [degrees('lat'), degrees('lng')];
  if ((lat === null) !== (lng === null))
    fault(
      `Line ${line}: [${name}] has a ${lat === null ? 'longitude' : 'latitude'} only. A place needs both.`,
    );
  // Nothing stands in the sea off Africa.
  return lat === null || lng === null || (lat === 0 && lng === 0) ? null : { lat, lng };
}

/** null: nothing but what its units' radios are set to. */
function farmOf(section: IniSection, fault: Tell): FileFarm | null {
  const name = section.entries.get('name')?.value ?? '';
  const place = placeOf(section, fault);
  return name === '' && !place ? null : { line: section.line, ...(name && { name }), ...place };
}

/** pN=lat,lng: a corner each. One that can't be read would give another outline, so there is none. */
function ringOf({ entries }: IniSection, fault: Tell): ProjectPlace[] {
  return [...entries]
    .flatMap(([key, entry]) => {
      const [, number] = /^p(\d{1,6})$/.exec(key) ?? [];
      return number === undefined ? [] : [{ number: Number(number), entry, key }];
    })
    .toSorted((one, other) => one.number - other.number)
    .map(({ entry, key }) => cornerOf(key, entry, fault));
}

function cornerOf(key: string, { value, line }: IniEntry, fault: Tell): ProjectPlace {
  const [lat, lng, ...more] = value
    .slice(0, 200)
    .split(/\s*[,;]\s*/)
    .map(readDegrees);
  if (typeof lat === 'number' && typeof lng === 'number' && more.length === 0) return { line, lat, lng };
  fault(
    `Line ${line}, ${key}: '${shown(value)}' isn't a corner. Write latitude,longitude, such as -43.75,171.95.`,
  );
  return { line, lat: Number.NaN, lng: Number.NaN };
}

function leftOut(sections: readonly IniSection[]): string[] {
  if (sections.length === 0) return [];
  const named = sections.slice(0, 5).map(({ name, line }) => `[${shown(name)}] on line ${line}`);
  const more = sections.length > 5 ? ` and ${sections.length - 5} more` : '';
  return [`Not known and left out: ${named.join(', ')}${more}.`];
}

/** By the kind of their section. */
function unknownKeys(sections: readonly IniSection[]): string[] {
  const unknown = new Set(
    sections.flatMap(({ name, entries }) => {
      const kind = name.replace(/\d+$/, '');
      return [...entries.keys()].filter((key) => !isKnownKey(kind, key));
    }),
  );
  if (unknown.size === 0) return [];
  return [`Not known and left out: ${[...unknown].slice(0, 10).map(shown).join(', ')}.`];
}

const keysOf: Readonly<Record<string, readonly string[]>> = {
  pod: unitKeys,
  repeater: unitKeys,
  farm: ['name', 'lat', 'lng', 'farm_id', 'channel'],
  gateway: ['name', 'serial', 'mac', 'lat', 'lng'],
  group: ['name'],
};
const isKnownKey = (kind: string, key: string): boolean =>
  kind === 'boundary' ? /^p\d{1,6}$/.test(key) : (keysOf[kind]?.includes(key) ?? false);

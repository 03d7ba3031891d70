import type { Change } from '@headrace/contract/changes';
import type { WaterApplication } from '@headrace/contract/farms';
import { areaText } from '@headrace/contract/rules/polygon';
import { waterText } from '../../forms/water-fields.tsx';
import { numberText } from '../../ui/format.ts';

/** Names that aren't the field's own name in words. */
const names: Readonly<Record<string, string>> = {
  address: 'Access road',
  channel: 'Radio channel',
  dstEnabled: 'Daylight saving',
  dstOffset: 'Daylight saving offset',
  farmId: 'Radio farm ID',
  lat: 'Latitude',
  lng: 'Longitude',
  mac: 'MAC address',
  macAddress: 'MAC address',
  rawOffset: 'Standard time offset',
  tankOnly: 'Tanks only',
  v3Site: 'Version 3 site',
  walConfig: 'Water application',
};

const units: Readonly<Record<string, string>> = { irrigationArea: ' ha', lat: '°', lng: '°' };
const icons: Readonly<Record<string, string>> = {
  'farm-blue': 'Blue',
  'farm-green': 'Green',
  'farm-orange': 'Orange',
  'farm-purple': 'Purple',
  'farm-red': 'Red',
};

const NOTHING = 'nothing';
/** Longer values are cut: the newer record stands in its form. */
const LONGEST = 120;

/** The records' columns are written with underscores. */
const camel = (field: string) =>
  field.replaceAll(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());

/** "irrigationArea" and "serial_number" as people read them. */
export function fieldName(field: string): string {
  const name = camel(field);
  const label = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return names[name] ?? label.charAt(0).toUpperCase() + label.slice(1);
}

/** A field's value in words; never code. */
export function valueText(field: string, value: unknown): string {
  const name = camel(field);
  if (name === 'size' && typeof value === 'number') return areaText(value);
  if (name === 'icon' && typeof value === 'string') return icons[value] ?? value;
  if (name === 'walConfig' && isWater(value)) return waterText(value);
  if ((name === 'rawOffset' || name === 'dstOffset') && typeof value === 'number')
    return `${numberText(value / 3600, value % 3600 === 0 ? 0 : 2)} h`;
  const text = plainText(value);
  return typeof value === 'number' ? text + (units[name] ?? '') : shortened(text);
}

function plainText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return numberLabels(value);
  if (typeof value === 'string') return value.trim() || NOTHING;
  return typeof value === 'object' && value !== null ? partsText(value) : NOTHING;
}

const numberLabels = (value: number) =>
  new Intl.NumberFormat('en-NZ', { maximumFractionDigits: 6, useGrouping: value >= 10_000 }).format(value);

/** Lists as their members; records as "name value" of what is set. */
function partsText(value: object): string {
  if (Array.isArray(value)) {
    const isPlain = value.every((member) => typeof member !== 'object');
    if (isPlain) return value.map(plainText).join(', ') || NOTHING;
    return `${value.length} ${value.length === 1 ? 'entry' : 'entries'}`;
  }
  const set = Object.entries(value).filter(([, member]) => member !== null && member !== '');
  return (
    set.map(([name, member]) => `${fieldName(name).toLowerCase()} ${plainText(member)}`).join(', ') || NOTHING
  );
}

const shortened = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

const isWater = (value: unknown): value is WaterApplication =>
  typeof value === 'object' &&
  value !== null &&
  'wal' in value &&
  'duration' in value &&
  'sprinklerFlow' in value;

/** How what was done, undone, or done again is undone. */
export const undoLabels = {
  done: {
    offer: 'Undo',
    title: 'Undo this?',
    said: (title: string) => `${title}.`,
    effect: 'Everything goes back to how it was before.',
    doing: 'Undoing…',
  },
  undone: {
    offer: 'Do again',
    title: 'Do this again?',
    said: (title: string) => `${title}. That was undone.`,
    effect: 'Everything is again as it was before that.',
    doing: 'Doing it again…',
  },
  'done again': {
    offer: 'Undo again',
    title: 'Undo this again?',
    said: (title: string) => `${title}. That was undone, and done again.`,
    effect: 'Everything goes back to how it was before.',
    doing: 'Undoing…',
  },
} as const satisfies Record<NonNullable<Change['undo']>['was'], object>;

const kinds: Readonly<Record<string, string>> = { poi: 'point of interest' };

/** "Aroha Ngata changed gateway Pump shed". Without the name where the page is about that record. */
export function changeTitle({ by, what, kind, name }: Change, isOfOne: boolean): string {
  if (what === 'changed by command')
    return `${by ? `A command of ${by}` : 'A command'} changed ${isOfOne ? 'it' : kindText(kind, name)}`;
  if (what === 'MAC address contested')
    return `Another farm contested the MAC address${isOfOne ? '' : ` of ${kindText(kind, name)}`}`;
  const who = by || 'Somebody whose account is gone';
  if (what === 'replaced battery')
    return `${who} replaced the battery${isOfOne ? '' : ` of ${kindText(kind, name)}`}`;
  if (what === 'reset location')
    return `${who} reset the location${isOfOne ? '' : ` of ${kindText(kind, name)}`}`;
  if (what === 'contested a MAC address') return `${who} contested a MAC address of another farm`;
  return `${who} ${what} ${isOfOne ? 'it' : kindText(kind, name)}`;
}

const kindText = (kind: string, name: string) => `${kinds[kind] ?? kind} ${name}`.trim();

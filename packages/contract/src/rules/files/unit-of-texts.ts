import { type FileUnit, overlong, type UnitField } from './file-units.ts';
import { readDegrees, readWhole } from './sprinkler-rows.ts';

/** What files say of a unit, as they name it. */
export const unitKeys = ['name', 'serial', 'mac', 'farm_id', 'channel', 'group', 'lat', 'lng'] as const;
export type UnitKey = (typeof unitKeys)[number];

const fields: Readonly<Record<UnitKey, UnitField>> = {
  name: 'name',
  serial: 'serialNumber',
  mac: 'macAddress',
  farm_id: 'farmId',
  channel: 'channel',
  group: 'groups',
  lat: 'lat',
  lng: 'lng',
};

export interface UnitTexts {
  readonly line: number;
  readonly kind: FileUnit['kind'];
  /** What isn't blank. */
  readonly values: ReadonlyMap<UnitKey, string>;
  /** Of units that say none. */
  readonly defaults?: ReadonlyMap<UnitKey, string>;
  /** Where it says so; absent: on the unit's own line. */
  readonly lineOf?: (key: UnitKey) => number | undefined;
}

/** A unit of which a file says everything as text. What can't be read is a fault with its line. */
export function unitOfTexts({ line, kind, values: said, defaults, lineOf }: UnitTexts): FileUnit {
  const values = new Map(said);
  const faults: string[] = [];
  const placeOf = (key: UnitKey) => `Line ${lineOf?.(key) ?? line}, ${key}`;
  const tell = (key: UnitKey, fault: string) => faults.push(`${placeOf(key)}: ${fault}`);
  for (const [key, text] of values) {
    const fault = overlong(text, key === 'group' ? 'groups' : 'others');
    if (fault === null) continue;
    values.delete(key);
    tell(key, fault);
  }
  const number = (key: UnitKey, read: (text: string) => number | string) => {
    const text = values.get(key) ?? defaults?.get(key);
    const value = text === undefined ? undefined : (overlong(text) ?? read(text));
    if (typeof value !== 'string') return value;
    tell(key, value);
    return undefined;
  };
  return {
    line,
    kind,
    name: values.get('name'),
    serialNumber: values.get('serial'),
    macAddress: values.get('mac'),
    farmId: values.get('farm_id') ?? defaults?.get('farm_id'),
    channel: number('channel', readWhole),
    groups: values.get('group'),
    lat: number('lat', readDegrees),
    lng: number('lng', readDegrees),
    at: {
      row: `Line ${line}`,
      ...Object.fromEntries([...said.keys()].map((key) => [fields[key], placeOf(key)])),
    },
    faults,
  };
}

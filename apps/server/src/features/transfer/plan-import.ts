import { radioOf } from '../devices/farm-radio.ts';
import { validateDevice } from '@headrace/contract/rules/device-form';
import { farFrom, type Land, validateFarPlace } from '@headrace/contract/rules/far-place';
import type { FileUnit } from '@headrace/contract/rules/files/file-units';
import type { ImportAction, ImportField } from '@headrace/contract/imports';
import { can, hasRight, type Permissions } from '@headrace/contract/permissions';
import { normaliseMac } from '@headrace/device/topics';
import type { ContentDevice } from './farm-content.repo.ts';
import { isSpare } from './in-order.ts';
import { type FarmGroups, groupsAfter } from './plan-groups.ts';
import { mapInTurns } from '../../jobs/in-turns.ts';
import { createMatcher, type Matcher, serialKeyOf } from './match-units.ts';

/** What rows are judged by. */
export interface PlanFarm {
  readonly land: Land;
  readonly devices: readonly ContentDevice[];
  readonly groups: FarmGroups;
  /** Of the file's: those that devices of other farms have. */
  readonly takenMacs: ReadonlySet<string>;
  /** That the register knows, by serial number in small letters. */
  readonly knownMacs: ReadonlyMap<string, string>;
  /** Of units that say none. */
  readonly radio: { readonly farmId: string; readonly channel: number };
}

export interface PlanOptions {
  readonly asSpares: boolean;
  /** Sprinklers that the farm has by _id or name are other units, with the file's serial number and MAC. */
  readonly replaceIpcs: boolean;
  readonly farmId?: string | undefined;
  readonly channel?: number | undefined;
}

/** What a unit would be, of what its row says. */
export interface UnitValues {
  readonly name: string;
  readonly serialNumber: string;
  readonly macAddress: string;
  readonly farmId: string;
  readonly channel: number;
  readonly lat: number | null;
  readonly lng: number | null;
  /** By name, sorted; new ones too. */
  readonly groups: readonly string[];
  readonly isSpare: boolean;
}

export interface PlanRow {
  readonly line: number;
  readonly kind: FileUnit['kind'];
  readonly name: string;
  readonly action: ImportAction;
  readonly fields: readonly ImportField[];
  /** Why it is left out, or what to know of it; else ''. */
  readonly why: string;
  /** The unit that it is about; null: none yet. */
  readonly device: ContentDevice | null;
  readonly values: UnitValues | null;
}

const labels = { sprinkler: 'sprinklers', repeater: 'repeaters' } as const;
const resources = { sprinkler: 'irrigationDevices', repeater: 'repeaters' } as const;

/** What each row of a file would do to the farm as it is. */
export async function planImport(
  units: readonly FileUnit[],
  farm: PlanFarm,
  options: PlanOptions,
  permissions: Permissions,
): Promise<PlanRow[]> {
  const matcher = createMatcher(farm.devices);
  const claims = new Claims();
  return mapInTurns(units, (unit) => {
    const row = planRow(unit, { farm, options, permissions, matcher });
    if (row.action === 'left out' || !row.values) return row;
    const twin = claims.claim(row);
    return twin === null ? row : leftOut(unit, row.device, twin);
  });
}

interface Context {
  readonly farm: PlanFarm;
  readonly options: PlanOptions;
  readonly permissions: Permissions;
  readonly matcher: Matcher;
}

function planRow(unit: FileUnit, { farm, options, permissions, matcher }: Context): PlanRow {
  const may = (level: 'Read' | 'Create' | 'Edit') => hasRight(permissions, can(resources[unit.kind], level));
  if (unit.faults.length > 0) return leftOut(unit, null, unit.faults.join(' '));
  if (!may('Read')) return leftOut(unit, null, `You may not see ${labels[unit.kind]} of this farm.`);
  const isReplacing = options.replaceIpcs && unit.kind === 'sprinkler';
  const { device, why } = matcher.find(unit, { byPlace: isReplacing });
  if (why !== null) return leftOut(unit, device, why);
  if (!may(device ? 'Edit' : 'Create'))
    return leftOut(unit, device, `You may not ${device ? 'change' : 'add'} ${labels[unit.kind]}.`);
  if (device && options.asSpares && !isSpare(device))
    return leftOut(
      unit,
      device,
      `It is in service as ${device.name}: only new units are imported as spares.`,
    );
  const groups = groupsAfter(unit, device, farm.groups, hasRight(permissions, can('groups', 'Create')));
  if (typeof groups === 'string') return leftOut(unit, device, groups);
  const values = valuesOf(unit, device, groups, farm, options);
  const isOther = device !== null && isOtherUnit(unit, device);
  const fault = faultOf(unit, device, values, { farm, matcher, isReplacing });
  if (fault !== null) return leftOut(unit, device, fault);
  const fields = fieldsOf(unit.kind, device, values);
  const base = { line: unit.line, kind: unit.kind, name: values.name, device, values, fields };
  if (fields.length === 0) return { ...base, action: 'same', why: '' };
  const far = farOf(device, values, farm);
  if (far !== null)
    return { ...base, action: 'choose', why: `This place is ${far}. Tick it if that is right.` };
  return { ...base, action: device ? 'change' : 'add', why: isOther ? REPLACED : '' };
}

const REPLACED =
  'Another unit stands there: it keeps the place and its history, and has still to get its schedule.';

const isOtherUnit = ({ serialNumber }: FileUnit, device: ContentDevice): boolean =>
  serialNumber !== undefined && serialKeyOf(serialNumber) !== serialKeyOf(device.serial_number);

function leftOut(unit: FileUnit, device: ContentDevice | null, why: string): PlanRow {
  const name = unit.name ?? device?.name ?? unit.serialNumber ?? '';
  return {
    line: unit.line,
    kind: unit.kind,
    name,
    action: 'left out',
    fields: [],
    why,
    device,
    values: null,
  };
}

function valuesOf(
  unit: FileUnit,
  device: ContentDevice | null,
  groups: readonly string[],
  { radio, knownMacs }: PlanFarm,
  options: PlanOptions,
): UnitValues {
  const serialNumber = unit.serialNumber ?? device?.serial_number ?? '';
  const found = knownMacs.get(serialNumber.toLowerCase()) ?? '';
  const mac = unit.macAddress ?? (device && !isOtherUnit(unit, device) ? device.mac : null) ?? found;
  const now = device && radioOf(device);
  return {
    name: unit.name ?? device?.name ?? '',
    serialNumber,
    macAddress: normaliseMac(mac) ?? mac,
    farmId: unit.farmId ?? now?.farmId ?? options.farmId ?? radio.farmId,
    channel: unit.channel ?? now?.channel ?? options.channel ?? radio.channel,
    lat: unit.lat ?? device?.lat ?? null,
    lng: unit.lng ?? device?.lng ?? null,
    groups,
    isSpare: device ? isSpare(device) : options.asSpares || unit.isSpare === true,
  };
}

interface Judged {
  readonly farm: PlanFarm;
  readonly matcher: Matcher;
  readonly isReplacing: boolean;
}

/** A sentence where the unit can't be as the row says. */
function faultOf(
  unit: FileUnit,
  device: ContentDevice | null,
  values: UnitValues,
  { farm: { land, takenMacs }, matcher, isReplacing }: Judged,
): string | null {
  const { lat, lng, macAddress } = values;
  // With the other one as it was, it would be a place that nobody has entered.
  if ((unit.lat === undefined) !== (unit.lng === undefined))
    return `It has a ${unit.lat === undefined ? 'longitude' : 'latitude'} only. A place needs both.`;
  if (device && isOtherUnit(unit, device)) {
    if (!isReplacing)
      return `${device.name} has the serial number ${device.serial_number}. A list changes no serial numbers: replace the unit instead.`;
    const [holder] = matcher.ofSerial(unit.serialNumber ?? '');
    if (holder) return `Its serial number is in use as ${holder.name}.`;
    if (macAddress === '') return 'The file says no MAC address of the new unit.';
  }
  if (lat !== null && lng !== null && Math.abs(lat) > 90 && Math.abs(lng) <= 90)
    return 'Latitude and longitude are the wrong way round: swap the columns.';
  // What isn't said stays, also where today's forms would ask for more.
  const errors = Object.entries(validateDevice(unit.kind, values)).filter(
    ([field]) => !device || wasReported(unit, field),
  );
  if (errors.length > 0) return errors.map(([, sentence]) => sentence).join(' ');
  if (lat !== null && lng !== null && (!device || device.lat !== lat || device.lng !== lng)) {
    const fault = validateFarPlace({ lat, lng }, land);
    if (fault !== null) return fault;
  }
  if (macAddress === device?.mac) return null;
  if (takenMacs.has(macAddress)) return 'Its MAC address is in use on another farm.';
  const holder = matcher.ofMac(macAddress);
  return holder && holder !== device ? `Its MAC address is in use as ${holder.name}.` : null;
}

const wasReported = (unit: FileUnit, field: string): boolean =>
  new Map<string, unknown>(Object.entries(unit)).get(field) !== undefined;

function fieldsOf(kind: FileUnit['kind'], device: ContentDevice | null, values: UnitValues): ImportField[] {
  const before = device && valuesNow(device);
  const names = kind === 'sprinkler' ? ofSprinkler : ofRepeater;
  return names.flatMap((field): ImportField[] => {
    const [from, to] = [textOf(before?.[field]), textOf(values[field])];
    return from === to || (!device && to === '') ? [] : [{ field, from, to }];
  });
}

const ofRepeater = ['name', 'serialNumber', 'macAddress', 'lat', 'lng'] as const;
const ofSprinkler = [...ofRepeater, 'farmId', 'channel', 'groups', 'isSpare'] as const;

function textOf(value: UnitValues[keyof UnitValues] | undefined): string {
  if (value === undefined || value === null || value === false) return '';
  if (value === true) return 'spare';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function valuesNow(device: ContentDevice): UnitValues {
  return {
    name: device.name,
    serialNumber: device.serial_number,
    macAddress: device.mac ?? '',
    ...radioOf(device),
    lat: device.lat,
    lng: device.lng,
    groups: device.groups.map(({ name }) => name).toSorted(),
    isSpare: isSpare(device),
  };
}

function farOf(device: ContentDevice | null, { lat, lng }: UnitValues, { land }: PlanFarm): string | null {
  if (lat === null || lng === null || (device?.lat === lat && device.lng === lng)) return null;
  return farFrom({ lat, lng }, land, null);
}

/** Two rows about one unit, or that would make two of one: the second is left out. */
class Claims {
  private readonly lines = new Map<string, number>();

  claim({ line, device, values }: PlanRow): string | null {
    if (!values) return null;
    const keys = [
      ...(device ? [['unit', `id ${device.id}`]] : []),
      ['serial number', `serial ${serialKeyOf(values.serialNumber)}`],
      ...(values.macAddress === '' ? [] : [['MAC address', `mac ${values.macAddress}`]]),
    ] as const;
    for (const [what, key] of keys) {
      const before = this.lines.get(key);
      if (before !== undefined) return `Line ${before} is about the same ${what}.`;
    }
    for (const [, key] of keys) this.lines.set(key, line);
    return null;
  }
}

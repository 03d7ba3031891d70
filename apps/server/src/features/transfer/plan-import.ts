import { radioOf } from '../devices/farm-radio.ts';
import { validateDevice } from '@headrace/contract/rules/device-form';
import { farFrom, type Land, validateFarPlace } from '@headrace/contract/rules/far-place';
import type { FileUnit, UnitField } from '@headrace/contract/rules/files/file-units';
import type { ImportAction, ImportField } from '@headrace/contract/imports';
import { can, hasRight, type Permissions } from '@headrace/contract/permissions';
import { normaliseMac } from '@headrace/device/topics';
import type { ContentDevice } from './farm-content.repo.ts';
import { isSpare } from './in-order.ts';
import { type FarmGroups, groupsAfter } from './plan-groups.ts';
import { mapInTurns } from '../../jobs/in-turns.ts';
import { createMatcher, type Matcher, serialKeyOf } from './match-units.ts';
import { ofField, ofRow, placedText, type UnitFault } from './unit-fault.ts';

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
    return twin === null ? row : leftOut(unit, row.device, placedText(unit, twin));
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
  const refuse = (device: ContentDevice | null, fault: UnitFault) =>
    leftOut(unit, device, placedText(unit, fault));
  if (!may('Read')) return leftOut(unit, null, `You may not see ${labels[unit.kind]} of this farm.`);
  const isReplacing = options.replaceIpcs && unit.kind === 'sprinkler';
  const { device, fault: unclear } = matcher.find(unit, { byPlace: isReplacing });
  if (unclear !== null) return refuse(device, unclear);
  if (!may(device ? 'Edit' : 'Create'))
    return leftOut(unit, device, `You may not ${device ? 'change' : 'add'} ${labels[unit.kind]}.`);
  if (device && options.asSpares && !isSpare(device))
    return refuse(
      device,
      ofRow(
        `It is in service as ${device.name}: only new units are imported as spares. Take it out, or import it without Import as Spares.`,
      ),
    );
  const groups = groupsAfter(unit, device, farm.groups, hasRight(permissions, can('groups', 'Create')));
  if (typeof groups === 'string') return refuse(device, ofField('groups', groups));
  const values = valuesOf(unit, device, groups, farm, options);
  const isOther = device !== null && isOtherUnit(unit, device);
  const faults = faultsOf(unit, device, values, { farm, matcher, isReplacing });
  if (faults.length > 0)
    return leftOut(unit, device, faults.map((fault) => placedText(unit, fault)).join(' '));
  const fields = fieldsOf(unit.kind, device, values);
  const base = { line: unit.line, kind: unit.kind, name: values.name, device, values, fields };
  if (fields.length === 0) return { ...base, action: 'same', why: '' };
  const asks = [zerosText(unit, device, matcher), farText(device, values, farm)].filter(Boolean);
  if (asks.length > 0) return { ...base, action: 'choose', why: asks.join(' ') };
  return { ...base, action: device ? 'change' : 'add', why: isOther ? REPLACED : '' };
}

/** A new unit that may be one of the farm whose serial number a spreadsheet has cut; else ''. */
function zerosText({ serialNumber = '' }: FileUnit, device: ContentDevice | null, matcher: Matcher): string {
  const known = device === null ? matcher.butForZeros(serialNumber) : undefined;
  return known
    ? `${known.name} has the serial number ${known.serial_number}: were zeros lost in a spreadsheet? Tick it if it is another unit.`
    : '';
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

/** Why the unit can't be as the row says. */
function faultsOf(
  unit: FileUnit,
  device: ContentDevice | null,
  values: UnitValues,
  judged: Judged,
): UnitFault[] {
  const ofOther = device && isOtherUnit(unit, device) ? replacementFault(unit, device, values, judged) : null;
  const fault = halfPlaceFault(unit) ?? ofOther ?? swappedFault(values);
  if (fault) return [fault];
  // What isn't said stays, also where today's forms would ask for more.
  const errors = (Object.entries(validateDevice(unit.kind, values)) as [UnitField, string][]).filter(
    ([field]) => !device || wasReported(unit, field),
  );
  if (errors.length > 0) return errors.map(([field, sentence]) => ofField(field, sentence));
  return [placeFault(device, values, judged) ?? macFault(device, values, judged) ?? []].flat();
}

/** With the other one as it was, it would be a place that nobody has entered. */
function halfPlaceFault({ lat, lng }: FileUnit): UnitFault | null {
  if ((lat === undefined) === (lng === undefined)) return null;
  const said = lat === undefined ? 'lng' : 'lat';
  return ofField(said, `It has a ${said === 'lng' ? 'longitude' : 'latitude'} only. A place needs both.`);
}

/** Of a row that puts another unit where the farm has one. */
function replacementFault(
  { serialNumber = '' }: FileUnit,
  device: ContentDevice,
  { macAddress }: UnitValues,
  { matcher, isReplacing }: Judged,
): UnitFault | null {
  const known = `${device.name} has the serial number ${device.serial_number}`;
  if (matcher.butForZeros(serialNumber) === device)
    return ofField('serialNumber', `${known}: were zeros lost in a spreadsheet? Format the column as text.`);
  if (!isReplacing)
    return ofField('serialNumber', `${known}. A list changes no serial numbers: replace the unit instead.`);
  const [holder] = matcher.ofSerial(serialNumber);
  if (holder) return ofField('serialNumber', `It is in use as ${holder.name}. Compare it with the label.`);
  return macAddress === '' ? ofRow('The file says no MAC address of the new unit. Add it.') : null;
}

const swappedFault = ({ lat, lng }: UnitValues): UnitFault | null =>
  lat !== null && lng !== null && Math.abs(lat) > 90 && Math.abs(lng) <= 90
    ? ofField('lat', 'Latitude and longitude are the wrong way round: swap the columns.')
    : null;

function placeFault(
  device: ContentDevice | null,
  { lat, lng }: UnitValues,
  { farm: { land } }: Judged,
): UnitFault | null {
  if (lat === null || lng === null || (device?.lat === lat && device.lng === lng)) return null;
  const fault = validateFarPlace({ lat, lng }, land);
  return fault === null ? null : ofField('lat', fault);
}

function macFault(
  device: ContentDevice | null,
  { macAddress }: UnitValues,
  { farm: { takenMacs }, matcher }: Judged,
): UnitFault | null {
  if (macAddress === device?.mac) return null;
  if (takenMacs.has(macAddress))
    return ofField('macAddress', 'It is in use on another farm. Compare it with the label.');
  const holder = matcher.ofMac(macAddress);
  return holder && holder !== device
    ? ofField('macAddress', `It is in use as ${holder.name}. Compare it with the label.`)
    : null;
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

/** Of a place that is hardly meant; else ''. */
function farText(device: ContentDevice | null, { lat, lng }: UnitValues, { land }: PlanFarm): string {
  if (lat === null || lng === null || (device?.lat === lat && device.lng === lng)) return '';
  const far = farFrom({ lat, lng }, land, null);
  return far === null ? '' : `This place is ${far}. Tick it if that is right.`;
}

/** Two rows about one unit, or that would make two of one: the second is left out. */
class Claims {
  private readonly lines = new Map<string, number>();

  claim({ line, device, values }: PlanRow): UnitFault | null {
    if (!values) return null;
    const keys: (readonly [UnitField | null, what: string, key: string])[] = [
      ...(device ? [[null, 'unit', `id ${device.id}`] as const] : []),
      ['serialNumber', 'serial number', `serial ${serialKeyOf(values.serialNumber)}`],
      ...(values.macAddress === ''
        ? []
        : [['macAddress', 'MAC address', `mac ${values.macAddress}`] as const]),
    ];
    for (const [field, what, key] of keys) {
      const before = this.lines.get(key);
      if (before !== undefined)
        return { field, text: `Line ${before} is about the same ${what}. Take one of them out.` };
    }
    for (const [, , key] of keys) this.lines.set(key, line);
    return null;
  }
}

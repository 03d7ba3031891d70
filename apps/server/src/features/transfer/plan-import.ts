import { farFrom, type Land } from '@headrace/contract/rules/far-place';
import type { FileUnit } from '@headrace/contract/rules/files/file-units';
import type { ImportAction, ImportField } from '@headrace/contract/imports';
import { can, hasRight, type Permissions } from '@headrace/contract/permissions';
import { normaliseMac } from '@headrace/device/topics';
import { breathe, mapInTurns } from '../../jobs/in-turns.ts';
import { radioOf } from '../devices/farm-radio.ts';
import type { ContentDevice } from './farm-content.repo.ts';
import { mayNot } from './fault-place.ts';
import { isSpare } from './in-order.ts';
import { type Held, isOtherUnit, judgeUnit } from './judge-unit.ts';
import { createMatcher, type Matcher } from './match-units.ts';
import { type FarmGroups, type GroupsAfter, groupsAfter } from './plan-groups.ts';
import { type OtherUnit, planSwaps } from './plan-swaps.ts';
import { planTwins } from './plan-twins.ts';
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
  /** What gateways are carrying out for units, by their ids: they call them by what they have now. */
  readonly onTheWay: ReadonlyMap<number, string>;
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
  /** Who on the farm has what it says. */
  readonly held: Held;
  /** What becomes of others when it is done. */
  readonly others: readonly OtherUnit[];
  /** Rows of the same number are done all or none. */
  readonly together?: number | undefined;
  /** What of the farm it makes its unit's own, such as a serial number: of rows with the same one at most is done. */
  readonly claims?: readonly string[] | undefined;
  /** It is done only in the place of a row before it. */
  readonly isInstead?: boolean | undefined;
  /** What it does where the unit stays in its lateral group; null: there is no such choice. */
  readonly staying: { readonly values: UnitValues; readonly fields: readonly ImportField[] } | null;
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
  const matcher = await createMatcher(farm.devices);
  const rows = await mapInTurns(units, (unit) => planRow(unit, { farm, options, permissions, matcher }));
  await breathe();
  const once = await planTwins(rows, (index, fault) => {
    const [unit, row] = [units[index], rows[index]] as [FileUnit, PlanRow];
    return leftOut(unit, row.device, placedText(unit, fault));
  });
  await breathe();
  return mapInTurns(planSwaps(once), (row) => askOfCommands(row, farm));
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
  if (!may('Read')) return refuse(null, ofRow(mayNot(`see ${labels[unit.kind]} of this farm`)));
  const isReplacing = options.replaceIpcs && unit.kind === 'sprinkler';
  const { device, fault: unclear } = matcher.find(unit, { byPlace: isReplacing });
  if (unclear !== null) return refuse(device, unclear);
  if (!may(device ? 'Edit' : 'Create'))
    return refuse(device, ofRow(mayNot(`${device ? 'change' : 'add'} ${labels[unit.kind]}`)));
  if (device && options.asSpares && !isSpare(device))
    return refuse(
      device,
      ofRow(
        `It is in service as ${device.name}: only new units are imported as spares. Take it out, or import it without Import as Spares.`,
      ),
    );
  const grouped = groupsAfter(unit, device, farm.groups, hasRight(permissions, can('groups', 'Create')));
  if (typeof grouped === 'string') return refuse(device, ofField('groups', grouped));
  const values = valuesOf(unit, device, grouped.groups, farm, options);
  const isOther = device !== null && isOtherUnit(unit, device);
  const { faults, held } = judgeUnit(unit, device, values, { farm, matcher, permissions, isReplacing });
  if (faults.length > 0)
    return leftOut(unit, device, faults.map((fault) => placedText(unit, fault)).join(' '));
  const fields = fieldsOf(unit.kind, device, values);
  const staying = stayingOf(unit, device, values, grouped);
  const base = { line: unit.line, kind: unit.kind, name: values.name, device, values, fields, held, staying };
  if (fields.length === 0) return { ...base, others: [], action: 'same', why: '' };
  const asks = [
    zerosText(unit, device, matcher),
    farText(device, values, farm),
    grouped.lateral ? lateralText(grouped.lateral) : '',
  ].filter(Boolean);
  const why = [...asks, ...(isOther ? [REPLACED] : [])].join(' ');
  if (asks.length > 0) return { ...base, others: [], action: 'choose', why };
  return { ...base, others: [], action: device ? 'change' : 'add', why };
}

function stayingOf(
  unit: FileUnit,
  device: ContentDevice | null,
  values: UnitValues,
  { lateral }: GroupsAfter,
): PlanRow['staying'] {
  if (!lateral) return null;
  const stays = { ...values, groups: lateral.staying };
  return { values: stays, fields: fieldsOf(unit.kind, device, stays) };
}

const lateralText = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  `It is in the lateral group ${from}, and a sprinkler is in one only: it moves to ${to}, or stays.`;

/** What a gateway needs to reach a unit. */
const OF_RADIO = new Set(['serialNumber', 'macAddress', 'farmId', 'channel']);

/** A gateway goes on calling a unit by what it had when a command was sent. */
function askOfCommands(row: PlanRow, { onTheWay }: PlanFarm): PlanRow {
  if (row.action === 'left out' || row.action === 'same') return row;
  const changing = [{ device: row.device, fields: row.fields }, ...row.others];
  const whys = changing.flatMap(({ device, fields }) => {
    const title = device === null ? undefined : onTheWay.get(device.id);
    if (!device || title === undefined || !fields.some(({ field }) => OF_RADIO.has(field))) return [];
    return `${title} is on its way to ${device.name}, and its gateway calls it by what it has now. Wait for its end and look again, or tick it to change it all the same.`;
  });
  if (whys.length === 0) return row;
  return { ...row, action: 'choose', why: [row.why, ...whys].filter(Boolean).join(' ') };
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
    held: {},
    others: [],
    staying: null,
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

import { validateDevice } from '@headrace/contract/rules/device-form';
import { validateFarPlace } from '@headrace/contract/rules/far-place';
import type { FileUnit, UnitField } from '@headrace/contract/rules/files/file-units';
import type { Permissions } from '@headrace/contract/permissions';
import type { ContentDevice } from './farm-content.repo.ts';
import { isPlaceholder } from './in-order.ts';
import { type Matcher, serialKeyOf } from './match-units.ts';
import { mayOf } from './place-kinds.ts';
import type { PlanFarm, UnitValues } from './plan-import.ts';
import { ofField, ofRow, type UnitFault } from './unit-fault.ts';

/** What tells units apart. */
export type Identity = 'serialNumber' | 'macAddress';
/** Units of the farm that have what a row says. Each could take in return what the row's own unit has. */
export type Held = Partial<Record<Identity, ContentDevice>>;

interface Judged {
  readonly farm: PlanFarm;
  readonly matcher: Matcher;
  readonly permissions: Permissions;
  readonly isReplacing: boolean;
}

export const isOtherUnit = ({ serialNumber }: FileUnit, device: ContentDevice): boolean =>
  serialNumber !== undefined && serialKeyOf(serialNumber) !== serialKeyOf(device.serial_number);

/** Why the unit can't be as the row says; else who has what it says. */
export function judgeUnit(
  unit: FileUnit,
  device: ContentDevice | null,
  values: UnitValues,
  judged: Judged,
): { readonly faults: readonly UnitFault[]; readonly held: Held } {
  const refuse = (...faults: readonly UnitFault[]) => ({ faults, held: {} });
  const ofOther = device && isOtherUnit(unit, device) ? replacementFault(unit, device, values, judged) : null;
  const fault = halfPlaceFault(unit) ?? ofOther ?? swappedFault(values);
  if (fault) return refuse(fault);
  // What isn't said stays, also where today's forms would ask for more.
  const errors = (Object.entries(validateDevice(unit.kind, values)) as [UnitField, string][]).filter(
    ([field]) => !device || wasReported(unit, field),
  );
  if (errors.length > 0) return refuse(...errors.map(([field, sentence]) => ofField(field, sentence)));
  const impossible = placeFault(device, values, judged);
  if (impossible) return refuse(impossible);
  const taken = [...inUse(device, values, judged)].map(([field, holders]) => {
    return { field, holders, fault: takenFault(field, device, holders, judged) };
  });
  const found = taken.flatMap(({ fault: of }) => of ?? []);
  if (found.length > 0) return refuse(...found);
  return { faults: [], held: Object.fromEntries(taken.map(({ field, holders }) => [field, holders[0]])) };
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

/** What of it others have, and who of this farm; nobody: somebody on another farm, of whom nothing is told. */
function inUse(
  device: ContentDevice | null,
  { serialNumber, macAddress }: UnitValues,
  { farm: { takenMacs }, matcher }: Judged,
): Map<Identity, readonly ContentDevice[]> {
  const found = new Map<Identity, readonly ContentDevice[]>();
  const isOwnSerial = device !== null && serialKeyOf(device.serial_number) === serialKeyOf(serialNumber);
  const ofSerial = isOwnSerial ? [] : matcher.ofSerial(serialNumber).filter((holder) => holder !== device);
  if (ofSerial.length > 0) found.set('serialNumber', ofSerial);
  const ofMac = macAddress === '' || macAddress === device?.mac ? undefined : matcher.ofMac(macAddress);
  if (takenMacs.has(macAddress)) found.set('macAddress', []);
  else if (ofMac && ofMac !== device) found.set('macAddress', [ofMac]);
  return found;
}

/** Null: the one that has it could have in return what this one has. */
function takenFault(
  field: Identity,
  device: ContentDevice | null,
  [holder, ...others]: readonly ContentDevice[],
  { permissions }: Judged,
): UnitFault | null {
  const compare = 'Compare it with the label.';
  if (!holder) return ofField(field, `It is in use on another farm. ${compare}`);
  if (others.length > 0) return ofField(field, `${others.length + 1} units have it. ${compare}`);
  if (!mayOf(permissions, holder.kind, 'Read'))
    return ofField(field, `It is in use by a device that you may not see. ${compare}`);
  const isSwap =
    device !== null &&
    holder.kind === device.kind &&
    !isPlaceholder(holder) &&
    (field === 'serialNumber' ? device.serial_number !== '' : device.mac !== null);
  return isSwap ? null : ofField(field, `It is in use as ${holder.name}. ${compare}`);
}

const wasReported = (unit: FileUnit, field: string): boolean =>
  new Map<string, unknown>(Object.entries(unit)).get(field) !== undefined;

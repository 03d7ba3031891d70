import {
  validateDevice,
  type DeviceErrors,
  type DeviceForm,
  type DeviceFormKind,
} from '@headrace/contract/rules/device-form';
import { normaliseMac } from '@headrace/device/topics';
import type { Db } from '../../db/client.ts';
import type { DeviceKind, DeviceRow } from '../../db/schema.ts';
import { invalid, notFound } from '../../http/errors.ts';

/** Devices of another kind answer to their own calls: here they don't exist. */
export function requireKind(device: DeviceRow, kind: DeviceKind): void {
  if (device.kind !== kind) throw notFound();
}

/** Throws invalid with the sentence of the form, naming the field. */
export function checkForm(kind: DeviceFormKind, form: DeviceForm, isConverted = false): void {
  const fieldErrors: DeviceErrors = validateDevice(kind, form, isConverted);
  for (const [field, sentence] of Object.entries(fieldErrors)) throw invalid(sentence, field);
}

/** Upper case and nothing between the digits; of what the schema and the form have checked. */
export function macOf(given: string): string {
  const mac = normaliseMac(given);
  if (!mac) throw invalid('MAC address must be 12 or 16 hex digits.', 'macAddress');
  return mac;
}

interface Texts {
  readonly name: string;
  readonly description?: string | undefined;
  readonly serialNumber: string;
  readonly macAddress: string;
}

/** Columns of what all radio devices have, without blanks around them. A description that isn't given stays as it is. */
export function identityOf({ name, description, serialNumber, macAddress }: Texts) {
  return {
    name: name.trim(),
    serial_number: serialNumber.trim(),
    mac: macOf(macAddress),
    ...(description !== undefined && { description: description.trim() }),
  };
}

/** The place that was entered; one that wasn't given stays as it is, null takes it away. */
export function placeOf({ lat, lng }: { lat?: number | null; lng?: number | null }): {
  lat?: number | null;
  lng?: number | null;
} {
  return lat === undefined && lng === undefined ? {} : { lat: lat ?? null, lng: lng ?? null };
}

/** Whose radio it is heard by; nothing when that wasn't given. Throws invalid when the farm has no such gateway. */
export async function gatewayOf(
  db: Db,
  farmId: number,
  uid: string | null | undefined,
): Promise<{ gateway_id?: number | null }> {
  if (uid === undefined) return {};
  if (uid === null) return { gateway_id: null };
  const row = await db
    .selectFrom('device')
    .select('id')
    .where('farm_id', '=', farmId)
    .where('uid', '=', uid.toLowerCase())
    .where('kind', '=', 'gateway')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw invalid('This farm has no such gateway. Please choose one of its gateways.', 'gatewayUID');
  return { gateway_id: row.id };
}

/** Members that were given. */
export function given<T extends object>(members: T) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}

import {
  all,
  atLeast,
  atMost,
  isNumber,
  line,
  lines,
  radioChannel,
  radioFarmId,
  required,
  type Rule,
} from './form-rules.ts';

export type DeviceFormKind = 'sprinkler' | 'repeater' | 'gateway' | 'sensor' | 'poi';
/** Sprinklers and repeaters show their name on the map in little room, and so does what a point is converted to. */
export const SHORT_NAME_MAX = 5;
export const LONG_NAME_MAX = 40;
export const SERIAL_NUMBER_MAX = 40;
export const DESCRIPTION_MAX = 250;

/** What the forms of devices hold: fields as typed; what a kind doesn't have is left out. */
export interface DeviceForm {
  readonly name: string;
  readonly description?: string | undefined;
  readonly serialNumber?: string | undefined;
  readonly macAddress?: string | undefined;
  readonly farmId?: string | undefined;
  readonly channel?: number | string | null | undefined;
  readonly lat?: number | string | null | undefined;
  readonly lng?: number | string | null | undefined;
}
export type DeviceErrors = Partial<Record<keyof DeviceForm, string>>;

/** 12 or 16 hex digits; blanks, colons, dashes and dots between them are let be. Zeros alone and Fs alone are no device's. */
export const macAddress =
  (label = 'MAC address'): Rule =>
  (value) => {
    const digits = (typeof value === 'string' ? value : '').replaceAll(/[\s:.-]/g, '');
    if (digits === '') return null;
    if (!/^([0-9A-Fa-f]{12}|[0-9A-Fa-f]{16})$/.test(digits)) return `${label} must be 12 or 16 hex digits.`;
    return /^(0+|F+)$/i.test(digits)
      ? `${label} can't be zeros alone or Fs alone: that is no device's. Please enter the one on its label.`
      : null;
  };

const nameOf = (length: number) => all(required('Name'), line('Name', length));
const serialNumber = all(required('Serial number'), line('Serial number', SERIAL_NUMBER_MAX));
const mac = all(required('MAC address'), macAddress());
const degrees = (label: string, most: number): Rule =>
  all(isNumber(label), atLeast(label, -most, '°'), atMost(label, most, '°'));

/**
 * One sentence for each field that is wrong; none when the device can be saved. Browser and server both ask here. `isConverted`:
 * the form that makes a device of a point of interest, where names are short for all kinds.
 */
export function validateDevice(kind: DeviceFormKind, form: DeviceForm, isConverted = false): DeviceErrors {
  const isShort = isConverted || kind === 'sprinkler' || kind === 'repeater';
  const fieldErrors = {
    name: nameOf(isShort ? SHORT_NAME_MAX : LONG_NAME_MAX)(form.name),
    ...(kind !== 'poi' && {
      serialNumber: serialNumber(form.serialNumber),
      macAddress: mac(form.macAddress),
    }),
    farmId: radioFarmId()(form.farmId),
    channel: radioChannel()(form.channel),
    ...placeErrors(kind, form),
    description: lines('Description', DESCRIPTION_MAX)(form.description),
  };
  return Object.fromEntries(Object.entries(fieldErrors).filter(([, sentence]) => sentence !== null));
}

/** Both coordinates or neither; a point of interest has them. */
function placeErrors(kind: DeviceFormKind, { lat, lng }: DeviceForm) {
  const isMissing = (value: unknown) => value === undefined || value === null || value === '';
  const isNeeded = kind === 'poi' || !isMissing(lat) || !isMissing(lng);
  return {
    lat: isNeeded && isMissing(lat) ? 'Latitude is required.' : degrees('Latitude', 90)(lat),
    lng: isNeeded && isMissing(lng) ? 'Longitude is required.' : degrees('Longitude', 180)(lng),
  };
}

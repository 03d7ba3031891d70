import { validateDevice, type DeviceForm, type DeviceFormKind } from '@headrace/contract/rules/device-form';
import type { LatLng } from '@headrace/contract/schemas';
import type { FieldLabels } from '../../forms/conflict-dialog.tsx';
import type { FieldErrors } from '../../forms/use-record-form.ts';
import { placeText } from '../../device-records/place-text.ts';

/** What the forms of all devices hold. */
export interface DeviceValues {
  name: string;
  description: string;
  serialNumber: string;
  macAddress: string;
  place: LatLng | null;
}

export const newDevice: DeviceValues = {
  name: '',
  description: '',
  serialNumber: '',
  macAddress: '',
  place: null,
};

/** What no two devices share: empty in the form of the next one. */
export const newIdentity = { description: '', serialNumber: '', macAddress: '' };

/** The record's rules, with what is wrong with the place at the place. */
export function validateEntries(
  kind: DeviceFormKind,
  { place, ...values }: Omit<DeviceForm, 'lat' | 'lng'> & { place: LatLng | null },
): FieldErrors {
  const { lat, lng, ...fieldErrors } = validateDevice(kind, { ...values, ...place });
  const fault = kind === 'poi' && place === null ? 'Location is required: tap the map.' : (lat ?? lng);
  return { ...fieldErrors, ...(fault && { place: fault }) };
}

export const deviceLabels: FieldLabels<DeviceValues> = {
  name: { label: 'Name' },
  description: { label: 'Description' },
  serialNumber: { label: 'Serial number' },
  macAddress: { label: 'MAC address' },
  place: { label: 'Location', text: placeText },
};

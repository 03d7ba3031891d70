import type { Api } from '@headrace/contract/api';
import { gatewayTypes } from '@headrace/contract/gateway-types';
import type { Gateway } from '@headrace/contract/gateways';
import type { LatLng } from '@headrace/contract/schemas';
import type { FieldLabels } from '../../forms/conflict-dialog.tsx';
import { type EnteredNumber, enteredNumber } from '../../forms/fields.tsx';
import type { FieldErrors } from '../../forms/use-record-form.ts';
import { sentPlace } from '../../device-records/place-text.ts';
import { gatewayTypeLabels } from '../../device-records/gateway-view-model.ts';
import { validateEntries, type DeviceValues, deviceLabels, newDevice } from '../devices/device-values.ts';

type Entry = Api['POST /gateway']['body'];

/** What the form of a gateway holds. */
export interface GatewayValues extends DeviceValues {
  type: string;
  channel: EnteredNumber;
  spfactor: EnteredNumber;
}

/** spec 1 §9 */
const FIRST = { channel: 1, spfactor: 10 } as const;
const SPFACTOR_MAX = 255;

export const newGateway: GatewayValues = { ...newDevice, type: String(gatewayTypes.INC), ...FIRST };

export const valuesOf = (gateway: Gateway, place: LatLng | null): GatewayValues => ({
  name: gateway.name,
  description: gateway.description,
  serialNumber: gateway.serialNumber,
  macAddress: gateway.macAddress,
  place,
  type: String(gateway.type),
  channel: gateway.channel,
  spfactor: gateway.spfactor,
});

export const entryOf = ({ place, ...values }: GatewayValues): Omit<Entry, 'farmUID'> => ({
  name: values.name.trim(),
  description: values.description.trim(),
  serialNumber: values.serialNumber.trim(),
  macAddress: values.macAddress.trim(),
  ...sentPlace(place),
  type: Number(values.type) as Entry['type'],
  channel: enteredNumber(values.channel) ?? FIRST.channel,
  spfactor: enteredNumber(values.spfactor) ?? FIRST.spfactor,
});

export function validateGateway(values: GatewayValues): FieldErrors {
  const factor = enteredNumber(values.spfactor) ?? FIRST.spfactor;
  const isFine = Number.isInteger(factor) && factor >= 1 && factor <= SPFACTOR_MAX;
  return {
    ...validateEntries('gateway', values),
    ...(!isFine && { spfactor: `Spreading factor must be a whole number from 1 to ${SPFACTOR_MAX}.` }),
  };
}

export const typeText = (type: string): string => gatewayTypeLabels[Number(type)] ?? type;
export const typeOptions = Object.values(gatewayTypes).map((type) => ({
  value: String(type),
  label: gatewayTypeLabels[type] ?? String(type),
}));

export const gatewayLabels: FieldLabels<GatewayValues> = {
  ...deviceLabels,
  type: { label: 'Type', text: typeText },
  channel: { label: 'Radio channel' },
  spfactor: { label: 'Spreading factor' },
};

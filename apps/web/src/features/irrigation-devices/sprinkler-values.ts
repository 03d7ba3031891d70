import type { Api } from '@headrace/contract/api';
import { commsModes } from '@headrace/contract/comms-modes';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import { SHORT_NAME_MAX } from '@headrace/contract/rules/device-form';
import type { Radio } from '@headrace/contract/rules/spare-readiness';
import type { FieldLabels } from '../../forms/conflict-dialog.tsx';
import { type EnteredNumber, enteredNumber } from '../../forms/fields.tsx';
import type { FieldErrors } from '../../forms/use-record-form.ts';
import { placeOf, sentPlace } from '../../device-records/place-text.ts';
import { sprinklerTypeLabels } from '../../device-records/sprinkler-view-model.ts';
import { commsModeText } from '../../device-records/comms-modes.ts';
import { validateEntries, type DeviceValues, deviceLabels, newDevice } from '../devices/device-values.ts';

export { SHORT_NAME_MAX };

/** What the form of a sprinkler holds. */
export interface SprinklerValues extends DeviceValues {
  farmId: string;
  channel: EnteredNumber;
  commsMode: string;
  type: string;
  groups: readonly string[];
  gatewayUID: string;
  isSpareUnit: boolean;
  isPartSprinkler: boolean;
}

/** spec 1 §9 */
export const FIRST_RADIO: Radio = { farmId: '01:01', channel: 1 };

/** spec 1 §3: comms mode Local, type IPC, neither spare nor part. */
export const newSprinkler = ({ farmId, channel }: Radio): SprinklerValues => ({
  ...newDevice,
  farmId,
  channel,
  commsMode: String(commsModes.Local),
  type: '0',
  groups: [],
  gatewayUID: '',
  isSpareUnit: false,
  isPartSprinkler: false,
});

export const valuesOf = (unit: Ipc): SprinklerValues => ({
  name: unit.name,
  description: unit.description,
  serialNumber: unit.serialNumber,
  macAddress: unit.macAddress,
  place: placeOf(unit),
  farmId: unit.farmId,
  channel: unit.channel,
  commsMode: String(unit.commsMode),
  type: String(unit.type),
  groups: unit.groups,
  gatewayUID: unit.gatewayUID ?? '',
  isSpareUnit: unit.isSpareUnit,
  isPartSprinkler: unit.isPartSprinkler,
});

/** What is sent of it. An empty channel is 1. */
export function entryOf(values: SprinklerValues): Omit<Api['POST /ipc']['body'], 'farmUID'> {
  return {
    name: values.name.trim(),
    description: values.description.trim(),
    serialNumber: values.serialNumber.trim(),
    macAddress: values.macAddress.trim(),
    ...sentPlace(values.place),
    farmId: values.farmId.trim() || FIRST_RADIO.farmId,
    channel: enteredNumber(values.channel) ?? FIRST_RADIO.channel,
    commsMode: Number(values.commsMode),
    type: Number(values.type),
    groups: [...values.groups],
    gatewayUID: values.gatewayUID || null,
    isPartSprinkler: values.isPartSprinkler,
  };
}

export const validateSprinkler = (values: SprinklerValues): FieldErrors =>
  validateEntries('sprinkler', values);

const options = (labels: readonly string[]) => labels.map((label, n) => ({ value: String(n), label }));
export const typeOptions = options(sprinklerTypeLabels);

export const sprinklerText = (
  groups: ReadonlyMap<string, string>,
  gateways: ReadonlyMap<string, string>,
): FieldLabels<SprinklerValues> => ({
  ...deviceLabels,
  farmId: { label: 'Radio farm ID' },
  channel: { label: 'Radio channel' },
  commsMode: { label: 'Comms mode', text: (mode) => commsModeText(Number(mode)) },
  type: { label: 'Type', text: (type) => sprinklerTypeLabels[Number(type)] ?? type },
  groups: { label: 'Groups', text: (ids) => ids.map((id) => groups.get(id) ?? id).join(', ') },
  gatewayUID: { label: 'Gateway', text: (id) => gateways.get(id) ?? id },
  isSpareUnit: { label: 'Spare unit' },
  isPartSprinkler: { label: 'Part sprinkler' },
});

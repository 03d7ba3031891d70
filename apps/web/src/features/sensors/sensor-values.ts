import type { Api } from '@headrace/contract/api';
import {
  firstCommsMode,
  NEW_SENSOR_CHANNEL,
  newSensorSettings,
} from '@headrace/contract/rules/sensor-settings';
import { sensorTypes, tankTypes } from '@headrace/contract/sensor-types';
import type { SensorRecord, SensorType } from '@headrace/contract/sensors';
import { serverNow } from '../../api/server-time.ts';
import type { FieldLabels } from '../../forms/conflict-dialog.tsx';
import { type EnteredNumber, enteredNumber } from '../../forms/fields.tsx';
import type { FieldErrors } from '../../forms/use-record-form.ts';
import { placeOf, sentPlace } from '../../device-records/place-text.ts';
import { sensorTypeText } from '../../device-records/sensor-labels.ts';
import { commsModeText } from '../../device-records/comms-modes.ts';
import { validateEntries, type DeviceValues, deviceLabels, newDevice } from '../devices/device-values.ts';
import {
  validateSettings,
  entered,
  type EnteredSettings,
  sentSettings,
  settingsOfType,
} from './entered-settings.ts';

/** What the form of a sensor holds. */
export interface SensorValues extends DeviceValues {
  type: string;
  channel: EnteredNumber;
  commsMode: string;
  gatewayUID: string;
  settings: EnteredSettings;
}

export const newSensor: SensorValues = {
  ...newDevice,
  type: String(sensorTypes.TLM_V3),
  channel: NEW_SENSOR_CHANNEL,
  commsMode: String(firstCommsMode('')),
  gatewayUID: '',
  settings: entered(newSensorSettings(sensorTypes.TLM_V3)),
};

export const valuesOf = (sensor: SensorRecord): SensorValues => ({
  name: sensor.name,
  description: sensor.description,
  serialNumber: sensor.serialNumber,
  macAddress: sensor.macAddress,
  place: placeOf(sensor),
  type: String(sensor.type),
  channel: sensor.channel,
  commsMode: String(sensor.settings.commsMode ?? firstCommsMode(sensor.macAddress)),
  gatewayUID: sensor.gatewayUID ?? '',
  settings: entered(sensor.settings),
});

export const entryOf = ({
  place,
  ...values
}: SensorValues): Omit<Api['POST /sensor']['body'], 'farmUID'> => ({
  name: values.name.trim(),
  description: values.description.trim(),
  serialNumber: values.serialNumber.trim(),
  macAddress: values.macAddress.trim(),
  type: Number(values.type) as SensorType,
  ...sentPlace(place),
  channel: enteredNumber(values.channel) ?? NEW_SENSOR_CHANNEL,
  gatewayUID: values.gatewayUID || null,
  settings: {
    ...sentSettings(Number(values.type), values.settings),
    commsMode: Number(values.commsMode),
  },
});

export const validateSensor = (values: SensorValues): FieldErrors => ({
  ...validateEntries('sensor', values),
  ...validateSettings(Number(values.type), values.settings, new Date(serverNow())),
});

const isTank = (type: string) => tankTypes.includes(Number(type));

/** Another type has other settings: what is entered of them stays, the rest begins as for a new sensor. The offset of a tank
 * and the zero value of a meter only share their name. */
export function withType(values: SensorValues, type: string): Partial<SensorValues> {
  const first = entered(newSensorSettings(Number(type)));
  const kept = Object.fromEntries(
    settingsOfType(Number(type))
      .filter((name) => name !== 'offset' || isTank(values.type) === isTank(type))
      .filter((name) => values.settings[name] !== null && values.settings[name] !== '')
      .map((name) => [name, values.settings[name]]),
  );
  return { type, settings: { ...first, ...kept } };
}

/** The comms mode goes with the MAC until somebody chooses another. */
export function withMac({ macAddress: before, commsMode }: SensorValues, macAddress: string) {
  const isFirst = commsMode === String(firstCommsMode(before));
  return { macAddress, ...(isFirst && { commsMode: String(firstCommsMode(macAddress)) }) };
}

export const sensorText = (gateways: ReadonlyMap<string, string>): FieldLabels<SensorValues> => ({
  ...deviceLabels,
  type: { label: 'Type', text: sensorTypeText },
  channel: { label: 'Radio channel' },
  commsMode: { label: 'Comms mode', text: (mode) => commsModeText(Number(mode)) },
  gatewayUID: { label: 'Gateway', text: (id) => gateways.get(id) ?? id },
  settings: { label: 'Settings', text: settingsText },
});

const settingsText = (settings: EnteredSettings): string =>
  Object.entries(settings)
    .filter(([, value]) => value !== null && value !== '' && value !== false)
    .map(([name, value]) => `${name} ${value === true ? 'on' : String(value)}`)
    .join(', ');

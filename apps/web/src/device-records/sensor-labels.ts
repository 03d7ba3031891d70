import { sensorTypes } from '@headrace/contract/sensor-types';
import type { SensorRecord, SensorType } from '@headrace/contract/sensors';
import type { Standing } from './device-record.ts';

export const sensorTypeLabels: Record<SensorType, string> = {
  [sensorTypes.TLM_V3]: 'Tank level, TLM V3',
  [sensorTypes.LEVEL]: 'Tank level',
  [sensorTypes.LEVEL_MM]: 'Tank level, mm',
  [sensorTypes.LEVEL_SCALAR]: 'Tank level, scaled',
  [sensorTypes.SOIL_MOISTURE]: 'Soil moisture',
  [sensorTypes.FLOW]: 'Flow',
  [sensorTypes.FLOW_PULSE]: 'Flow, pulses',
  [sensorTypes.FLOW_ANALOG]: 'Flow, analog',
  [sensorTypes.SWITCH]: 'Switch',
};

export const sensorTypeText = (type: string | number): string =>
  sensorTypeLabels[Number(type) as SensorType] ?? String(type);

/** The commonest first. */
const inOrder: readonly SensorType[] = [
  sensorTypes.TLM_V3,
  sensorTypes.LEVEL,
  sensorTypes.LEVEL_MM,
  sensorTypes.LEVEL_SCALAR,
  sensorTypes.SOIL_MOISTURE,
  sensorTypes.FLOW,
  sensorTypes.FLOW_PULSE,
  sensorTypes.FLOW_ANALOG,
  sensorTypes.SWITCH,
];
export const sensorTypeOptions = inOrder.map((type) => ({
  value: String(type),
  label: sensorTypeLabels[type],
}));

/** spec 1 §3 */
export const sensorStatuses = { Unknown: 1, Normal: 2, Irregular: 3, Unreachable: 4 } as const;

/** All that the class says is when a sensor was heard: it is told in the words and colours of all other screens. */
const never: Standing = { condition: 'issue', label: 'Never contacted' };
const silent: Standing = { condition: 'issue', label: 'Out of contact' };
const standings: Record<number, Standing> = {
  [sensorStatuses.Unknown]: never,
  [sensorStatuses.Normal]: { condition: 'ok', label: 'In contact' },
  [sensorStatuses.Irregular]: silent,
  [sensorStatuses.Unreachable]: silent,
};

export const sensorStanding = ({ status }: Pick<SensorRecord, 'status'>): Standing =>
  standings[status] ?? never;

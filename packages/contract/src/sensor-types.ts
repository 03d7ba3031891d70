// Numbers only, no schema: the browser carries this file.

import { sensorMessages, sensorTypes } from '@headrace/device/numbers';

/** spec 1 §3: sensor types and numbers of a sensor's messages. */
export { sensorMessages, sensorTypes };

/** What to set on a sensor by radio. D100_FlowReset has no config: it zeroes the accumulated flow from then on. */
export const sensorConfigTypes = {
  LegacyTlm_PumpControl: 1,
  D100_PumpControl: sensorMessages.D100_PumpControl,
  D100_FlowReset: sensorMessages.D100_FlowReset,
} as const;

export const meterTypes: readonly number[] = [
  sensorTypes.FLOW,
  sensorTypes.FLOW_ANALOG,
  sensorTypes.FLOW_PULSE,
];

export const tankTypes: readonly number[] = [
  sensorTypes.LEVEL_MM,
  sensorTypes.LEVEL_SCALAR,
  sensorTypes.LEVEL,
  sensorTypes.TLM_V3,
];

// Numbers only, no schema: the browser carries this file.

/** spec 1 §3: sensor types by number. */
export const sensorTypes = {
  LEVEL_MM: 0,
  FLOW_ANALOG: 1,
  SOIL_MOISTURE: 2,
  FLOW_PULSE: 3,
  FLOW: 4,
  LEVEL_SCALAR: 5,
  LEVEL: 6,
  SWITCH: 7,
  TLM_V3: 100,
} as const;

/** Numbers of a sensor's messages; D100 is a TLM_V3, whose type is 100. spec 1 §3 */
export const sensorMessages = {
  ACK: 2,
  /** Level and battery. */
  D100_Level: 101,
  D100_Flow: 102,
  /** How well its radio is heard. */
  D100_CommsHealth: 103,
  D100_PumpControl: 111,
  D100_FlowReset: 112,
} as const;

/** What to set on a sensor by radio. D100_FlowReset has no config: it zeroes the accumulated flow from then on. */
export const sensorConfigTypes = {
  LegacyTlm_PumpControl: 1,
  D100_PumpControl: sensorMessages.D100_PumpControl,
  D100_FlowReset: sensorMessages.D100_FlowReset,
} as const;

export const tankTypes: readonly number[] = [
  sensorTypes.LEVEL_MM,
  sensorTypes.LEVEL_SCALAR,
  sensorTypes.LEVEL,
  sensorTypes.TLM_V3,
];

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
export const tankTypes: readonly number[] = [
  sensorTypes.LEVEL_MM,
  sensorTypes.LEVEL_SCALAR,
  sensorTypes.LEVEL,
  sensorTypes.TLM_V3,
];

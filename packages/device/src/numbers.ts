// Numbers only, no schema: the browser carries this file.

/** Gateway types by number, as `up/hello` has them. */
export const gatewayTypes = { INC: 0, LORA: 1, IMSG_V1: 100, LSG_V1: 101, IMSG_V2: 102 } as const;

/** Sensor types by number. */
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

/** Numbers of a sensor's messages; D100 is a TLM_V3, whose type is 100. */
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

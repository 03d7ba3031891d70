// Numbers only, no schema: the browser carries this file.

/** spec 1 §3: gateway types by number. */
export const gatewayTypes = { INC: 0, LORA: 1, IMSG_V1: 100, LSG_V1: 101, IMSG_V2: 102 } as const;

/** These speak for sprinklers and repeaters; the others for sensors alone. */
export const sprinklerGateways: readonly number[] = [
  gatewayTypes.INC,
  gatewayTypes.IMSG_V1,
  gatewayTypes.IMSG_V2,
];

// Numbers only, no schema: the browser carries this file.

import { gatewayTypes } from '@headrace/device/numbers';

/** spec 1 §3: gateway types by number. */
export { gatewayTypes };

/** These speak for sprinklers and repeaters; the others for sensors alone. */
export const sprinklerGateways: readonly number[] = [
  gatewayTypes.INC,
  gatewayTypes.IMSG_V1,
  gatewayTypes.IMSG_V2,
];

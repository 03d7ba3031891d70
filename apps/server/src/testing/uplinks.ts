import type { Sender } from '../mqtt/transport.ts';

export interface UplinkContent {
  fPort?: number;
  fCnt?: number;
  at?: string;
  /** What the network server decoded itself. */
  object?: object;
}

/** As ChirpStack v4 publishes it, without what it doesn't need. */
export function chirpstackUplink(devEui: string, hex: string, content: UplinkContent = {}) {
  const { fPort = 1, fCnt = 7, at = '2026-11-20T20:14:07Z', object } = content;
  const eui = devEui.toLowerCase();
  return {
    topic: `application/app/device/${eui}/event/up`,
    body: {
      time: at,
      deviceInfo: { devEui: eui },
      fPort,
      fCnt,
      data: Buffer.from(hex, 'hex').toString('base64'),
      ...(object && { object }),
    },
  };
}

export const networkServerOf = (farmId: number): Sender => ({ kind: 'network', farmId, keyId: 1 });

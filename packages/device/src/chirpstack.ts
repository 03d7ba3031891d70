import { Type, type Static } from 'typebox';

/**
 * The `up` event of ChirpStack v4's MQTT integration, JSON encoding: the members we use. Members of the value zero are left out by the
 * network server, so frame counter and port default to 0.
 */
export const ChirpstackUplink = Type.Object({
  deduplicationId: Type.Optional(Type.String({ maxLength: 100 })),
  time: Type.String({ maxLength: 64, description: "the network's receive time, any offset" }),
  deviceInfo: Type.Object({
    devEui: Type.String({ pattern: '^[0-9A-Fa-f]{16}$' }),
    applicationId: Type.Optional(Type.String()),
    deviceName: Type.Optional(Type.String()),
  }),
  fCnt: Type.Optional(Type.Integer({ minimum: 0 })),
  fPort: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
  data: Type.Optional(Type.String({ maxLength: 1024, description: 'the payload in base64' })),
  object: Type.Optional(Type.Unknown({ description: 'the payload as the network server decoded it' })),
  rxInfo: Type.Optional(
    Type.Array(
      Type.Object({
        gatewayId: Type.Optional(Type.String()),
        rssi: Type.Optional(Type.Number()),
        snr: Type.Optional(Type.Number()),
      }),
    ),
  ),
});
export type ChirpstackUplink = Static<typeof ChirpstackUplink>;

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
        gatewayId: Type.Optional(Type.String({ maxLength: 200 })),
        rssi: Type.Optional(Type.Number()),
        snr: Type.Optional(Type.Number()),
      }),
      { maxItems: 200 },
    ),
  ),
});
export type ChirpstackUplink = Static<typeof ChirpstackUplink>;

/** The other events of ChirpStack v4: the members we use of join, status, ack, log and location. Zero and false are left out. */
export const ChirpstackEvent = Type.Object({
  time: Type.String({ maxLength: 64 }),
  deviceInfo: Type.Object({ devEui: Type.String({ pattern: '^[0-9A-Fa-f]{16}$' }) }),
  margin: Type.Optional(Type.Integer({ minimum: -128, maximum: 127, description: 'dB' })),
  externalPowerSource: Type.Optional(Type.Boolean()),
  batteryLevelUnavailable: Type.Optional(Type.Boolean()),
  batteryLevel: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: '%' })),
  acknowledged: Type.Optional(Type.Boolean()),
  level: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  location: Type.Optional(
    Type.Object({
      latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
      longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
      accuracy: Type.Optional(Type.Number()),
    }),
  ),
});
export type ChirpstackEvent = Static<typeof ChirpstackEvent>;

import { Type, type Static } from 'typebox';

/** The uplink message of The Things Stack v3's MQTT server: the members we use. Members of the value zero are left out. */
export const TheThingsStackUplink = Type.Object({
  end_device_ids: Type.Object({
    device_id: Type.String(),
    dev_eui: Type.String({ pattern: '^[0-9A-Fa-f]{16}$' }),
    application_ids: Type.Optional(Type.Object({ application_id: Type.Optional(Type.String()) })),
  }),
  received_at: Type.Optional(Type.String({ maxLength: 64 })),
  simulated: Type.Optional(
    Type.Boolean({ description: "made in the network server's console: not sent by a device" }),
  ),
  uplink_message: Type.Object({
    received_at: Type.Optional(Type.String({ maxLength: 64 })),
    f_port: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
    f_cnt: Type.Optional(Type.Integer({ minimum: 0 })),
    frm_payload: Type.Optional(Type.String({ maxLength: 1024, description: 'the payload in base64' })),
    decoded_payload: Type.Optional(
      Type.Unknown({ description: 'the payload as the network server decoded it' }),
    ),
    normalized_payload: Type.Optional(
      Type.Unknown({ description: 'measurements in names and units of the network server' }),
    ),
    rx_metadata: Type.Optional(
      Type.Array(
        Type.Object({
          gateway_ids: Type.Optional(
            Type.Object({ gateway_id: Type.Optional(Type.String({ maxLength: 200 })) }),
          ),
          rssi: Type.Optional(Type.Number()),
          snr: Type.Optional(Type.Number()),
        }),
        { maxItems: 200 },
      ),
    ),
    last_battery_percentage: Type.Optional(
      Type.Object({ value: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: '%' })) }),
    ),
  }),
});
export type TheThingsStackUplink = Static<typeof TheThingsStackUplink>;

/** The other messages of The Things Stack v3: the members we use of join, down/ack, down/nack, down/failed and location/solved. */
export const TheThingsStackEvent = Type.Object({
  end_device_ids: Type.Object({ dev_eui: Type.Optional(Type.String({ pattern: '^[0-9A-Fa-f]{16}$' })) }),
  received_at: Type.Optional(Type.String({ maxLength: 64 })),
  simulated: Type.Optional(Type.Boolean()),
  downlink_failed: Type.Optional(
    Type.Object({
      error: Type.Optional(
        Type.Object({ name: Type.Optional(Type.String()), message_format: Type.Optional(Type.String()) }),
      ),
    }),
  ),
  location_solved: Type.Optional(
    Type.Object({
      location: Type.Optional(
        Type.Object({
          latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
          longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
          accuracy: Type.Optional(Type.Number()),
        }),
      ),
    }),
  ),
});
export type TheThingsStackEvent = Static<typeof TheThingsStackEvent>;

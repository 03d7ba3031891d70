import { Type, type Static } from 'typebox';

/** The uplink message of The Things Stack v3's MQTT server: the members we use. Members of the value zero are left out. */
export const TheThingsStackUplink = Type.Object({
  end_device_ids: Type.Object({
    device_id: Type.String(),
    dev_eui: Type.String({ pattern: '^[0-9A-Fa-f]{16}$' }),
    application_ids: Type.Optional(Type.Object({ application_id: Type.Optional(Type.String()) })),
  }),
  received_at: Type.Optional(Type.String({ maxLength: 64 })),
  uplink_message: Type.Object({
    received_at: Type.Optional(Type.String({ maxLength: 64 })),
    f_port: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
    f_cnt: Type.Optional(Type.Integer({ minimum: 0 })),
    frm_payload: Type.Optional(Type.String({ maxLength: 1024, description: 'the payload in base64' })),
    decoded_payload: Type.Optional(
      Type.Unknown({ description: 'the payload as the network server decoded it' }),
    ),
    rx_metadata: Type.Optional(
      Type.Array(Type.Object({ rssi: Type.Optional(Type.Number()), snr: Type.Optional(Type.Number()) })),
    ),
  }),
});
export type TheThingsStackUplink = Static<typeof TheThingsStackUplink>;

import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import {
  Description,
  farmOfList,
  LongName,
  MacAddress,
  place,
  placeWarning,
  RadioChannel,
  SerialNumber,
  Version,
} from './devices.ts';
import { LatLng, LineText, nullable, Success, Time, Uid } from './schemas.ts';
import { Undoable } from './undo.ts';
import { needs } from './permissions.ts';
import { gatewayTypes } from './gateway-types.ts';

export { gatewayTypes };

export const Gateway = Type.Object({
  _id: Uid,
  name: Type.String(),
  siteName: Type.String(),
  macAddress: Type.String(),
  serialNumber: Type.String(),
  type: Type.Integer(),
  farmUID: Uid,
  location: LatLng,
  settings: Type.Record(Type.String(), Type.Unknown()),
  info: Type.Record(Type.String(), Type.Unknown()),
  latestStatus: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  statusTime: nullable(Time),
  connected: Type.Boolean(),
  description: Type.String(),
  channel: Type.Integer(),
  spfactor: Type.Integer(),
  /** It has acknowledged the newest list of its units. */
  sync: Type.Boolean({ description: 'true: it is behind with its list of units' }),
  version: Version,
  updatedAt: Time,
});
export type Gateway = Static<typeof Gateway>;

export const getGateway = defineEndpoint({
  key: 'GET /gateway',
  tag: 'Gateways',
  summary: 'One gateway with what it last reported',
  needs: needs.readGateways,
  target: { device: { in: 'query', name: 'deviceId' } },
  query: Type.Object({ deviceId: Uid }),
  reply: Gateway,
});

const gatewayFields = {
  name: LongName,
  description: Type.Optional(Description),
  serialNumber: SerialNumber,
  macAddress: MacAddress,
  type: Type.Unsafe<(typeof gatewayTypes)[keyof typeof gatewayTypes]>({
    type: 'integer',
    enum: Object.values(gatewayTypes),
  }),
  channel: Type.Optional(RadioChannel),
  spfactor: Type.Optional(Type.Integer({ minimum: 1, maximum: 255 })),
  ...place,
};

export const gatewayDevices = defineEndpoint({
  key: 'GET /gateway/devices',
  tag: 'Gateways',
  summary: "The farm's gateways",
  needs: needs.readGateways,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ ...farmOfList, gateways: Type.Array(Gateway) }),
});

export const createGateway = defineEndpoint({
  key: 'POST /gateway',
  once: true,
  tag: 'Gateways',
  summary: 'Add a gateway. Its device key is shown once',
  needs: needs.createGateways,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, ...gatewayFields }),
  reply: Type.Object({ id: Uid, userName: Type.String(), password: Type.String(), ...placeWarning }),
});

export const updateGateway = defineEndpoint({
  key: 'PUT /gateway',
  tag: 'Gateways',
  summary:
    'Change a gateway. 409 with the newer record when somebody else changed it since `version`. With another MAC its key ends: make a new one',
  needs: needs.editGateways,
  target: { device: { in: 'body', name: 'id' } },
  body: Type.Object({ id: Uid, version: Type.Optional(Version), ...gatewayFields }),
  reply: Type.Object({ ...Gateway.properties, ...placeWarning }),
});

export const deleteGateway = defineEndpoint({
  key: 'DELETE /gateway',
  tag: 'Gateways',
  summary: 'Take a gateway off the farm: it is disconnected, its history stays',
  needs: needs.deleteGateways,
  target: { device: { in: 'query', name: 'deviceId' } },
  query: Type.Object({ deviceId: Uid }),
  reply: Undoable,
});

export const IntegrationKey = Type.Object({
  _id: Uid,
  name: Type.String(),
  userName: Type.String({ description: 'MQTT user name of the network server' }),
  createdAt: Time,
  lastUsedAt: nullable(Time),
});
export type IntegrationKey = Static<typeof IntegrationKey>;

export const createIntegrationKey = defineEndpoint({
  key: 'POST /integration-key',
  once: true,
  tag: 'Gateways',
  summary:
    'Make a key with which a LoRaWAN network server may send for this farm. The password is shown once',
  needs: needs.createGateways,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, name: LineText({ minLength: 1, maxLength: 40 }) }),
  reply: Type.Object({ id: Uid, userName: Type.String(), password: Type.String() }),
});

export const listIntegrationKeys = defineEndpoint({
  key: 'GET /integration-keys',
  tag: 'Gateways',
  summary: "The farm's integration keys, without their passwords",
  needs: needs.readGateways,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ keys: Type.Array(IntegrationKey) }),
});

export const deleteIntegrationKey = defineEndpoint({
  key: 'DELETE /integration-key',
  tag: 'Gateways',
  summary: 'Withdraw a key: its network server is disconnected',
  needs: needs.deleteGateways,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid, keyUID: Uid }),
  reply: Success,
});

export const rotateDeviceKey = defineEndpoint({
  key: 'POST /gateway/rotate-key',
  tag: 'Gateways',
  summary: 'Give a gateway a new device key, shown once; the old one ends at once',
  needs: needs.editGateways,
  target: { device: { in: 'body', name: 'deviceId' } },
  body: Type.Object({ deviceId: Uid }),
  reply: Type.Object({ userName: Type.String(), password: Type.String() }),
});

import Type, { type Static } from 'typebox';
import {
  Created,
  Description,
  Epoch,
  farmOfList,
  MacAddress,
  place,
  placeWarning,
  ReplacedAt,
  SerialNumber,
  ShortName,
  Version,
} from './devices.ts';
import { defineEndpoint } from './endpoint.ts';
import { can } from './permissions.ts';
import { nullable, Success, Time, Uid } from './schemas.ts';
import { Undoable } from './undo.ts';

const tag = 'Repeaters';

export const Repeater = Type.Object({
  _id: Uid,
  farmUID: Uid,
  name: Type.String(),
  description: Type.String(),
  serialNumber: Type.String(),
  macAddress: Type.String(),
  farmId: Type.String({ description: 'of the radio' }),
  lat: nullable(Type.Number()),
  lng: nullable(Type.Number()),
  gatewayUID: nullable(Uid),
  charge: nullable(Type.Number({ description: '%' })),
  chargeAt: nullable(Type.Number({ description: 'when it said that, epoch ms' })),
  pollTime: Epoch,
  statusTime: Epoch,
  replaceBatteryAt: nullable(Time),
  version: Version,
  updatedAt: Time,
});
export type Repeater = Static<typeof Repeater>;

const fields = {
  name: ShortName,
  description: Type.Optional(Description),
  serialNumber: SerialNumber,
  macAddress: MacAddress,
  gatewayUID: Type.Optional(nullable(Uid)),
  ...place,
};

export const repeaterDevices = defineEndpoint({
  key: 'GET /repeater/devices',
  tag,
  summary: "The farm's repeaters. `sync`: the gateway has not acknowledged the newest list",
  needs: { anyOf: [can('repeaters', 'Read')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({
    ...farmOfList,
    farmId: Type.String(),
    sync: Type.Boolean(),
    repeaters: Type.Array(Repeater),
  }),
});

export const getRepeater = defineEndpoint({
  key: 'GET /repeater',
  tag,
  summary: 'One repeater',
  needs: { anyOf: [can('repeaters', 'Read')] },
  target: { device: { in: 'query', name: 'deviceId' } },
  query: Type.Object({ deviceId: Uid }),
  reply: Repeater,
});

export const createRepeater = defineEndpoint({
  key: 'POST /repeater',
  once: true,
  tag,
  summary: 'Add a repeater',
  needs: { anyOf: [can('repeaters', 'Create')] },
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, ...fields }),
  reply: Created,
});

export const updateRepeater = defineEndpoint({
  key: 'PUT /repeater',
  tag,
  summary: 'Change a repeater. 409 with the newer record when somebody else changed it since `version`',
  needs: { anyOf: [can('repeaters', 'Edit')] },
  target: { device: { in: 'body', name: 'id' } },
  body: Type.Object({ id: Uid, version: Type.Optional(Version), ...fields }),
  reply: Type.Object({ ...Repeater.properties, ...placeWarning }),
});

export const deleteRepeater = defineEndpoint({
  key: 'DELETE /repeater',
  tag,
  summary: 'Take a repeater off the farm; its history stays',
  needs: { anyOf: [can('repeaters', 'Delete')] },
  target: { device: { in: 'query', name: 'deviceId' } },
  query: Type.Object({ deviceId: Uid }),
  reply: Undoable,
});

export const replaceRepeaterBattery = defineEndpoint({
  key: 'POST /repeater/replace-battery',
  tag,
  summary: 'Record that the battery was replaced now, or at a time of the last days',
  needs: { anyOf: [can('repeaters', 'Edit')] },
  target: { device: { in: 'body', name: 'rptrUID' } },
  body: Type.Object({ rptrUID: Uid, at: ReplacedAt }),
  reply: Success,
});

export const groupsAndIpcsForRepeater = defineEndpoint({
  key: 'GET /farm/groups-and-ipcs-for-repeater',
  tag,
  summary: "The farm's groups and sprinklers, to choose whom a repeater serves",
  needs: { anyOf: [can('repeaters', 'Read')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({
    groups: Type.Array(Type.Object({ _id: Uid, name: Type.String() })),
    ipcs: Type.Array(
      Type.Object({ _id: Uid, name: Type.String(), serialNumber: Type.String(), groups: Type.Array(Uid) }),
    ),
  }),
});

import Type, { type Static } from 'typebox';
import {
  Created,
  Description,
  Latitude,
  Longitude,
  LongName,
  MacAddress,
  placeWarning,
  RadioChannel,
  RadioFarmId,
  SerialNumber,
  ShortName,
  Version,
} from './devices.ts';
import { defineEndpoint } from './endpoint.ts';
import { Ipc } from './irrigation-devices.ts';
import { can, flag } from './permissions.ts';
import { Time, Uid } from './schemas.ts';
import { Undoable } from './undo.ts';
import { SensorRecord, SensorType } from './sensors.ts';

const tag = 'Points of interest';

export const Poi = Type.Object({
  _id: Uid,
  farmUID: Uid,
  name: Type.String(),
  description: Type.String(),
  lat: Type.Number(),
  lng: Type.Number(),
  icon: Type.String(),
  groups: Type.Array(Uid),
  version: Version,
  createdAt: Time,
  updatedAt: Time,
});
export type Poi = Static<typeof Poi>;

/** What a point may be drawn as. */
export const poiIcons = ['pin', 'gate', 'hydrant', 'pump', 'valve', 'trough', 'shed', 'hazard'] as const;
export type PoiIcon = (typeof poiIcons)[number];

const fields = {
  name: LongName,
  description: Type.Optional(Description),
  lat: Latitude,
  lng: Longitude,
  icon: Type.Optional(Type.Unsafe<PoiIcon>({ type: 'string', enum: [...poiIcons] })),
};

export const listPois = defineEndpoint({
  key: 'GET /pois',
  tag,
  summary: "The farm's points of interest",
  needs: { anyOf: [can('pois', 'Read')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ pois: Type.Array(Poi) }),
});

export const getPoi = defineEndpoint({
  key: 'GET /poi',
  tag,
  summary: 'One point of interest',
  needs: { anyOf: [can('pois', 'Read')] },
  target: { device: { in: 'query', name: 'poiUID' } },
  query: Type.Object({ poiUID: Uid }),
  reply: Poi,
});

export const createPoi = defineEndpoint({
  key: 'POST /poi',
  once: true,
  tag,
  summary: 'Add a point of interest',
  needs: { anyOf: [can('pois', 'Create')] },
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, ...fields }),
  reply: Created,
});

export const updatePoi = defineEndpoint({
  key: 'PUT /poi',
  tag,
  summary:
    'Change a point of interest. 409 with the newer record when somebody else changed it since `version`',
  needs: { anyOf: [can('pois', 'Edit')] },
  target: { device: { in: 'body', name: 'id' } },
  body: Type.Object({ id: Uid, version: Type.Optional(Version), ...fields }),
  reply: Type.Object({ ...Poi.properties, ...placeWarning }),
});

export const deletePoi = defineEndpoint({
  key: 'DELETE /poi',
  tag,
  summary: 'Take a point of interest off the farm',
  needs: { anyOf: [can('pois', 'Delete')] },
  target: { device: { in: 'query', name: 'poiUID' } },
  query: Type.Object({ poiUID: Uid }),
  reply: Undoable,
});

const convertNeeds = [flag('convertIrrigationDevices'), can('pois', 'Delete')] as const;

export const convertPoiToIpc = defineEndpoint({
  key: 'POST /poi/convert',
  tag,
  summary:
    'Make a sprinkler of a point: a spare with this serial number goes into service there, else a new one is added',
  needs: { allOf: [...convertNeeds, can('irrigationDevices', 'Create')] },
  target: { device: { in: 'body', name: 'poiUID' } },
  body: Type.Object({
    poiUID: Uid,
    name: ShortName,
    serialNumber: SerialNumber,
    macAddress: MacAddress,
    channel: Type.Optional(RadioChannel),
    farmId: Type.Optional(RadioFarmId),
  }),
  reply: Type.Object({ ipc: Type.Intersect([Ipc, Type.Object({ condition: Type.Integer() })]) }),
});

export const convertPoiToSensor = defineEndpoint({
  key: 'POST /poi/sensorconv',
  tag,
  summary: 'Make a sensor of a point',
  needs: { allOf: [...convertNeeds, can('sensors', 'Create')] },
  target: { device: { in: 'body', name: 'poiUID' } },
  body: Type.Object({
    poiUID: Uid,
    name: ShortName,
    serialNumber: SerialNumber,
    macAddress: MacAddress,
    type: SensorType,
    channel: Type.Optional(RadioChannel),
    spfactor: Type.Optional(Type.Integer({ minimum: 1, maximum: 255 })),
  }),
  reply: Type.Object({
    sensor: Type.Intersect([
      SensorRecord,
      Type.Object({ value: Type.Number(), valueInLitres: Type.Number() }),
    ]),
  }),
});

import Type, { type Static } from 'typebox';
import { FieldMapping } from '@headrace/device/field-mapping';
import { defineEndpoint } from './endpoint.ts';
import {
  Created,
  Description,
  Epoch,
  farmOfList,
  LongName,
  MacAddress,
  place,
  placeWarning,
  RadioChannel,
  SerialNumber,
  Version,
} from './devices.ts';
import { DayText, LineText, nullable, Success, Time, Uid } from './schemas.ts';
import { Undoable } from './undo.ts';
import { needs } from './permissions.ts';
import { sensorConfigTypes, sensorTypes, tankTypes } from './sensor-types.ts';

export { sensorTypes, tankTypes };
export type SensorType = (typeof sensorTypes)[keyof typeof sensorTypes];
export const SensorType = Type.Unsafe<SensorType>({ type: 'integer', enum: Object.values(sensorTypes) });

/** Bounds that people are told of in a sentence are in rules/sensor-settings; these keep out what is no measure at all. */
const measure = (description: string) =>
  Type.Optional(Type.Number({ minimum: -1e9, maximum: 1e9, description }));

export const SensorSettings = Type.Object({
  offset: measure('mm below the sensor that it does not see'),
  height: measure('mm'),
  toplevel: Type.Optional(Type.Number({ minimum: 1, description: 'mm of water when full' })),
  volume: measure('litres'),
  unit: Type.Optional(LineText({ maxLength: 16 })),
  spfactor: Type.Optional(Type.Number({ minimum: 1, maximum: 1e9 })),
  enabledFlow: Type.Optional(Type.Boolean()),
  flowDirection: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 1 }))),
  litrePerPulse: measure('litres'),
  sensorInstallDate: Type.Optional(nullable(Time)),
  sensorSerialNumber: Type.Optional(LineText({ maxLength: 40 })),
  temp_channel: Type.Optional(Type.Integer({ minimum: 0, maximum: 16 })),
  swp1_name: Type.Optional(LineText({ maxLength: 40 })),
  swp2_name: Type.Optional(LineText({ maxLength: 40 })),
  swp3_name: Type.Optional(LineText({ maxLength: 40 })),
  swp4_name: Type.Optional(LineText({ maxLength: 40 })),
  commsMode: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3,
      description: 'Mesh 0, Local 1, Hybrid 2, LoRa 3; unless given, LoRa with a DevEUI and else Local',
    }),
  ),
});
export type SensorSettings = Static<typeof SensorSettings>;

const sensorFields = {
  name: LongName,
  description: Type.Optional(Description),
  serialNumber: SerialNumber,
  macAddress: MacAddress,
  type: SensorType,
  ...place,
  channel: Type.Optional(RadioChannel),
  gatewayUID: Type.Optional(nullable(Uid)),
  settings: Type.Optional(SensorSettings),
  mapping: Type.Optional(FieldMapping),
};

/** A sensor as lists and forms have it. */
export const SensorRecord = Type.Object({
  _id: Uid,
  farmUID: Uid,
  name: Type.String(),
  description: Type.String(),
  serialNumber: Type.String(),
  macAddress: Type.String(),
  type: SensorType,
  lat: nullable(Type.Number()),
  lng: nullable(Type.Number()),
  channel: Type.Integer(),
  settings: SensorSettings,
  gatewayUID: nullable(Uid),
  statusTime: Epoch,
  status: Type.Integer({ description: 'Unknown 1, Normal 2, Irregular 3, Unreachable 4' }),
  version: Version,
  createdAt: Time,
  updatedAt: Time,
});
export type SensorRecord = Static<typeof SensorRecord>;

export const createSensor = defineEndpoint({
  key: 'POST /sensor',
  once: true,
  tag: 'Sensors',
  summary: 'Add a sensor. A LoRaWAN sensor has its DevEUI as macAddress and a mapping of its decoded fields',
  needs: needs.createSensors,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, ...sensorFields }),
  reply: Created,
  status: 201,
});

export const deleteSensor = defineEndpoint({
  key: 'DELETE /sensor',
  tag: 'Sensors',
  summary: 'Take a sensor off the farm; its history stays',
  needs: { anyOf: [{ resource: 'sensors', level: 'Delete' }] },
  target: { device: { in: 'query', name: 'deviceId' } },
  query: Type.Object({ deviceId: Uid }),
  reply: Undoable,
});

const ofFarm = { farm: { in: 'query', name: 'farmUid' } } as const;
const ofSensor = { device: { in: 'query', name: 'deviceId' } } as const;

export const sensorDevices = defineEndpoint({
  key: 'GET /sensor/devices',
  tag: 'Sensors',
  summary: "The farm's sensors",
  needs: needs.readSensors,
  target: ofFarm,
  query: Type.Object({ farmUid: Uid }),
  reply: Type.Object({ ...farmOfList, sensors: Type.Array(SensorRecord) }),
});

export const sensorList = defineEndpoint({
  key: 'GET /sensor/list',
  tag: 'Sensors',
  summary: "The farm's sensors of these types (`0,6`), or whose name or serial number has this in it",
  needs: needs.readSensors,
  target: ofFarm,
  query: Type.Object({
    farmUid: Uid,
    type: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,3}(,[0-9]{1,3}){0,20}$',
        description: 'numbers of sensor types, like 0,6',
      }),
    ),
    filter: Type.Optional(Type.String({ maxLength: 60 })),
  }),
  reply: Type.Object({
    sensors: Type.Array(
      Type.Object({ id: Uid, name: Type.String(), serialNumber: Type.String(), type: SensorType }),
    ),
  }),
});

export const getSensor = defineEndpoint({
  key: 'GET /sensor',
  tag: 'Sensors',
  summary: 'One sensor',
  needs: needs.readSensors,
  target: ofSensor,
  query: Type.Object({ deviceId: Uid }),
  reply: SensorRecord,
});

export const updateSensor = defineEndpoint({
  key: 'PUT /sensor',
  tag: 'Sensors',
  summary: 'Change a sensor. 409 with the newer record when somebody else changed it since `version`',
  needs: needs.editSensors,
  target: { device: { in: 'body', name: 'id' } },
  body: Type.Object({ id: Uid, version: Type.Optional(Version), ...sensorFields }),
  reply: Type.Object({ ...SensorRecord.properties, ...placeWarning }),
});

export const updateSensorSettings = defineEndpoint({
  key: 'POST /sensor/settingsupdate',
  tag: 'Sensors',
  summary: "Change a sensor's settings alone",
  needs: needs.editSensors,
  target: { device: { in: 'body', name: 'sensorUid' } },
  body: Type.Object({ sensorUid: Uid, settings: SensorSettings }),
  reply: Success,
});

export const SensorMonitor = Type.Object({
  sensorUid: Uid,
  name: Type.String(),
  type: SensorType,
  statusTime: nullable(Time),
  status: Type.Integer({
    minimum: 1,
    maximum: 4,
    description: 'Unknown 1, Normal 2, Irregular 3, Unreachable 4',
  }),
  /** The sensor spoke, and what it said can't be true. */
  invalid: Type.Boolean(),
  /** What it tells of, in `unit`; `rawValue` as it was sent. A switch: 1 on, 0 off. */
  value: nullable(Type.Number()),
  rawValue: nullable(Type.Number()),
  battery: nullable(Type.Number({ description: '%' })),
  unit: Type.String(),
  /** Since when a switch stands as it does; null for other sensors. */
  since: nullable(Time),
});
export type SensorMonitor = Static<typeof SensorMonitor>;

export const monitorSensor = defineEndpoint({
  key: 'GET /sensor/monitor',
  tag: 'Sensors',
  summary: 'What a sensor says now, and how long ago it was heard',
  needs: needs.readSensors,
  target: { device: { in: 'query', name: 'sensorUid' } },
  query: Type.Object({ sensorUid: Uid }),
  reply: SensorMonitor,
});

export const sensorDataTypes = ['value', 'battery', 'flow', 'usage', 'temperature'] as const;

export const sensorHistory = defineEndpoint({
  key: 'GET /sensor-history/:id',
  tag: 'Sensors',
  summary:
    "A sensor's history from a day up to and with another: readings up to 8 days, hours up to 60, days beyond",
  needs: needs.readSensors,
  target: { device: { in: 'query', name: 'id' } },
  query: Type.Object({
    id: Uid,
    startDate: DayText,
    endDate: DayText,
    dataType: Type.Unsafe<(typeof sensorDataTypes)[number]>({ type: 'string', enum: [...sensorDataTypes] }),
  }),
  reply: Type.Object({
    unit: Type.String(),
    history: Type.Array(Type.Object({ time: Time, value: nullable(Type.Number()) })),
  }),
});

const configType = Type.Unsafe<(typeof sensorConfigTypes)[keyof typeof sensorConfigTypes]>({
  type: 'integer',
  enum: Object.values(sensorConfigTypes),
});

/** Rules that people are told of in a sentence are in rules/pump-control. */
export const PumpSettings = Type.Object({
  highSetpoint: Type.Number({ description: '%' }),
  lowSetpoint: Type.Number({ description: '%' }),
  relayControl: Type.Boolean(),
  maxRunTime: Type.Number({ description: 'min; 0 = no limit' }),
});
export type PumpSettings = Static<typeof PumpSettings>;

export const createConfigUpdate = defineEndpoint({
  key: 'POST /sensor/configupdate',
  tag: 'Sensors',
  summary: 'Set something on a sensor by radio: pending until the device says that it has done it',
  needs: needs.editSensors,
  target: { device: { in: 'body', name: 'deviceId' } },
  body: Type.Object({
    deviceId: Uid,
    sensorType: SensorType,
    configType,
    config: Type.Union([PumpSettings, Type.Object({}, { additionalProperties: false })]),
  }),
  reply: Type.Object({ success: Type.Boolean(), configId: Uid }),
});

export const deleteConfigUpdate = defineEndpoint({
  key: 'DELETE /sensor/configupdate',
  tag: 'Sensors',
  summary: 'Withdraw a setting that the device has not taken yet',
  needs: needs.editSensors,
  target: { device: { in: 'query', name: 'deviceId' } },
  query: Type.Object({ deviceId: Uid, configId: Uid }),
  reply: Success,
});

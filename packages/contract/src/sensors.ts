import Type, { type Static } from 'typebox';
import { FieldMapping } from '@headrace/device/field-mapping';
import { defineEndpoint } from './endpoint.ts';
import { nullable, Success, Uid } from './schemas.ts';
import { needs } from './permissions.ts';
import { sensorTypes, tankTypes } from './sensor-types.ts';

export { sensorTypes, tankTypes };
export type SensorType = (typeof sensorTypes)[keyof typeof sensorTypes];
export const SensorType = Type.Unsafe<SensorType>({ type: 'integer', enum: Object.values(sensorTypes) });

export const SensorSettings = Type.Object({
  offset: Type.Optional(Type.Number({ minimum: 0, description: 'mm below the sensor that it does not see' })),
  height: Type.Optional(Type.Number({ minimum: 0, description: 'mm' })),
  toplevel: Type.Optional(Type.Number({ minimum: 1, description: 'mm of water when full' })),
  volume: Type.Optional(Type.Number({ minimum: 0, description: 'litres' })),
  unit: Type.Optional(Type.String({ maxLength: 16 })),
  spfactor: Type.Optional(Type.Number({ minimum: 1 })),
  enabledFlow: Type.Optional(Type.Boolean()),
  flowDirection: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 1 }))),
  litrePerPulse: Type.Optional(Type.Number({ minimum: 1 })),
});
export type SensorSettings = Static<typeof SensorSettings>;

const Mac = Type.String({
  pattern: '^([0-9A-Fa-f]{12}|[0-9A-Fa-f]{16})$',
  description: '12 or 16 hex digits',
});

const sensorFields = {
  name: Type.String({ minLength: 1, maxLength: 40 }),
  description: Type.Optional(Type.String({ maxLength: 250 })),
  serialNumber: Type.String({ minLength: 1, maxLength: 40 }),
  macAddress: Mac,
  type: SensorType,
  lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  lng: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  settings: Type.Optional(SensorSettings),
  mapping: Type.Optional(FieldMapping),
};

export const createSensor = defineEndpoint({
  key: 'POST /sensor',
  tag: 'Sensors',
  summary: 'Add a sensor. A LoRaWAN sensor has its DevEUI as macAddress and a mapping of its decoded fields',
  needs: needs.createSensors,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, ...sensorFields }),
  reply: Type.Object({ id: Uid }),
  status: 201,
});

export const deleteSensor = defineEndpoint({
  key: 'DELETE /sensor',
  tag: 'Sensors',
  summary: 'Take a sensor off the farm; its history stays',
  needs: { anyOf: [{ resource: 'sensors', level: 'Delete' }] },
  target: { device: { in: 'query', name: 'deviceId' } },
  query: Type.Object({ deviceId: Uid }),
  reply: Success,
});

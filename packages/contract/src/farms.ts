import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { LatLng, nullable, Time, Uid } from './schemas.ts';
import { flags, needs, resources } from './permissions.ts';

export const FarmIcon = Type.Union([
  Type.Literal('farm-blue'),
  Type.Literal('farm-green'),
  Type.Literal('farm-orange'),
  Type.Literal('farm-purple'),
  Type.Literal('farm-red'),
]);
export type FarmIcon = Static<typeof FarmIcon>;

export const WaterApplication = Type.Object({
  type: Type.Union([Type.Literal('SystemDesign'), Type.Literal('SprinklerParameters')]),
  wal: Type.Number({ minimum: 1, description: 'mm' }),
  duration: Type.Number({ minimum: 1, description: 'min' }),
  sprinklerFlow: Type.Number({ minimum: 0, description: 'L/s' }),
  sprinklerWidth: Type.Number({ minimum: 0, description: 'm' }),
  sprinklerLength: Type.Number({ minimum: 0, description: 'm' }),
  sprinklerCoverage: Type.Number({ minimum: 0, description: 'm2' }),
});
export type WaterApplication = Static<typeof WaterApplication>;
export const defaultWaterApplication: WaterApplication = {
  type: 'SystemDesign',
  wal: 5,
  duration: 30,
  sprinklerFlow: 4,
  sprinklerWidth: 35,
  sprinklerLength: 40,
  sprinklerCoverage: 1400,
};

export const Timezone = Type.Object({
  timeZoneId: Type.String(),
  rawOffset: Type.Integer({ description: 'seconds' }),
  dstOffset: Type.Integer({ description: 'seconds' }),
  dstEnabled: Type.Boolean(),
});
export type Timezone = Static<typeof Timezone>;

export const FarmCard = Type.Object({
  _id: Uid,
  accountId: Uid,
  name: Type.String(),
  description: Type.String(),
  icon: FarmIcon,
  tankOnly: Type.Boolean(),
  subscriptionValidUntil: Time,
  lat: Type.Number(),
  lng: Type.Number(),
  walConf: WaterApplication,
});
export type FarmCard = Static<typeof FarmCard>;

/** Units of a farm by what needs a person, for the home page. */
export const FarmSummary = Type.Object({
  farmUID: Uid,
  tanks: Type.Integer(),
  tanksOutOfContact: Type.Integer(),
  tanksLow: Type.Integer(),
  tanksLowBattery: Type.Integer(),
  tanksLeaking: Type.Integer(),
  gateways: Type.Integer(),
  gatewaysOffline: Type.Integer(),
  sprinklers: Type.Integer(),
  lastContact: nullable(Time),
});
export type FarmSummary = Static<typeof FarmSummary>;

export const Farm = Type.Object({
  id: Uid,
  uid: Uid,
  accountId: Uid,
  name: Type.String(),
  description: Type.String(),
  lat: Type.Number(),
  lng: Type.Number(),
  size: Type.Number({ description: 'ha' }),
  boundary: Type.Array(LatLng),
  icon: FarmIcon,
  tankOnly: Type.Boolean(),
  v3Site: Type.Boolean(),
  walConfig: WaterApplication,
  timezone: Timezone,
  createdAt: Time,
  updatedAt: Time,
});
export type Farm = Static<typeof Farm>;

export const farmsCard = defineEndpoint({
  key: 'GET /farms-card',
  tag: 'Farms',
  summary: 'Cards of the farms that the caller may read, by name',
  needs: needs.login,
  reply: Type.Array(FarmCard),
});

export const farmsSummary = defineEndpoint({
  key: 'GET /farms-summary',
  tag: 'Farms',
  summary: 'What needs a person on each farm that the caller may read',
  needs: needs.login,
  reply: Type.Object({ farms: Type.Array(FarmSummary) }),
});

export const getFarm = defineEndpoint({
  key: 'GET /farm',
  tag: 'Farms',
  summary: 'One farm',
  needs: needs.readFarm,
  target: { farm: { in: 'query', name: 'uid' } },
  query: Type.Object({ uid: Uid }),
  reply: Farm,
});

export const FarmPermissions = Type.Object({
  farmUID: Uid,
  ...Object.fromEntries(resources.map((name) => [name, Type.Integer({ minimum: 0, maximum: 31 })])),
  ...Object.fromEntries(flags.map((name) => [name, Type.Boolean()])),
});

export const permissionsList = defineEndpoint({
  key: 'GET /permissions-list',
  tag: 'Access',
  summary: "The caller's permissions on every farm",
  needs: needs.login,
  reply: Type.Object({ permissions: Type.Array(FarmPermissions) }),
});

import Type, { type Static } from 'typebox';
import { Attention } from './attention.ts';
import { defineEndpoint } from './endpoint.ts';
import { Version } from './devices.ts';
import { LatLng, LineText, nullable, Success, Time, TypedText, Uid } from './schemas.ts';
import { can, flags, needs, resources } from './permissions.ts';

export { defaultWaterApplication, noAddress } from './default-farm.ts';

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

/** A device's reading that a farm's card shows, with when it was read. */
const reading = { _id: Uid, name: Type.String(), at: Time };

/** How a farm is, for the home page. Of what the caller may not read nothing is said but how many there are. */
export const FarmSummary = Type.Object({
  farmUID: Uid,
  tanks: Type.Integer(),
  meters: Type.Integer(),
  sites: Type.Integer(),
  gateways: Type.Integer(),
  repeaters: Type.Integer(),
  sprinklers: Type.Integer(),
  others: Type.Integer({ description: 'devices of other kinds' }),
  known: Type.Object(
    {
      tanks: Type.Integer(),
      meters: Type.Integer(),
      sites: Type.Integer(),
      gateways: Type.Integer(),
      repeaters: Type.Integer(),
      sprinklers: Type.Integer({ description: 'in service' }),
    },
    { description: 'those of which something is known' },
  ),
  standing: Type.Unsafe<'attention' | 'well' | 'empty' | 'unknown'>({
    type: 'string',
    enum: ['attention', 'well', 'empty', 'unknown'],
    description: 'empty: without devices; unknown: nothing of them is known, or may be read',
  }),
  attention: Type.Array(Attention, { description: 'what needs a person, the worst first' }),
  lowestTank: nullable(Type.Object({ ...reading, percent: Type.Number() })),
  /** Of the meters the one through which most flows now. */
  flow: nullable(Type.Object({ ...reading, litresPerSecond: Type.Number() })),
  driestSite: nullable(
    Type.Object({ ...reading, kpa: Type.Number({ description: 'average of its sensors' }) }),
  ),
  lastContact: nullable(Time),
});
export type FarmSummary = Static<typeof FarmSummary>;

const line = LineText({ maxLength: 200 });
export const Address = Type.Object({
  fullAddress: line,
  street: line,
  suburb: line,
  city: line,
  zip: LineText({ maxLength: 20 }),
  country: line,
});
export type Address = Static<typeof Address>;

export const Farm = Type.Object({
  id: Uid,
  uid: Uid,
  accountId: Uid,
  name: Type.String(),
  description: Type.String(),
  address: Address,
  lat: Type.Number(),
  lng: Type.Number(),
  size: Type.Number({ description: 'ha' }),
  supplier: Type.String(),
  irrigationArea: Type.Number({ description: 'ha' }),
  boundary: Type.Array(LatLng),
  icon: FarmIcon,
  tankOnly: Type.Boolean(),
  v3Site: Type.Boolean(),
  walConfig: WaterApplication,
  timezone: Timezone,
  version: Version,
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

export const FarmPermissions = Type.Object({
  farmUID: Uid,
  ...Object.fromEntries(resources.map((name) => [name, Type.Integer({ minimum: 0, maximum: 31 })])),
  ...Object.fromEntries(flags.map((name) => [name, Type.Boolean()])),
});

/** As it stands in a form: a number, its text, or nothing. */
const Entered = Type.Union([Type.Number(), TypedText({ maxLength: 40 }), Type.Null()]);
const enteredText = TypedText({ maxLength: 1000 });
const EnteredWater = Type.Object({
  type: WaterApplication.properties.type,
  wal: Type.Number({ description: 'mm' }),
  duration: Type.Number({ description: 'min' }),
  sprinklerFlow: Type.Number({ description: 'L/s' }),
  sprinklerWidth: Type.Number({ description: 'm' }),
  sprinklerLength: Type.Number({ description: 'm' }),
  sprinklerCoverage: Type.Optional(Type.Number({ description: 'm2; follows from width and length' })),
});

/**
 * What is entered of a farm. These limits only bound the request: rules/farm-form says what is wrong with a field, in the
 * same sentence as the form. `size` follows from the boundary and isn't taken from the caller.
 */
const farmFields = {
  name: enteredText,
  description: Type.Optional(enteredText),
  address: Type.Partial(Type.Object({ ...Address.properties, fullAddress: enteredText })),
  lat: Type.Optional(Entered),
  lng: Type.Optional(Entered),
  boundary: Type.Array(LatLng, { maxItems: 10_000 }),
  icon: Type.Optional(FarmIcon),
  supplier: Type.Optional(enteredText),
  irrigationArea: Type.Optional(Entered),
  v3Site: Type.Optional(Type.Boolean()),
  tankOnly: Type.Optional(Type.Boolean()),
  walConfig: Type.Optional(EnteredWater),
};
export const FarmEntry = Type.Object(farmFields);
export type FarmEntry = Static<typeof FarmEntry>;

export const listFarms = defineEndpoint({
  key: 'GET /list-farms',
  tag: 'Farms',
  summary: 'The farms that the caller may read, by name',
  needs: needs.login,
  reply: Type.Object({ farms: Type.Array(Farm) }),
});

export const farmsOfUser = defineEndpoint({
  key: 'GET /farms',
  tag: 'Farms',
  summary: 'The farms that the caller may read, by name',
  needs: needs.login,
  reply: Type.Array(Farm),
});

export const createFarm = defineEndpoint({
  key: 'POST /farm',
  once: true,
  tag: 'Farms',
  summary: 'Add a farm. An agent names the owner by accountId and needs that account to be shared as a whole',
  needs: needs.login,
  body: Type.Object({ accountId: Type.Optional(Uid), ...farmFields }),
  reply: Type.Object({ farmUID: Uid, permissions: FarmPermissions }),
});

export const updateFarm = defineEndpoint({
  key: 'PUT /farm',
  tag: 'Farms',
  summary: 'Change a farm. 409 with the newer record when somebody else changed it since `version`',
  needs: { anyOf: [can('farms', 'Edit')] },
  target: { farm: { in: 'body', name: 'id' } },
  body: Type.Object({ id: Uid, version: Type.Optional(Version), ...farmFields }),
  reply: Farm,
});

export const deleteFarm = defineEndpoint({
  key: 'DELETE /farm',
  tag: 'Farms',
  summary: 'Delete a farm with its devices, groups and shares; readings are kept for 30 days',
  needs: { anyOf: [can('farms', 'Delete')] },
  target: { farm: { in: 'query', name: 'farmId' } },
  query: Type.Object({ farmId: Uid, accountId: Type.Optional(Uid) }),
  reply: Success,
});

export const farmContents = defineEndpoint({
  key: 'GET /farm/contents',
  tag: 'Farms',
  summary: 'What deleting the farm would take along',
  needs: { anyOf: [can('farms', 'Delete')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({
    sprinklers: Type.Integer(),
    gateways: Type.Integer(),
    repeaters: Type.Integer(),
    sensors: Type.Integer(),
    pois: Type.Integer(),
    groups: Type.Integer(),
    schedules: Type.Integer(),
    people: Type.Integer({ description: 'with whom it is shared' }),
  }),
});

export const getTimezone = defineEndpoint({
  key: 'GET /farm-timezone',
  tag: 'Farms',
  summary: "The farm's time zone and offsets, in seconds",
  needs: needs.readFarm,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Timezone,
});

export const refreshTimezone = defineEndpoint({
  key: 'POST /farm-timezone',
  tag: 'Farms',
  summary: "Look the time zone up again from the farm's place",
  needs: { anyOf: [can('farms', 'Edit')] },
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid }),
  reply: Timezone,
});

export const updateTimezone = defineEndpoint({
  key: 'PUT /farm-timezone',
  tag: 'Farms',
  summary: 'Whether the farm changes its clocks for daylight saving',
  needs: { anyOf: [can('farms', 'Edit')] },
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, dstEnabled: Type.Boolean() }),
  reply: Timezone,
});

export const ownerAccounts = defineEndpoint({
  key: 'GET /agent/list-accounts',
  tag: 'Farms',
  summary:
    'The owners for whom the caller may make farms: itself, or those who share their whole account with this agent',
  needs: needs.login,
  reply: Type.Object({
    accounts: Type.Array(Type.Object({ _id: Uid, id: Uid, name: Type.String(), email: Type.String() })),
  }),
});

export const AddressSuggestion = Type.Object({
  text: Type.String(),
  address: Address,
  lat: Type.Number(),
  lng: Type.Number(),
});
export type AddressSuggestion = Static<typeof AddressSuggestion>;

export const suggestAddress = defineEndpoint({
  key: 'GET /geocode',
  tag: 'Farms',
  summary:
    'Places and roads that begin like this, in the enabled countries: from the configured geocoder, else from our own gazetteer. Open to all: whoever registers names the farm first',
  needs: needs.nothing,
  perMinute: 120,
  query: Type.Object({ text: Type.String({ maxLength: 120, description: '4 characters or more' }) }),
  reply: Type.Object({ suggestions: Type.Array(AddressSuggestion), source: Type.String() }),
});

export const getFarm = defineEndpoint({
  key: 'GET /farm',
  tag: 'Farms',
  summary: 'One farm. 204 when there is none, or none that the caller may see',
  emptyStatus: 204,
  needs: needs.readFarm,
  target: { farm: { in: 'query', name: 'uid' } },
  query: Type.Object({ uid: Uid }),
  reply: Farm,
});

export const permissionsList = defineEndpoint({
  key: 'GET /permissions-list',
  tag: 'Access',
  summary: "The caller's permissions on every farm",
  beforeNewPassword: true,
  needs: needs.login,
  reply: Type.Object({ permissions: Type.Array(FarmPermissions) }),
});

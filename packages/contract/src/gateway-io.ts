import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { nullable, Time, TypedText, Uid } from './schemas.ts';
import { can, flag } from './permissions.ts';

const six = <T extends Type.TSchema, Name extends string>(name: Name, schema: T) =>
  Object.fromEntries([1, 2, 3, 4, 5, 6].map((number) => [`${name}${number}`, schema])) as Record<
    `${Name}${1 | 2 | 3 | 4 | 5 | 6}`,
    T
  >;

/** What a gateway last said of its inputs and relays. */
export const IoState = Type.Object({ ...six('input', Type.Boolean()), ...six('relay', Type.Boolean()) });
export type IoState = Static<typeof IoState>;

/** Lengths and ranges that people are told of in a sentence are in rules/io-settings. */
const Title = TypedText({ maxLength: 64 });
export const IoInput = Type.Object({ title: Title });
export const IoRelay = Type.Object({
  title: Title,
  /** The tank sensor whose tank it fills; null or absent: switched by hand alone. */
  binding: Type.Optional(nullable(Uid)),
  maxOnTime: Type.Optional(nullable(Type.Number({ description: 'min; 0 = no limit' }))),
  /** Since when a hand, not the tank, decides. Set and cleared by the server's clock, whatever time is sent. */
  overriddenAt: Type.Optional(nullable(Time)),
  /** It runs a pump that gives the sprinklers their water: it is put off before all valves of the farm are closed. */
  isPump: Type.Optional(Type.Boolean()),
});
export type IoRelay = Static<typeof IoRelay>;
export const IoSettings = Type.Object({ ...six('input', IoInput), ...six('relay', IoRelay) });
export type IoSettings = Static<typeof IoSettings>;

/** Counts changes of what people enter. */
const IoVersion = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });

/** A tank whose sensor a relay can be bound to, with its level now. */
export const LinkableTank = Type.Object({
  _id: Uid,
  name: Type.String(),
  level: nullable(Type.Number({ description: '%' })),
  invalid: Type.Boolean(),
});
export type LinkableTank = Static<typeof LinkableTank>;

export const GatewayMonitor = Type.Object({
  _id: Uid,
  name: Type.String(),
  mac: Type.String(),
  serialNumber: Type.String(),
  connected: Type.Boolean(),
  /** When the state was said; null: never. */
  statusTime: nullable(Time),
  state: nullable(IoState),
  ioSettings: IoSettings,
  /** The gateway has taken the newest settings; false while it has not said so. */
  settingsTaken: Type.Boolean(),
  /** Of titles, bindings and longest on times, which a hand that switches leaves as they are; 0: nobody has set any. */
  version: IoVersion,
  tanks: Type.Array(LinkableTank),
});
export type GatewayMonitor = Static<typeof GatewayMonitor>;

export const gatewayMonitor = defineEndpoint({
  key: 'GET /gateway/monitor',
  tag: 'Gateways',
  summary:
    'Inputs and relays of a gateway with their settings: the one with this MAC, else the first with inputs and relays. null: the farm has none',
  needs: { anyOf: [flag('dashboard'), flag('sprinklersStatus'), can('gateways', 'Read')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid, mac: Type.Optional(Type.String({ maxLength: 40 })) }),
  reply: nullable(GatewayMonitor),
});

export const saveIoSettings = defineEndpoint({
  key: 'POST /gateway/iosettings',
  tag: 'Gateways',
  summary:
    "Titles, bindings, longest on times and overrides of inputs and relays; the gateway is told. Another person's override stays unless it is named here. 409 with the gateway as it is when somebody else changed something since `version`",
  needs: { anyOf: [flag('sendRelayValues')] },
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    /** Absent: the first gateway with inputs and relays. */
    mac: Type.Optional(Type.String({ maxLength: 40 })),
    ioSettings: IoSettings,
    /** As it was read. Absent: what is given here stands, whatever somebody else has changed since. */
    version: Type.Optional(IoVersion),
  }),
  reply: GatewayMonitor,
});

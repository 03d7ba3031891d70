import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { DayText, Days, LatLng, nullable, Time, Uid } from './schemas.ts';
import { needs } from './permissions.ts';

export const PumpControl = Type.Object({
  highSetpoint: nullable(Type.Number()),
  lowSetpoint: nullable(Type.Number()),
  relayControl: nullable(Type.Boolean()),
  relayState: nullable(Type.Boolean()),
  inputState: nullable(Type.Boolean()),
  maxRunTime: nullable(Type.Number({ description: 'min, 0 = no limit' })),
});
export type PumpControl = Static<typeof PumpControl>;

/** Signs of the level's change over the last hour; null when it isn't known. */
const Trend = nullable(Type.Integer({ minimum: -1, maximum: 1 }));

const summaryFields = {
  _id: Uid,
  name: Type.String(),
  serialNumber: Type.String(),
  description: Type.String(),
  location: nullable(LatLng),
  statusTime: nullable(Time),
  isOutOfContact: Type.Boolean(),
  /** 0 normal, 1 out of contact, 2 low battery or low level */
  condition: Type.Integer({ minimum: 0, maximum: 2 }),
  type: Type.Integer(),
  /** `value` in %; `invalid` when the sensor's last report can't be a level */
  level: Type.Object({
    value: nullable(Type.Number()),
    valueInLitres: nullable(Type.Number()),
    invalid: Type.Boolean(),
  }),
  trending: Trend,
  batteryVoltage: nullable(Type.Number()),
  /** L/min; direction 0 = into the tank, 1 = out of it; null for tanks without a meter */
  flow: nullable(
    Type.Object({
      flowrate: nullable(Type.Number()),
      direction: nullable(Type.Integer()),
      leakDetected: Type.Boolean(),
    }),
  ),
  leakDetected: Type.Boolean(),
  pumpControl: nullable(PumpControl),
  updatedAt: nullable(Time),
};

export const TankSummary = Type.Object({
  ...summaryFields,
  /** The gateway that is to hear it; null: none of its own, as of those that a network hears. */
  gatewayUID: nullable(Uid),
});
export type TankSummary = Static<typeof TankSummary>;

export const TankInfo = Type.Object({
  ...summaryFields,
  farmUID: Uid,
  battery: nullable(Type.Number({ description: '%' })),
  charge: nullable(Type.Boolean()),
  fault: nullable(Type.Boolean()),
  commsHealth: Type.Object({
    commsInterval: nullable(Type.Number({ description: 'min' })),
    commsQuality: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  }),
  todayUsage: nullable(Type.Number({ description: 'litres' })),
  yesterdayUsage: nullable(Type.Number({ description: 'litres' })),
  volume: Type.Number({ description: 'litres' }),
  offsetScaled: Type.Number({ description: '% of the level the sensor does not see' }),
  height: Type.Number({ description: 'mm' }),
  toplevel: Type.Number({ description: 'mm' }),
  levelFault: Type.Optional(
    nullable(Type.String({ description: "why an invalid level is the settings' fault, not the sensor's" })),
  ),
  configUpdate: Type.Array(
    Type.Object({
      _id: Uid,
      type: Type.Integer(),
      createdAt: Time,
      config: Type.Record(Type.String(), Type.Unknown()),
      processedAt: nullable(Time),
      /** Why it was not done and won't be; null: done, or still waiting. */
      error: Type.Optional(nullable(Type.String())),
    }),
  ),
  configUpdatedAt: nullable(Time),
});
export type TankInfo = Static<typeof TankInfo>;

export const LevelPoint = Type.Object({
  time: Time,
  value: nullable(Type.Number({ description: '%, the mean of the hour or day' })),
  lowest: nullable(Type.Number({ description: '%, of the readings of the hour or day; null: none' })),
  highest: nullable(Type.Number({ description: '%' })),
  generated: Type.Boolean({ description: 'interpolated over a gap, not measured' }),
});
export type LevelPoint = Static<typeof LevelPoint>;
export const UsagePoint = Type.Object({
  time: Time,
  litreValue: Type.Number(),
  /** The same over the length of its hour or day. */
  avgLitrePerMinute: Type.Number(),
  source: Type.Union([Type.Literal('meter'), Type.Literal('level')], {
    description: "what it is told from: the unit's own meter, or the level before that one counted",
  }),
  generated: Type.Boolean({
    description: 'no reading lies in it: its share of what was used over a longer time',
  }),
});
export type UsagePoint = Static<typeof UsagePoint>;
export const BatteryPoint = Type.Object({
  time: Time,
  value: nullable(Type.Number({ description: '%' })),
  voltage: nullable(Type.Number({ description: 'V' })),
  lowest: nullable(Type.Number({ description: '%, of the readings of the hour or day' })),
  lowestVoltage: nullable(Type.Number({ description: 'V' })),
  charging: nullable(Type.Boolean()),
});
export type BatteryPoint = Static<typeof BatteryPoint>;
export const FlowPoint = Type.Object({
  time: Time,
  /** Over the minutes that are known of; where none are, of what was read. */
  avgLitrePerMinute: nullable(Type.Number()),
  litres: nullable(Type.Number()),
  minutes: Type.Number({ description: 'of the hour or day, so many are known of' }),
  /** The most that was read, or counted from one reading to the next; null: not known. */
  peakLitrePerMinute: nullable(Type.Number()),
  generated: Type.Boolean({
    description: 'no reading lies in it: its share of what flowed over a longer time',
  }),
});
export type FlowPoint = Static<typeof FlowPoint>;

export const SiteGateway = Type.Object({
  _id: Uid,
  name: Type.String(),
  serialNumber: Type.String(),
  type: Type.Integer(),
  location: nullable(LatLng),
  statusTime: nullable(Time),
  connected: Type.Boolean(),
});
export type SiteGateway = Static<typeof SiteGateway>;
export const SitePlace = Type.Object({
  _id: Uid,
  name: Type.String(),
  description: Type.String(),
  serialNumber: Type.String(),
  location: nullable(LatLng),
  statusTime: nullable(Time),
  icon: Type.Optional(Type.String({ description: "a point of interest's kind" })),
});
export type SitePlace = Static<typeof SitePlace>;

const legacySensor = Type.Object({
  _id: Uid,
  name: Type.String(),
  serialNumber: Type.String(),
  type: Type.Integer(),
  location: nullable(LatLng),
  settings: Type.Record(Type.String(), Type.Unknown()),
  latestStatus: Type.Array(
    Type.Object({
      statusTime: Time,
      battery: nullable(Type.Number()),
      value: nullable(Type.Number()),
      rawValue: nullable(Type.Number()),
    }),
  ),
  deletedAt: nullable(Time),
});
const newSensor = Type.Object({
  _id: Uid,
  name: Type.String(),
  serialNumber: Type.String(),
  type: Type.Integer(),
  location: nullable(LatLng),
  _calculatedStatus: Type.Object({
    statusTime: nullable(Time),
    batteryVoltage: nullable(Type.Number()),
    percentValue: nullable(Type.Number()),
    litreValue: nullable(Type.Number()),
    trending: Trend,
    flowRate: nullable(Type.Number()),
  }),
});

export const TankSite = Type.Object({
  name: Type.String(),
  centre: LatLng,
  boundaries: Type.Array(LatLng),
  gateways: Type.Array(SiteGateway),
  repeaters: Type.Array(SitePlace),
  pois: Type.Array(SitePlace),
  sensorsLegacy: Type.Array(legacySensor),
  sensors: Type.Array(newSensor),
});
export type TankSite = Static<typeof TankSite>;

const sensorUid = { device: { in: 'query', name: 'sensorUid' } } as const;
const period = { days: Type.Optional(Days), stopAt: Type.Optional(DayText) };

export const tankSummaries = defineEndpoint({
  key: 'GET /lvl/suminfo',
  tag: 'Tanks',
  summary: "The farm's tanks with their latest level, battery, flow and pump, by name",
  needs: needs.tankSummary,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ tanks: Type.Array(TankSummary) }),
});

export const tankBasicInfo = defineEndpoint({
  key: 'GET /level/basic-info',
  tag: 'Tanks',
  summary: 'One tank as in lvl/suminfo, to renew its card',
  needs: needs.readSensors,
  target: { farm: { in: 'query', name: 'farmUid' } },
  query: Type.Object({ farmUid: Uid, sensorUid: Uid }),
  reply: TankSummary,
});

export const tankFullInfo = defineEndpoint({
  key: 'GET /level/full-info',
  tag: 'Tanks',
  summary: 'All there is to know of one tank now',
  needs: needs.readSensors,
  target: sensorUid,
  query: Type.Object({ sensorUid: Uid }),
  reply: TankInfo,
});

export const levelHistory = defineEndpoint({
  key: 'GET /lvl/history',
  tag: 'Tanks',
  summary:
    'Level in percent: means and extremes by hour up to 60 days, by day beyond; gaps filled with points marked generated',
  needs: needs.readSensors,
  target: sensorUid,
  query: Type.Object({ sensorUid: Uid, ...period }),
  reply: Type.Object({ history: Type.Array(LevelPoint) }),
});

export const usageHistory = defineEndpoint({
  key: 'GET /lvl/waterflow',
  tag: 'Tanks',
  summary: 'Litres used: hourly for one day, daily beyond',
  needs: needs.readSensors,
  target: { device: { in: 'query', name: 'sensorId' } },
  query: Type.Object({ sensorId: Uid, ...period }),
  reply: Type.Object({ history: Type.Array(UsagePoint) }),
});

export const batteryHistory = defineEndpoint({
  key: 'GET /tank/battery',
  tag: 'Tanks',
  summary: "The tank unit's battery: percent, volts and whether it was charging",
  needs: needs.readSensors,
  target: sensorUid,
  query: Type.Object({ sensorUid: Uid, ...period }),
  reply: Type.Object({ history: Type.Array(BatteryPoint) }),
});

export const flowHistory = defineEndpoint({
  key: 'GET /flow/history',
  tag: 'Flow',
  summary: 'Mean and highest flow of a meter, or of a tank unit with one, in L/min, with its litres',
  needs: needs.readSensors,
  target: { serial: { in: 'query', name: 'serial' } },
  query: Type.Object({ serial: Type.String({ minLength: 1, maxLength: 40 }), ...period }),
  reply: Type.Object({ history: Type.Array(FlowPoint) }),
});

export const tankSite = defineEndpoint({
  key: 'GET /tank/site-info',
  tag: 'Tanks',
  summary: 'What the tank map draws: boundary, gateways, repeaters, points of interest and tanks',
  needs: needs.tankSite,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: TankSite,
});

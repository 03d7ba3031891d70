import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { DayText, nullable, Success, Time, Uid } from './schemas.ts';
import { needs } from './permissions.ts';
import { type SoilProbe, soilProbes } from './rules/soil-moisture.ts';

export const SoilSite = Type.Object({
  id: Uid,
  name: Type.String(),
  serialNumber: Type.String(),
  lat: nullable(Type.Number()),
  lng: nullable(Type.Number()),
  swp1_name: Type.String(),
  swp2_name: Type.String(),
  statusTime: nullable(Time),
  isOutOfContact: Type.Boolean(),
  /** Sensors of which the newest word is no tension. One that never reported isn't among them. */
  invalidProbes: Type.Array(Type.Unsafe<SoilProbe>({ type: 'string', enum: [...soilProbes] })),
});
export type SoilSite = Static<typeof SoilSite>;

const tension = nullable(Type.Number({ description: 'kPa, 0 to 200; null: not reported, or not a tension' }));

/** What programs of before need besides, who ask for it: the farm's day and clock, and six sensors. */
const legacyMembers = {
  date: Type.Optional(Type.String({ description: 'YYYY-MM-DD; with `legacy`' })),
  time: Type.Optional(Type.String({ description: 'HH:mm:ss; with `legacy`' })),
  swp5: Type.Optional(Type.Number({ description: '0; with `legacy`' })),
  swp6: Type.Optional(Type.Number({ description: '0; with `legacy`' })),
};

/** A reading as it was sent, or the means of an hour or a day, at its start. */
export const SoilReading = Type.Object({
  id: Type.String(),
  dateTime: Time,
  temperature: nullable(Type.Number({ description: '°C' })),
  rainfall: nullable(Type.Number({ description: 'tips of 0.2 mm in this time' })),
  swp1: tension,
  swp2: tension,
  swp3: Type.Optional(tension),
  swp4: Type.Optional(tension),
  swp1_name: Type.String(),
  swp2_name: Type.String(),
  ...legacyMembers,
});
export type SoilReading = Static<typeof SoilReading>;

export const soilSites = defineEndpoint({
  key: 'GET /telemetry/sites',
  tag: 'Soil moisture',
  summary: "The farm's soil moisture sites, by name",
  needs: needs.tankSummary,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ sites: Type.Array(SoilSite) }),
});

export const soilMoisture = defineEndpoint({
  key: 'GET /telemetry/soil-moisture',
  tag: 'Soil moisture',
  summary:
    "One site from a day on (the farm's days), up to now or with `to`: readings up to 8 days, hours up to 60, days beyond",
  needs: needs.readSensors,
  target: { device: { in: 'query', name: 'sensorUID' } },
  query: Type.Object({
    farmUID: Type.Optional(Uid),
    sensorUID: Uid,
    date: DayText,
    /** The last day; today when absent. */
    to: Type.Optional(DayText),
    legacy: Type.Optional(
      Type.Boolean({ description: 'with `date`, `time` and `swp3` to `swp6`, 0 where a site has none' }),
    ),
  }),
  reply: Type.Object({
    span: Type.Unsafe<'reading' | 'hour' | 'day'>({ enum: ['reading', 'hour', 'day'] }),
    data: Type.Array(SoilReading),
  }),
});

/**
 * A record of the seed tool; date and time are the farm's. Of a time that a clock change doubles the first is meant; one that it
 * skips is read on the clock before the change (02:30 is 03:30 then).
 */
export const SeedRecord = Type.Object({
  /** Here, or in the query. */
  sensorUID: Type.Optional(Uid),
  date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'YYYY-MM-DD' }),
  time: Type.String({ pattern: '^\\d{2}:\\d{2}(:\\d{2})?$', description: 'HH:mm or HH:mm:ss' }),
  temperature: Type.Optional(nullable(Type.Number({ minimum: -90, maximum: 90 }))),
  rainfall: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 10_000, description: 'tips' }))),
  swp1: Type.Optional(nullable(Type.Number({ minimum: -1e6, maximum: 1e6 }))),
  swp2: Type.Optional(nullable(Type.Number({ minimum: -1e6, maximum: 1e6 }))),
});

export const addSoilReading = defineEndpoint({
  key: 'POST /telemetry/add',
  tag: 'Soil moisture',
  summary: "Add one soil reading, for the operator's tool that seeds a site: with the operator's token",
  needs: needs.operator,
  // A file of samples is sent four at a time.
  perMinute: 60_000,
  query: Type.Object({ sensorUID: Type.Optional(Uid) }),
  body: SeedRecord,
  reply: Success,
});

import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { historyTypes } from './rules/health-figures.ts';
import { nullable, oneOf, Time, Uid } from './schemas.ts';

const tag = 'Sprinkler health';
const ofFarm = { farm: { in: 'query', name: 'farmUID' } } as const;
/** Snapshots that the lowest and highest are of. */
export const HEALTH_DAYS = 30;
/** Longest range of a history, days, and up to how many its units are named. */
export const HISTORY_DAYS = { most: 366, named: 31 } as const;

const Percent = nullable(
  Type.Number({ description: '% of the units in service and in contact that are free of it; null: none is' }),
);
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: "YYYY-MM-DD, the farm's day" });

/** Sprinklers free of an error: now, and the lowest and highest of the last days' ends. */
export const SprinklerHealth = Type.Object({
  minClock: Percent,
  maxClock: Percent,
  curClock: Percent,
  minBattery: Percent,
  maxBattery: Percent,
  curBattery: Percent,
  minSchedule: Percent,
  maxSchedule: Percent,
  curSchedule: Percent,
  inContact: Type.Integer({ description: 'in service and in contact now' }),
  total: Type.Integer({ description: 'in service' }),
  days: Type.Integer({ description: `snapshots that the lowest and highest are of, up to ${HEALTH_DAYS}` }),
  since: nullable(Day),
});
export type SprinklerHealth = Static<typeof SprinklerHealth>;

export const sprinklerHealth = defineEndpoint({
  key: 'GET /fmhealth/health',
  tag,
  summary: `How many of a farm's sprinklers are free of clock, battery and schedule errors, now and over the last ${HEALTH_DAYS} daily snapshots`,
  needs: needs.countSprinklers,
  target: ofFarm,
  query: Type.Object({ farmUID: Uid }),
  reply: SprinklerHealth,
});

export const CommsUnit = Type.Object({
  id: Uid,
  name: Type.String(),
  serialNumber: Type.String(),
  statusTime: nullable(Time),
});
export type CommsUnit = Static<typeof CommsUnit>;
const Units = Type.Array(CommsUnit, { description: 'the longest silence first' });

export const SprinklerComms = Type.Object({
  outOfContact: Type.Integer({ description: 'not heard for more than 30 days, or never' }),
  regular: Type.Integer({ description: 'heard within 7 days' }),
  occasional: Type.Integer({ description: 'heard within 30 days' }),
  total: Type.Integer({ description: 'in service' }),
  silent: Type.Integer({ description: 'in service, heard once, and not for more than a day' }),
  cause: nullable(
    Type.Object(
      {
        kind: oneOf(['gateway', 'repeater']),
        id: Uid,
        name: Type.String(),
        heardAt: Time,
        units: Type.Integer({ description: 'of the silent ones, those that it explains' }),
      },
      {
        description:
          'what is silent itself and explains at least half of them, three or more: the gateway that hears them, or a repeater within 250 m',
      },
    ),
  ),
  units: Type.Object({ outOfContact: Units, occasional: Units, outOfService: Units }),
});
export type SprinklerComms = Static<typeof SprinklerComms>;

export const sprinklerComms = defineEndpoint({
  key: 'GET /fmhealth/comms',
  tag,
  summary: "How regularly a farm's sprinklers are heard, and which are not",
  needs: needs.countSprinklers,
  target: ofFarm,
  query: Type.Object({ farmUID: Uid }),
  reply: SprinklerComms,
});

/** As it is called now. */
export const CountedUnit = Type.Object({
  id: nullable({ ...Uid, description: 'null: it has been deleted since' }),
  name: Type.String(),
  serialNumber: Type.String(),
});
export type CountedUnit = Static<typeof CountedUnit>;

export const HealthHistory = Type.Object({
  farmUID: Uid,
  description: Type.String({ description: historyTypes.join(', ') }),
  start: Day,
  stop: Day,
  type: Type.Integer(),
  data: Type.Array(
    Type.Object({
      date: Day,
      value: Type.Integer(),
      inContact: Type.Integer({
        description: 'in service and in contact then: of the others no error is known',
      }),
      units: Type.Array(CountedUnit, {
        description: `by name; for ranges of more than ${HISTORY_DAYS.named} days empty`,
      }),
    }),
    { description: 'days with a snapshot, oldest first; of the others nothing is known' },
  ),
});
export type HealthHistory = Static<typeof HealthHistory>;

export const healthHistory = defineEndpoint({
  key: 'GET /fmhealth/historybytype',
  tag,
  summary: `How many sprinklers were of a kind at the end of each day: ${historyTypes.map((name, type) => `${type} ${name.toLowerCase()}`).join(', ')}`,
  needs: needs.countSprinklers,
  target: ofFarm,
  query: Type.Object({
    farmUID: Uid,
    hstType: Type.Integer({ minimum: 0, maximum: historyTypes.length - 1 }),
    start: Day,
    stop: Day,
  }),
  reply: HealthHistory,
});

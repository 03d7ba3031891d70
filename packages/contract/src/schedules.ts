import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { can } from './permissions.ts';
import { nullable, Uid } from './schemas.ts';

const tag = 'Schedules';
const read = { anyOf: [can('schedules', 'Read')] } as const;

/** One watering: minutes from the start of the cycle, and the day of the cycle that they lie on. spec 2 §3.13 */
export const SetEntry = Type.Object({
  start: Type.Integer({
    minimum: 0,
    maximum: 2879,
    description: 'minute of the cycle; 1440 begins its second day',
  }),
  duration: Type.Integer({ minimum: 1, maximum: 1440, description: 'min' }),
  cycle: Type.Integer({ minimum: 1, maximum: 2, description: 'day of the cycle' }),
});

/** What a sprinkler is to water. */
export const SetUnit = Type.Object({
  name: Type.String(),
  serialNumber: Type.String(),
  group: Type.String({ description: 'name of the group' }),
  scheduleGroup: Type.String({ description: 'its line: the group, or `group/2`' }),
  schedules: Type.Array(SetEntry),
});
export type SetUnit = Static<typeof SetUnit>;

/** What somebody who makes a plan should know: figures for programs, a sentence for people. */
export const ScheduleFinding = Type.Object({
  code: Type.String(),
  severity: Type.Unsafe<'error' | 'warning' | 'note'>({ enum: ['error', 'warning', 'note'] }),
  group: Type.Optional(Type.String()),
  otherGroup: Type.Optional(Type.String()),
  main: Type.Optional(Type.String()),
  unit: Type.Optional(Type.String()),
  otherUnit: Type.Optional(Type.String()),
  figures: Type.Record(Type.String(), Type.Number()),
  sentence: Type.String(),
});
export type ScheduleFinding = Static<typeof ScheduleFinding>;

export const ScheduleSet = Type.Object({
  _id: Uid,
  name: Type.String(),
  groups: Type.Array(Type.Object({ name: Type.String(), uid: Type.String() }), {
    description: 'that it has sprinklers of, by name; without a uid: no longer on the farm',
  }),
  schedules: Type.Array(SetUnit, { description: 'by name' }),
  settings: Type.Object({ cycleLen: Type.Number({ description: 'min' }) }),
});
export type ScheduleSet = Static<typeof ScheduleSet>;

export const farmSchedules = defineEndpoint({
  key: 'GET /schedules',
  tag,
  summary:
    "The farm's schedule sets with what they have for each sprinkler, and the one that the farm waters by",
  needs: read,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({
    farmUID: Uid,
    setUID: Type.Optional({ ...Uid, description: 'this one alone' }),
  }),
  reply: Type.Object({
    _id: Uid,
    farmUID: Uid,
    curr_set: nullable(Uid),
    sets: Type.Array(ScheduleSet, { description: 'the oldest first' }),
  }),
});

export const listSchedules = defineEndpoint({
  key: 'GET /schedules/list',
  tag,
  summary: "The farm's schedule sets to choose from, the oldest first",
  needs: read,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Array(
    Type.Object({
      id: Uid,
      name: Type.String(),
      default: Type.Boolean({ description: 'the first that the farm had' }),
      selected: Type.Boolean({ description: 'the one that the farm waters by' }),
    }),
  ),
});

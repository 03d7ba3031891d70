import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { can } from './permissions.ts';
import { outcomes } from './rules/schedule/match-runs.ts';
import { clockChanges } from './rules/schedule/occurrences.ts';
import { turnPlans, turnSigns } from './rules/schedule/turns.ts';
import { beliefBases, beliefStates, heldStates } from './rules/valve-belief.ts';
import { nullable, oneOf, Time, Uid } from './schemas.ts';

/** Longest time that can be asked for, days; of a clock that changes. */
export const TIMELINE_DAYS = 8;
/** Most lines that can be asked for with their sprinklers at once. */
export const TIMELINE_LINES = 20;
/** Of the flow, min. */
export const FLOW_STEP_MIN = 15;

const At = Type.Number({ description: 'epoch ms' });
const ClockMinute = Type.Integer({
  minimum: 0,
  maximum: 1439,
  description: 'the same on the farm’s clock, minute of the day',
});
const Count = Type.Integer({ minimum: 0 });
const Sign = oneOf(turnSigns);
const LineId = Type.String({ maxLength: 400 });

/** One watering of a sprinkler. */
export const TimelineTurn = Type.Object({
  startAt: At,
  startMin: ClockMinute,
  endAt: At,
  sign: Sign,
  plan: oneOf(turnPlans),
  planned: nullable(Type.Object({ startAt: At, endAt: At })),
  saidUntil: nullable({ ...At, description: 'epoch ms: until when it is known that it was open' }),
  outcome: nullable(oneOf(outcomes)),
  isByCommand: Type.Boolean({ description: 'a Valve On opened it' }),
  clock: oneOf(clockChanges),
  shiftS: Type.Number({ description: 's by which its own clock makes it later' }),
  reasons: Type.Array(Type.Object({ code: Type.String(), at: nullable(At) }), {
    description: 'why it will not, or why that is not sure; the worst first',
  }),
});
export type TimelineTurn = Static<typeof TimelineTurn>;

export const TimelineUnit = Type.Object({
  line: Type.String({ description: '`id` of its line' }),
  uid: Uid,
  name: Type.String(),
  serialNumber: Type.String(),
  held: oneOf(heldStates),
  heldSet: Type.String({ description: 'name of the set that it holds; empty: not known' }),
  wantedSet: Type.String({ description: 'of the set that it is to hold' }),
  isInSet: Type.Boolean({ description: 'it is to water by something' }),
  isInService: Type.Boolean(),
  isInhibited: Type.Boolean(),
  heardAt: nullable(At),
  lps: Type.Number({ description: 'L/s' }),
  mmPerMin: Type.Number({ description: 'mm/min, of a full circle' }),
  turns: Type.Array(TimelineTurn),
});
export type TimelineUnit = Static<typeof TimelineUnit>;

/** A paddock hold of sprinklers. */
const LineHold = Type.Object({
  from: At,
  until: { ...At, description: 'epoch ms: when it ended, or is to end' },
  units: Type.Integer({ minimum: 1, description: 'of the line' }),
  reason: Type.String(),
});

/** What is open at this moment, or taken to be. */
const OpenUnit = Type.Object({
  uid: Uid,
  name: Type.String(),
  state: oneOf(beliefStates),
  basis: oneOf(beliefBases),
  since: nullable(At),
  until: nullable(At),
});

/** A line whose sprinklers go by two schedules, as while a newer one is on its way. */
const MixedLine = Type.Object(
  {
    newer: { ...Count, description: 'hold the schedule that they are to hold' },
    older: { ...Count, description: 'hold an older one, by which they water' },
    atOnce: nullable(
      Type.Object(
        { at: At, newer: Type.String(), older: Type.String() },
        { description: 'from now on, the first time that two of them would water at once, by name' },
      ),
    ),
  },
  { description: 'null: they all go by one, as far as is known' },
);

export const TimelineLine = Type.Object({
  id: Type.String({ description: 'what `group` asks for' }),
  name: Type.String(),
  units: Count,
  unknown: Type.Integer({ minimum: 0, description: 'units of which nobody knows what they hold' }),
  newsLate: {
    ...Count,
    description: 'units whose gateway is away: they water by their own clocks, and are heard of later',
  },
  open: Type.Array(OpenUnit),
  next: nullable(
    Type.Object({ uid: Uid, name: Type.String(), startAt: At, startMin: ClockMinute, endAt: At, sign: Sign }),
  ),
  turns: Type.Object(
    { said: Count, believed: Count, will: Count, unsure: Count, wont: Count, notHeard: Count },
    { description: 'how many waterings there are of each kind' },
  ),
  mixed: nullable(MixedLine),
  holds: Type.Array(LineHold, { description: 'paddock holds of the time that is asked for, oldest first' }),
  busy: Type.Array(Type.Object({ startAt: At, startMin: ClockMinute, endAt: At, sign: Sign, turns: Count }), {
    description: 'when it waters, without pauses that are too short to be drawn',
  }),
});
export type TimelineLine = Static<typeof TimelineLine>;

const ClocksSet = Type.Object(
  {
    total: { ...Count, description: 'sprinklers in service' },
    set: { ...Count, description: 'said since then that they go by the new time' },
    off: { ...Count, description: 'said since then that they do not' },
    unheard: { ...Count, description: 'said nothing of their clocks since then' },
  },
  { description: 'null: the change is ahead' },
);

export const Timeline = Type.Object({
  farmUID: Uid,
  from: At,
  to: At,
  now: At,
  plan: Type.Object({
    of: oneOf(['held', 'set', 'template']),
    name: Type.String({ description: 'of the set or template' }),
  }),
  lines: Type.Array(TimelineLine, { description: 'by name; of `group` alone where that is asked for' }),
  units: Type.Array(TimelineUnit, {
    description: 'of the lines of `group`, in the order in which they water; else empty',
  }),
  seams: Type.Array(
    Type.Object({
      at: At,
      fromMin: ClockMinute,
      toMin: ClockMinute,
      peakLps: Type.Number({
        description: 'most that is planned to flow on the farm in the two hours from it on, L/s',
      }),
      clocks: nullable(ClocksSet),
    }),
    {
      description:
        'changes of the farm’s clock: of the time that is asked for, and of the week before and after now',
    },
  ),
  clockSet: nullable(
    Type.Object(
      {
        at: At,
        from: Type.String({ description: 'the zone before, or whether daylight saving was kept' }),
        to: Type.String(),
        units: { ...Count, description: 'sprinklers whose schedule was sent before that' },
      },
      {
        description:
          'somebody changed the farm’s clock in the month before now, and sprinklers keep the times of day that they were sent before; null: not so',
      },
    ),
  ),
  flow: Type.Object({
    from: At,
    stepMin: Count,
    planned: Type.Array(Type.Number(), { description: 'L/s of what will or may water, and was to' }),
    notIn: Type.Integer({
      minimum: 0,
      description: 'units of which nobody knows what they hold, so whose flow is left out',
    }),
    maxLps: nullable(Type.Number({ description: 'what the pump gives' })),
    mains: Type.Array(
      Type.Object({
        name: Type.String(),
        maxLps: Type.Number({ description: 'what it gives' }),
        planned: Type.Array(Type.Number(), { description: 'L/s of the groups that hang on it' }),
      }),
      { description: 'of the water supply' },
    ),
    meters: Type.Array(
      Type.Object({ uid: Uid, name: Type.String(), lps: Type.Array(nullable(Type.Number())) }),
      { description: 'what was measured; null: not known' },
    ),
  }),
});
export type Timeline = Static<typeof Timeline>;

export const scheduleTimeline = defineEndpoint({
  key: 'GET /schedules/timeline',
  tag: 'Schedules',
  summary:
    'What sprinklers will water, water and watered: by what each holds, by what it said, and why not. By line, with the sprinklers of one line (`group`) where that is asked for; up to a week',
  needs: { anyOf: [can('schedules', 'Read')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({
    farmUID: Uid,
    from: Time,
    to: Time,
    setUID: Type.Optional({ ...Uid, description: 'as if the farm were to water by this set' }),
    templateUID: Type.Optional({ ...Uid, description: 'as if the farm were to water by this template' }),
    group: Type.Optional(
      Type.Union([LineId, Type.Array(LineId, { minItems: 1, maxItems: TIMELINE_LINES })], {
        description: `\`id\` of a line: with its sprinklers. Of up to ${TIMELINE_LINES} lines where it is there several times`,
      }),
    ),
  }),
  reply: Timeline,
});

import Type, { type Static } from 'typebox';
import { commandNeeds } from './command-types.ts';
import { defineEndpoint } from './endpoint.ts';
import { DayText, Days, nullable, oneOf, Time, Uid } from './schemas.ts';
import { FlowPoint } from './tanks.ts';
import { needs } from './permissions.ts';
import { flowStates } from './rules/flow-check.ts';
import { named, oneSprinkler } from './sprinkler-info.ts';

/** One flow in the units that people ask for; null when it isn't known. */
export const FlowValue = Type.Object({
  litresPerSecond: nullable(Type.Number()),
  litresPerHour: nullable(Type.Number()),
  cubicMetresDay: nullable(Type.Number()),
});
export type FlowValue = Static<typeof FlowValue>;

export const FlowSummary = Type.Object({
  _id: Uid,
  name: Type.String(),
  serialNumber: Type.String(),
  statusTime: nullable(Time),
  isOutOfContact: Type.Boolean(),
  /** The meter's last report can't be a flow. */
  invalid: Type.Boolean(),
  value: FlowValue,
  /** Daily means of the last 60 days, L/s; null on a day of which nothing is known. */
  history: Type.Array(Type.Object({ time: Time, value: nullable(Type.Number()) })),
});
export type FlowSummary = Static<typeof FlowSummary>;

export const flowSummaries = defineEndpoint({
  key: 'GET /flow/suminfo',
  tag: 'Flow',
  summary: "The farm's flow meters, by name: what flows now, and the mean of each of the last 60 days",
  needs: needs.tankSummary,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ flows: Type.Array(FlowSummary) }),
});

export const MeterHistory = Type.Object({ _id: Uid, history: Type.Array(FlowPoint) });
export type MeterHistory = Static<typeof MeterHistory>;

export const flowHistories = defineEndpoint({
  key: 'GET /flow/histories',
  tag: 'Flow',
  summary: "Mean flow of each of the farm's meters, by name: of each what flow/history says",
  needs: needs.readSensors,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid, days: Type.Optional(Days), stopAt: Type.Optional(DayText) }),
  reply: Type.Object({ meters: Type.Array(MeterHistory) }),
});

/** What flows through the farm's meter against the sprinklers that are open. */
export const FlowCheckReply = Type.Object({
  state: oneOf(flowStates),
  meter: Type.String({ description: 'its name' }),
  at: { ...Time, description: 'when it said so' },
  meterLps: Type.Number({ description: 'L/s' }),
  openLps: Type.Number({ description: 'L/s of sprinklers that said that they are open' }),
  mayBeLps: Type.Number({ description: 'L/s of those that may be open besides' }),
  byLps: Type.Number({ description: 'how much more or less flows, L/s' }),
  suspects: Type.Array(
    Type.Object({
      unitUID: Uid,
      name: Type.String(),
      movedAt: { ...Time, description: 'when its valve was last known to move' },
      isSaidClosed: Type.Boolean({ description: 'it said that it is closed; else nobody knows' }),
    }),
    { description: 'who may be letting more through, the likeliest first' },
  ),
});
export type FlowCheckReply = Static<typeof FlowCheckReply>;

export const checkFlow = defineEndpoint({
  key: 'GET /flow/check',
  tag: 'Flow',
  summary:
    'Whether what flows through the farm’s meter is what its open sprinklers give; nothing where that is not known, as with several meters',
  needs: needs.countSprinklers,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ check: nullable(FlowCheckReply) }),
});

const Count = Type.Integer({ minimum: 0 });
/** A pipe that a sprinkler's water comes through, and what else it gives now. */
export const Pipe = Type.Object({
  kind: { ...oneOf(['line', 'main', 'farm']), description: 'line: its lateral group; farm: all of it' },
  name: Type.String(),
  maxLps: nullable(Type.Number({ description: 'L/s that it can give; null: nobody has entered it' })),
  open: { ...Count, description: 'others on it that said that they are open' },
  openLps: Type.Number({ description: 'L/s of those' }),
  mayBe: { ...Count, description: 'others that may be open, as by their schedule or past their end' },
  mayBeLps: Type.Number({ description: 'L/s of those' }),
  unset: { ...Count, description: 'of both: how many whose flow is not set, so that they count as 0 L/s' },
  planned: Type.Object(
    {
      starts: { ...Count, description: 'others on it that are to begin watering by what they hold' },
      unsure: { ...Count, description: 'of those: how many of which something speaks against it' },
      firstAt: nullable({ ...Time, description: 'when the first of them is to begin' }),
      lps: Type.Number({ description: 'the most of them and of what is open now that flows at a time, L/s' }),
      mayBeLps: Type.Number({ description: 'how much more it may be, L/s' }),
      unset: { ...Count, description: 'of those that are to begin: how many whose flow is not set' },
      unknown: { ...Count, description: 'others on it of which it is not known what they water by' },
    },
    { description: 'from now until `until`' },
  ),
});
export type Pipe = Static<typeof Pipe>;

export const pipesOfSprinkler = defineEndpoint({
  key: 'GET /flow/pipes',
  tag: 'Flow',
  summary:
    'What else runs now, and is to run while it is open, on the pipes that a sprinkler gets its water through, the nearest first: its line, its mains and the farm; for whoever may open it',
  needs: commandNeeds.ValveOn,
  target: oneSprinkler,
  query: Type.Object({
    ...named,
    minutes: Type.Integer({ minimum: 1, maximum: 1440, description: 'how long it would be open' }),
  }),
  reply: Type.Object({
    lps: Type.Number({ description: 'L/s that the sprinkler itself gives; 0: not set' }),
    until: { ...Time, description: 'by when it would be closed, however late its turn comes' },
    pipes: Type.Array(Pipe),
  }),
});

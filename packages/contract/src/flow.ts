import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { DayText, Days, nullable, oneOf, Time, Uid } from './schemas.ts';
import { FlowPoint } from './tanks.ts';
import { needs } from './permissions.ts';
import { flowStates } from './rules/flow-check.ts';

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

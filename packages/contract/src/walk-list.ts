import Type, { type Static } from 'typebox';
import { Epoch } from './devices.ts';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { forecastConfidences } from './rules/battery-forecast.ts';
import { LatLng, nullable, oneOf, Uid } from './schemas.ts';

/** Batteries that will be low within so many days are changed on the same walk. */
export const WALK_DAYS = 14;

/** Why somebody has to go there: batteries, and what no command can mend. */
export const walkReasons = ['openOverdue', 'batteryLow', 'batteryDue', 'outOfContact'] as const;
export type WalkReason = (typeof walkReasons)[number];

const Why = Type.Object({
  kind: oneOf(walkReasons),
  since: nullable({
    ...Epoch,
    description:
      'openOverdue: when it should have closed; outOfContact: when it was last heard, null: never; null of the others',
  }),
  due: nullable(
    Type.Object(
      {
        days: Type.Integer(),
        earliest: Type.Integer(),
        latest: nullable(Type.Integer({ description: 'null: not in sight at the slowest rate' })),
        confidence: oneOf(forecastConfidences),
      },
      {
        description: 'of batteryDue: days from today until it is low, at the rate of the last 21 whole days',
      },
    ),
  ),
});

export const WalkStop = Type.Object({
  id: Uid,
  device: oneOf(['sprinkler', 'repeater']),
  name: Type.String(),
  serialNumber: Type.String(),
  groups: Type.Array(Type.String()),
  location: nullable(LatLng),
  why: Type.Array(Why, { minItems: 1, description: 'the worst first' }),
  charge: nullable(Type.Number({ description: '%; null: not said since its battery was replaced' })),
  chargeAt: nullable(Epoch),
});
export type WalkStop = Static<typeof WalkStop>;

export const WalkList = Type.Object({
  at: Epoch,
  stops: Type.Array(WalkStop, { description: 'in no order: that depends on where one begins' }),
});
export type WalkList = Static<typeof WalkList>;

export const walkList = defineEndpoint({
  key: 'GET /walk-list',
  tag: 'Irrigation devices',
  summary: `Where somebody has to go on a farm: batteries that are low or will be within ${WALK_DAYS} days, units out of contact, valves that did not close`,
  needs: needs.walkList,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: WalkList,
});

import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { HOLD_DAYS_MAX } from './limits.ts';
import { can, flag } from './permissions.ts';
import { LineText, nullable, Time, Uid } from './schemas.ts';

const tag = 'Commands';
const Count = Type.Integer({ minimum: 0 });

const endWhys = ['inhibited', 'held', 'failed', 'notAsked'] as const;
/** What the end of a hold did, by sprinkler. */
export const HoldEnd = Type.Object({
  /** They took it: they may water again. */
  again: Count,
  /** It is on its way to them. */
  waiting: Count,
  /** Those that do not water again by it, and why. */
  others: Type.Array(
    Type.Object({
      uid: Uid,
      name: Type.String(),
      /** A person inhibits it; another hold goes on; it did not take it; nothing was sent to it. */
      why: Type.Unsafe<(typeof endWhys)[number]>({ type: 'string', enum: [...endWhys] }),
      note: Type.String({ description: 'what it answered, or why it could not be sent' }),
      /** When that was; of `held` until when. */
      at: nullable(Time),
    }),
  ),
});
export type HoldEnd = Static<typeof HoldEnd>;

/** Sprinklers that are kept from watering until a time, as while cows are in their paddock. */
export const PaddockHold = Type.Object({
  uid: Uid,
  farmUID: Uid,
  groupUID: nullable(Uid),
  /** The group's as it was then, or how many were chosen. */
  name: Type.String(),
  reason: Type.String(),
  from: Time,
  until: Time,
  by: Type.String({ description: "a person's name; empty when the account was deleted" }),
  /** When it was over; null: it goes on. */
  endedAt: nullable(Time),
  /** Its sprinklers were not let water again: nobody was there to do so within an hour of its end. */
  isMissed: Type.Boolean(),
  units: Type.Array(Uid, { description: 'its sprinklers that are on the farm' }),
  total: Count,
  /** While it goes on: those that said so, or did it, and that nobody let water again. */
  stopped: Count,
  /** After its end: those that nobody let water again, or that did not take it. Not who is stopped by a hand or another hold. */
  stillStopped: Type.Array(Uid),
  end: nullable(HoldEnd),
  commandId: Type.String({
    description: 'of the Inhibit that it began with; empty when that is no longer kept',
  }),
  /** What let its sprinklers water again: Uninhibit, or the schedule that they are to water by by now; the first first. */
  endCommandIds: Type.Array(Uid),
});
export type PaddockHold = Static<typeof PaddockHold>;

const until = {
  until: Type.String({ format: 'date-time', description: `at most ${HOLD_DAYS_MAX} days from now` }),
};
const inhibitGroup = { anyOf: [flag('inhibitGroup')] };

export const listHolds = defineEndpoint({
  key: 'GET /paddock-holds',
  tag,
  summary:
    'Holds of a farm that were under way in a time, the newest first; without one those that go on, and those that ended within a day and whose sprinklers did not all take it',
  needs: {
    anyOf: [
      can('irrigationDevices', 'Read'),
      can('schedules', 'Read'),
      flag('dashboard'),
      flag('sprinklersStatus'),
    ],
  },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid, from: Type.Optional(Time), to: Type.Optional(Time) }),
  reply: Type.Object({ holds: Type.Array(PaddockHold, { description: 'at most 200' }) }),
});

export const addHold = defineEndpoint({
  key: 'POST /paddock-hold',
  tag,
  summary:
    'Keep the sprinklers of a group, or chosen ones, from watering until a time: Inhibit now, and Uninhibit by itself at its end. 505 when no gateway is there',
  needs: inhibitGroup,
  once: true,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    groupUID: Type.Optional(Type.String({ minLength: 1, maxLength: 24, description: 'a group, or FARM' })),
    uids: Type.Optional(Type.Array(Uid, { minItems: 1, maxItems: 5000 })),
    ...until,
    reason: Type.Optional(LineText({ maxLength: 200 })),
  }),
  reply: PaddockHold,
});

export const changeHold = defineEndpoint({
  key: 'PUT /paddock-hold',
  tag,
  summary: 'Make a hold longer or shorter. 409 once it is over',
  needs: inhibitGroup,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, holdUID: Uid, ...until }),
  reply: PaddockHold,
});

export const endHold = defineEndpoint({
  key: 'POST /paddock-hold/end',
  tag,
  summary:
    'End a hold now, or let those water that did not take its end: what it stopped may water again, but for what a hand or another hold stops. 409 once that is done',
  needs: inhibitGroup,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, holdUID: Uid }),
  reply: PaddockHold,
});

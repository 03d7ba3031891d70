import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { Time, Uid } from './schemas.ts';

const LetterId = Type.String({ pattern: '^[0-9]{1,18}$' });

/** Messages of one sender about one device that were not taken for the same reason. */
export const DeadLetter = Type.Object({
  _id: LetterId,
  reason: Type.String({ description: "why the newest one wasn't taken" }),
  from: Type.String({
    description: 'the gateway with its MAC, or the network server with the number of its key',
  }),
  mac: Type.String({ description: 'MAC of the device that it is about; empty where the message names none' }),
  deviceName: Type.String({ description: "of the farm's device with this MAC; empty where it has none" }),
  gatewayName: Type.String({ description: "of the farm's gateway that sent it; empty for others" }),
  firstAt: Time,
  at: Time,
  bytes: Type.Integer({ description: 'size of the newest message' }),
  count: Type.Integer({ description: 'messages that were not taken, or not all of them' }),
  kept: Type.Integer({ description: 'of these, how many are kept whole and can be tried again' }),
  taken: Type.Integer({ description: 'messages that were taken after all' }),
  held: Type.Boolean({
    description: "they wait because the server's clock is wrong, and are taken by themselves",
  }),
});
export type DeadLetter = Static<typeof DeadLetter>;

export const listDeadLetters = defineEndpoint({
  key: 'GET /dead-letters',
  tag: 'Dead letters',
  summary:
    'Device messages of a farm that were not taken, or not all of them: from whom, when, how often and why; what is still open first. `mac`: of this device or gateway alone',
  needs: needs.readLetters,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({
    farmUID: Uid,
    mac: Type.Optional(Type.String({ pattern: '^(?:[0-9A-Fa-f]{12}|[0-9A-Fa-f]{16})$' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  }),
  reply: Type.Object({
    letters: Type.Array(DeadLetter),
    more: Type.Boolean(),
    keptDays: Type.Integer({ description: 'letters that happened no more go after so many days' }),
  }),
});

export const getDeadLetter = defineEndpoint({
  key: 'GET /dead-letter',
  tag: 'Dead letters',
  summary: 'The newest kept message of a dead letter, whole; where none is kept, the beginning of the first',
  needs: needs.readLetters,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid, id: LetterId }),
  reply: Type.Object({
    topic: Type.String(),
    receivedAt: Time,
    bytes: Type.Integer(),
    whole: Type.Boolean(),
    encoding: Type.Unsafe<'text' | 'hex'>({ type: 'string', enum: ['text', 'hex'] }),
    message: Type.String(),
  }),
});

export const replayDeadLetters = defineEndpoint({
  key: 'POST /dead-letters/replay',
  tag: 'Dead letters',
  summary:
    'Try the kept messages of a dead letter again, or all of a farm, once the cause is gone. What is taken is a dead letter no more; what fails again stays, with its new reason. Nothing is stored twice. Ends after some 10 s: `left` can be tried with the next call',
  needs: needs.replayLetters,
  target: { farm: { in: 'body', name: 'farmUID' } },
  perMinute: 30,
  body: Type.Object({ farmUID: Uid, id: Type.Optional(LetterId) }),
  reply: Type.Object({
    taken: Type.Integer(),
    failed: Type.Integer(),
    left: Type.Integer({ description: 'kept messages that were not tried yet' }),
    reason: Type.String({ description: 'of the last one that failed; empty where none did' }),
  }),
});

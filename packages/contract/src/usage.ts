import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { Time, Uid } from './schemas.ts';

export const farmUsage = defineEndpoint({
  key: 'GET /farm/usage',
  tag: 'Farms',
  summary:
    'What the devices of a farm wrote today, and what they may: readings, values that are kept, and messages that were not taken',
  needs: needs.readFarm,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({
    resetsAt: Time,
    readings: Type.Object({
      today: Type.Integer(),
      refused: Type.Integer({ description: 'readings of today that were not taken because of a limit' }),
      limit: Type.Integer(),
      accountToday: Type.Integer({ description: "of all the owner's farms" }),
      accountLimit: Type.Integer(),
    }),
    series: Type.Object({
      count: Type.Integer({ description: 'values that are kept: each value of each device is one' }),
      limit: Type.Integer(),
    }),
    codecs: Type.Object({ count: Type.Integer(), limit: Type.Integer() }),
    letters: Type.Object({
      today: Type.Integer({ description: 'messages of today that were not taken' }),
      keptBytes: Type.Integer({ description: 'of all kept messages' }),
      limitBytes: Type.Integer(),
    }),
  }),
});
export const accountUsage = defineEndpoint({
  key: 'GET /account/usage',
  tag: 'Account',
  summary:
    'How many files the caller had made today, and how many that may be: exports, and everything that is kept about the caller',
  needs: needs.login,
  reply: Type.Object({
    resetsAt: Time,
    files: Type.Object({ today: Type.Integer(), limit: Type.Integer() }),
  }),
});
export type FarmUsage = Static<typeof farmUsage.reply>;

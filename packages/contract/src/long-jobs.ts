import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { nullable, Time, Uid } from './schemas.ts';

export const longJobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type LongJobState = (typeof longJobStates)[number];

/** Work for a farm that takes longer than a call: it goes on when its page is closed or the server starts anew. */
export const LongJob = Type.Object({
  _id: Uid,
  farmUID: Uid,
  type: Type.String({ description: 'what is done, as "decode anew"' }),
  by: Type.String({ description: 'name of who asked for it; empty where the account is gone' }),
  state: Type.Enum([...longJobStates]),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  progressText: Type.String({ description: 'the same in a sentence; empty before it begins' }),
  error: Type.String({ description: 'why it failed, was cancelled, or has to be tried again; else empty' }),
  askedAt: Time,
  startedAt: nullable({ ...Time, description: 'when it began, the last time where it began several times' }),
  finishedAt: nullable(Time),
  keptUntil: nullable({
    ...Time,
    description: 'from then on nothing is known of it; null: it has not ended',
  }),
});
export type LongJob = Static<typeof LongJob>;

export const listLongJobs = defineEndpoint({
  key: 'GET /jobs',
  tag: 'Jobs',
  summary: 'Long jobs of a farm, the newest first, at most 100',
  needs: needs.readFarm,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ jobs: Type.Array(LongJob) }),
});

export const getLongJob = defineEndpoint({
  key: 'GET /job',
  tag: 'Jobs',
  summary: 'A long job that the caller asked for, with its result',
  needs: needs.login,
  query: Type.Object({ id: Uid }),
  reply: Type.Object({
    ...LongJob.properties,
    result: Type.Unknown({ description: 'what came of it, by its type; null where it is not done' }),
  }),
});

export const cancelLongJob = defineEndpoint({
  key: 'POST /job/cancel',
  tag: 'Jobs',
  summary:
    'Cancel a long job, by who asked for it or by the owner of its farm. One that runs ends within seconds; what it has done stays done',
  needs: needs.login,
  body: Type.Object({ id: Uid }),
  reply: LongJob,
});

import Type from 'typebox';
import type { Db } from '../../db/client.ts';
import { addJob } from '../long-jobs/enqueue.ts';
import { defineLongJob, type JobOwner } from '../long-jobs/long-job-type.ts';
import { createDeadLettersRepo, type DeadLettersRepo } from './dead-letters.repo.ts';
import { replay, type TakeAgain } from './replay.ts';

const TAKE_AGAIN_JOB = 'take messages again';
const SEEN_DAYS = 7;
/** What was received just before the farm was deleted may have been judged just after. */
const UNDER_WAY_MS = 3_600_000;

/**
 * What came for a farm while it was deleted was acknowledged and set aside, since nobody had its devices: it is taken when the farm is
 * back. Begun again it tries what is left, and once more what failed.
 */
export function takeAgainJob(repo: DeadLettersRepo, takeAgain: TakeAgain) {
  return defineLongJob({
    name: TAKE_AGAIN_JOB,
    payload: Type.Object({ sinceMs: Type.Number() }),
    keptDays: SEEN_DAYS,

    async run({ farmId, payload, signal, progress }) {
      const filter = { farmId, receivedFrom: new Date(payload.sinceMs) };
      const onSome = (tried: number, count: number) =>
        progress(tried / Math.max(tried, count), `${tried} of ${count} messages are tried again.`);
      const { taken, failed } = await replay(repo, takeAgain, filter, {
        withinMs: Number.POSITIVE_INFINITY,
        signal,
        onSome,
      });
      return { taken, failed };
    },
  });
}

/** In the transaction in which the farm comes back; nothing where nothing came. */
export async function takeAgainSince(trx: Db, owner: JobOwner, deletedAt: Date, now: Date): Promise<void> {
  const sinceMs = deletedAt.getTime() - UNDER_WAY_MS;
  const filter = { farmId: owner.farmId, receivedFrom: new Date(sinceMs) };
  const { count } = await createDeadLettersRepo(trx).countAndLast(filter);
  if (count > 0) await addJob(trx, { name: TAKE_AGAIN_JOB }, { sinceMs }, owner, now);
}

import type { Static, TSchema } from 'typebox';
import { LONG_JOBS_PER_FARM } from '@headrace/contract/limits';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import { tooMany } from '../../http/errors.ts';
import { wakeLongJobs } from '../../live/database-news.ts';
import type { JobOwner, LongJobType } from './long-job-type.ts';

/** When a job ends nobody knows. */
const AGAIN_MS = 60_000;

/** Puts a job in the queue when `trx` commits, where a free server begins it at once; its public id. Throws tooMany where too many of the farm wait. */
export async function enqueueJob<S extends TSchema>(
  trx: Db,
  type: Pick<LongJobType<S>, 'name'>,
  payload: Static<S>,
  owner: JobOwner,
  now: Date,
): Promise<string> {
  await refuseMany(trx, owner);
  return addJob(trx, type, payload, owner, now);
}

async function refuseMany(trx: Db, { farmId }: JobOwner): Promise<void> {
  const { open } = await trx
    .selectFrom('long_job')
    .select((eb) => eb.fn.countAll<string>().as('open'))
    .where('farm_id', '=', farmId)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(open) >= LONG_JOBS_PER_FARM)
    throw tooMany(
      `${LONG_JOBS_PER_FARM} long jobs of this farm wait or run already. Please try again when some have ended, or cancel one.`,
      AGAIN_MS,
    );
}

/** The same for what nobody asked for, and must not fail for what others did. */
export async function addJob<S extends TSchema>(
  trx: Db,
  type: Pick<LongJobType<S>, 'name'>,
  payload: Static<S>,
  { farmId, accountId }: JobOwner,
  now: Date,
): Promise<string> {
  const uid = newUid(now);
  await trx
    .insertInto('long_job')
    .values({
      farm_id: farmId,
      uid,
      account_id: accountId,
      type: type.name,
      payload: JSON.stringify(payload),
      asked_at: now,
      run_after: now,
    })
    .execute();
  await wakeLongJobs(trx);
  return uid;
}

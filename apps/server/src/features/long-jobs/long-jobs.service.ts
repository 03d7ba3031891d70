import type { LongJob } from '@headrace/contract/long-jobs';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { getLongJob } from '@headrace/contract/long-jobs';
import type { Db } from '../../db/client.ts';
import { conflict, notFound } from '../../http/errors.ts';
import type { LongJobType } from './long-job-type.ts';
import { createLongJobsRepo, type LongJobsRepo } from './long-jobs.repo.ts';

type FoundJob = NonNullable<Awaited<ReturnType<LongJobsRepo['byUid']>>>;

const DAY_MS = 86_400_000;

/** What people see of their long jobs, and how they end one. */
export function createLongJobsService(db: Db, types: () => readonly LongJobType[]) {
  const jobs = createLongJobsRepo(db);

  async function found(uid: string): Promise<FoundJob> {
    const job = await jobs.byUid(uid.toLowerCase());
    if (!job) throw notFound();
    return job;
  }

  return {
    ofFarm: async (farmId: number): Promise<LongJob[]> => (await jobs.ofFarm(farmId)).map(present),

    /** Of the caller's own; another's answers as one that does not exist. */
    async own(uid: string, accountId: number): Promise<ReplyOf<typeof getLongJob>> {
      const job = await found(uid);
      if (job.account_id !== accountId) throw notFound();
      return { ...present(job), result: job.result };
    },

    /** Throws conflict when it has ended otherwise. Twice is once. */
    async cancel(uid: string, accountId: number, now: Date): Promise<LongJob> {
      const { farm_id, id, account_id, ownerId } = await found(uid);
      if (account_id !== accountId && ownerId !== accountId) throw notFound();
      await db.transaction().execute(async (trx) => {
        const locked = createLongJobsRepo(trx);
        const job = await locked.lock(farm_id, id);
        if (!job) throw notFound();
        if (job.state === 'done' || job.state === 'failed') throw conflict('It has ended already.');
        if (job.state === 'running') return locked.askCancel(job, now);
        if (job.state === 'cancelled') return;
        const type = types().find(({ name }) => name === job.type);
        await locked.cancelQueued(job, new Date(now.getTime() + (type?.keptDays ?? 1) * DAY_MS), now);
        await type?.cancelled?.(job.payload, { farmId: farm_id, accountId: account_id }, trx, now);
      });
      return present(await found(uid));
    },
  };
}
export type LongJobsService = ReturnType<typeof createLongJobsService>;

const present = (job: FoundJob): LongJob => ({
  _id: job.uid,
  farmUID: job.farmUid,
  type: job.type,
  by: job.by ?? '',
  state: job.state,
  progress: job.progress,
  progressText: job.progress_text,
  error: job.error,
  askedAt: job.asked_at.toISOString(),
  startedAt: job.started_at?.toISOString() ?? null,
  finishedAt: job.finished_at?.toISOString() ?? null,
  keptUntil: job.kept_until?.toISOString() ?? null,
});

import { setTimeout as sleep } from 'node:timers/promises';
import { Compile } from 'typebox/compile';
import type { Db } from '../../db/client.ts';
import { databaseFaultOf } from '../../db/database-fault.ts';
import { keepJob, LOST, STOPPING } from './keep-job.ts';
import { JobCancelled, JobFailure, type LongJobType } from './long-job-type.ts';
import { createLongJobsRepo, type LongJobRow } from './long-jobs.repo.ts';

export interface LongJobsOptions {
  /** The connections that jobs have. None is held while a job runs. */
  readonly db: Db;
  readonly types: readonly LongJobType[];
  readonly now: () => Date;
  readonly log: { warn(details: object, message: string): void };
  /** No other server uses this database: what a killed one left is begun again at once. */
  readonly isAlone: boolean;
  /** How often the database is asked for the next, ms. */
  readonly pollMs?: number;
}

export interface LongJobsRunner {
  /** Looks for a job at once: one was added. */
  wake(): void;
  stop(): Promise<void>;
}

/** At the same time on one server. */
const AT_ONCE = 2;
const POLL_MS = 1000;
/** Failed as often it is given up: 10 s, 1, 5 and 30 min apart. */
const BACK_OFF_S = [10, 60, 300, 1800] as const;
/** Begun as often without an end it takes the server down with it. */
const MOST_BEGINS = 20;
const DAY_MS = 86_400_000;

/** The database was away: no fault of the job, which begins again then, ms. */
const REST_MS = 5000;

/**
 * Runs long jobs: at most two on this server, one of a farm and two of an account on all servers. A runner tells every few seconds that
 * it lives; one that is silent for LEASE_S has lost its job to the next. Who adds a job wakes all runners; what nobody woke them for is
 * found by asking each second. docs/decisions/0059
 */
export function runLongJobs(options: LongJobsOptions): LongJobsRunner {
  const { db, types, now, log } = options;
  const repo = createLongJobsRepo(db);
  const byName = new Map(types.map((type) => [type.name, { type, schema: Compile(type.payload) }]));
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let isFirst = options.isAlone;
  let filling: Promise<void> | null = null;
  /** One was added, or ended, while the database was asked: perhaps too late for that answer. */
  let mayBeMore = false;

  async function fill(): Promise<void> {
    if (isFirst) await repo.releaseAll();
    isFirst = false;
    while (running.size < AT_ONCE && !stopping.signal.aborted) {
      const job = await repo.claim([...byName.keys()], now());
      if (!job) return;
      const run: Promise<void> = runOne(job)
        .then(store)
        .catch((err: unknown) => log.warn({ err, ...namesOf(job) }, 'the end of a long job is not stored'))
        .finally(() => {
          running.delete(run);
          wake();
        });
      running.add(run);
    }
  }

  function poll(): void {
    if (stopping.signal.aborted) return;
    filling ??= fill()
      .catch((err: unknown) => log.warn({ err }, 'long jobs not read'))
      .finally(() => {
        filling = null;
        if (!mayBeMore) return;
        mayBeMore = false;
        poll();
      });
  }

  function wake(): void {
    mayBeMore = filling !== null;
    poll();
  }

  /** Resolves with what is to be stored of its end. */
  async function runOne(job: LongJobRow): Promise<() => Promise<unknown>> {
    const known = byName.get(job.type);
    if (!known) throw new Error(`nobody runs long jobs of type ${job.type}`);
    const { type, schema } = known;
    const onError = (err: unknown) =>
      log.warn({ err, ...namesOf(job) }, 'a long job could not say that it runs');
    const keeper = keepJob(job, { repo, stopping: stopping.signal, onError });
    try {
      if (job.attempt > MOST_BEGINS)
        throw new JobFailure(`It was begun ${MOST_BEGINS} times and never ended, so it is not begun again.`);
      if (!schema.Check(job.payload)) throw new JobFailure('What it should do cannot be read any more.');
      keeper.signal.throwIfAborted();
      const { payload, farm_id: farmId, account_id: accountId } = job;
      const { signal, progress } = keeper;
      const result = await type.run({ payload, farmId, accountId, signal, progress });
      await keeper.end();
      const end = { state: 'done', error: '', result, keptUntil: keptUntil(type) } as const;
      return () => repo.end(job, end, now());
    } catch (error) {
      await keeper.end();
      const why: unknown = keeper.signal.aborted ? keeper.signal.reason : error;
      return () => afterwards(job, type, why);
    }
  }

  /** Also where the database is away when the job ends. */
  async function store(write: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await write();
        return;
      } catch (error) {
        if (!databaseFaultOf(error) || stopping.signal.aborted) throw error;
        await sleep(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  const keptUntil = ({ keptDays }: LongJobType) => new Date(now().getTime() + keptDays * DAY_MS);

  /** What becomes of a job that did not get to its end. */
  async function afterwards(job: LongJobRow, type: LongJobType, why: unknown): Promise<void> {
    if (why === LOST) return;
    if (why === STOPPING) return repo.putBack(job, { runAfter: now() });
    if (why instanceof JobCancelled) return cancel(job, type, why.message);
    if (databaseFaultOf(why) === 'away')
      return repo.putBack(job, { runAfter: new Date(now().getTime() + REST_MS) });
    const wait = BACK_OFF_S[job.failures];
    const isFinal = why instanceof JobFailure || wait === undefined;
    if (!isFinal) {
      log.warn({ err: why, ...namesOf(job) }, 'a long job failed and is tried again');
      const runAfter = new Date(now().getTime() + wait * 1000);
      return repo.putBack(job, { runAfter, error: 'It failed and is tried again.' });
    }
    if (!(why instanceof JobFailure)) log.warn({ err: why, ...namesOf(job) }, 'a long job failed');
    const error = why instanceof JobFailure ? why.message : `It failed ${job.failures + 1} times.`;
    await repo.end(job, { state: 'failed', error, keptUntil: keptUntil(type) }, now());
  }

  async function cancel(job: LongJobRow, type: LongJobType, error: string): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const end = { state: 'cancelled', error, keptUntil: keptUntil(type) } as const;
      if (!(await createLongJobsRepo(trx).end(job, end, now()))) return;
      const owner = { farmId: job.farm_id, accountId: job.account_id };
      await type.cancelled?.(job.payload, owner, trx, now());
    });
  }

  const timer = setInterval(poll, options.pollMs ?? POLL_MS).unref();
  poll();
  return {
    wake,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await filling;
      await Promise.all(running);
    },
  };
}

const namesOf = ({ uid, type, farm_id: farmId, attempt }: LongJobRow) => ({
  job: uid,
  type,
  farmId,
  attempt,
});

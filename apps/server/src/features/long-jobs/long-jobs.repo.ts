import { type Selectable, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { Database } from '../../db/schema.ts';

export type LongJobRow = Selectable<Database['long_job']>;
/** One begin of a job: what an earlier one still writes finds no row. */
export type Begun = Pick<LongJobRow, 'farm_id' | 'id' | 'attempt'>;

/** How long a runner that isn't heard of keeps its job, seconds. */
export const LEASE_S = 30;
/** That run at the same time, on all servers. */
const OF_FARM = 1;
const OF_ACCOUNT = 2;
const SHOWN = 100;

const lease = sql<Date>`clock_timestamp() + make_interval(secs => ${LEASE_S})`;

/** Long jobs as they are stored; `features/long-jobs/enqueue.ts` adds them. */
export function createLongJobsRepo(db: Db) {
  const found = () =>
    db
      .selectFrom('long_job as j')
      .innerJoin('farm as f', 'f.id', 'j.farm_id')
      .leftJoin('account as a', 'a.id', 'j.account_id')
      .selectAll('j')
      .select(['f.uid as farmUid', 'f.owner_id as ownerId', 'a.name as by']);

  const begun = ({ farm_id, id, attempt }: Begun) =>
    db
      .updateTable('long_job')
      .where('farm_id', '=', farm_id)
      .where('id', '=', id)
      .where('attempt', '=', attempt)
      .where('state', '=', 'running');

  return {
    ofFarm: (farmId: number) =>
      found().where('j.farm_id', '=', farmId).orderBy('j.id', 'desc').limit(SHOWN).execute(),

    byUid: (uid: string) =>
      found().where('j.uid', '=', uid).where('f.deleted_at', 'is', null).executeTakeFirst(),

    /** Undefined when it is gone. Locked: it neither begins nor ends until the transaction does. */
    lock: (farmId: number, id: string): Promise<LongJobRow | undefined> =>
      db
        .selectFrom('long_job')
        .selectAll()
        .where('farm_id', '=', farmId)
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst(),

    /**
     * Begins the next that may run: of the farm that was served longest ago, unless it or the account has its share running already. One
     * whose runner isn't heard of any more is begun again.
     */
    claim(types: readonly string[], now: Date): Promise<LongJobRow | undefined> {
      return db.transaction().execute(async (trx) => {
        // One server at a time, so that two don't count past the shares.
        await sql`select pg_advisory_xact_lock(hashtext('headrace long jobs'))`.execute(trx);
        const { rows } = await sql<LongJobRow>`
          with live as (
            select farm_id, account_id from long_job
            where finished_at is null and state = 'running' and lease_until > clock_timestamp()
          ), next as (
            select j.farm_id, j.id from long_job j
            where j.finished_at is null and j.type = any(${types}::text[])
              and (j.state = 'queued' and j.run_after <= ${now} or j.state = 'running' and j.lease_until <= clock_timestamp())
              and (select count(*) from live l where l.farm_id = j.farm_id) < ${OF_FARM}
              and (select count(*) from live l where l.account_id = j.account_id) < ${OF_ACCOUNT}
            order by (select max(s.started_at) from long_job s where s.farm_id = j.farm_id) nulls first, j.id
            limit 1
          )
          update long_job j set state = 'running', attempt = j.attempt + 1, started_at = clock_timestamp(),
            lease_until = ${lease}, error = ''
          from next where j.farm_id = next.farm_id and j.id = next.id
          returning j.*`.execute(trx);
        return rows[0];
      });
    },

    /** Keeps it for its runner; undefined when it is another's or has ended. */
    keep: (job: Begun, progress?: { part: number; text: string }) =>
      begun(job)
        .set({
          lease_until: lease,
          ...(progress && { progress: progress.part, progress_text: progress.text }),
        })
        .returning('cancel_asked_at')
        .executeTakeFirst(),

    /** Whether it was still this runner's to end. */
    async end(
      job: Begun,
      end: Pick<LongJobRow, 'state' | 'error'> & { result?: unknown; keptUntil: Date },
      now: Date,
    ): Promise<boolean> {
      const { state, error, result, keptUntil } = end;
      const { numUpdatedRows } = await begun(job)
        .set({
          state,
          error,
          ...(state === 'done' && { progress: 1, result: JSON.stringify(result ?? null) }),
          lease_until: null,
          finished_at: now,
          kept_until: keptUntil,
        })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Back in the queue until `runAfter`. */
    async putBack(job: Begun, back: { runAfter: Date; error?: string }): Promise<void> {
      const { runAfter, error } = back;
      await begun(job)
        .set({ state: 'queued', lease_until: null, run_after: runAfter })
        .$if(error !== undefined, (query) =>
          query.set((eb) => ({ error: error ?? '', failures: eb('failures', '+', 1) })),
        )
        .execute();
    },

    async askCancel({ farm_id, id }: Pick<LongJobRow, 'farm_id' | 'id'>, now: Date): Promise<void> {
      await db
        .updateTable('long_job')
        .set({ cancel_asked_at: now })
        .where('farm_id', '=', farm_id)
        .where('id', '=', id)
        .execute();
    },

    async cancelQueued(
      { farm_id, id }: Pick<LongJobRow, 'farm_id' | 'id'>,
      keptUntil: Date,
      now: Date,
    ): Promise<void> {
      await db
        .updateTable('long_job')
        .set({ state: 'cancelled', error: CANCELLED_TEXT, finished_at: now, kept_until: keptUntil })
        .where('farm_id', '=', farm_id)
        .where('id', '=', id)
        .execute();
    },

    /** Where no other server can be: whatever runs was left by one that was killed. */
    async releaseAll(): Promise<void> {
      await db
        .updateTable('long_job')
        .set({ lease_until: sql<Date>`clock_timestamp()` })
        .where('finished_at', 'is', null)
        .where('state', '=', 'running')
        .execute();
    },

    async purge(now: Date): Promise<void> {
      await db.deleteFrom('long_job').where('kept_until', '<=', now).execute();
    },
  };
}
export type LongJobsRepo = ReturnType<typeof createLongJobsRepo>;

export const CANCELLED_TEXT = 'It was cancelled.';

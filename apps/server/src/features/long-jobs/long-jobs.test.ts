import Type from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LongJob } from '@headrace/contract/long-jobs';
import { buildAccount, buildFarm } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { listenToDatabase } from '../../live/database-news.ts';
import { enqueueJob } from './enqueue.ts';
import { defineLongJob, JobFailure, type LongJobType, type RunningJob } from './long-job-type.ts';
import { createLongJobsRepo } from './long-jobs.repo.ts';
import { runLongJobs } from './run-long-jobs.ts';

interface Named {
  name: string;
}
type Work = (job: RunningJob<Named>) => Promise<unknown>;

let server: TestServer;
let world: FarmWorld;
let begun: string[];
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.db.deleteFrom('long_job').execute();
  server.clock.now = new Date('2026-11-20T21:00:00Z');
  world = await buildFarmWorld(server);
  begun = [];
});

const typeOf = (work: Work, cancelled?: (payload: Named) => Promise<void>): LongJobType =>
  defineLongJob({
    name: 'report',
    payload: Type.Object({ name: Type.String() }),
    keptDays: 7,
    async run(job) {
      begun.push(job.payload.name);
      return work(job);
    },
    ...(cancelled && { cancelled }),
  });

function run(type: LongJobType, isAlone = false, pollMs = 20) {
  const runner = runLongJobs({
    db: server.database.db,
    types: [type],
    now: () => server.clock.now,
    log: { warn() {} },
    isAlone,
    pollMs,
  });
  onTestFinished(() => runner.stop());
  return runner;
}
/** One that asks for jobs at its start alone. */
const runSeldom = (type: LongJobType) => run(type, false, 3_600_000);

const ask = (name: string, owner = { farmId: world.farm.id, accountId: world.owner.id }) =>
  enqueueJob(server.database.db, { name: 'report' }, { name }, owner, server.clock.now);
const job = async (id: string) => (await world.get('GET /job', { id })).json<LongJob & { result: unknown }>();
const stateOf = async (id: string) => (await job(id)).state;
const reach = (id: string, state: string) => expect.poll(() => stateOf(id), { timeout: 10_000 }).toBe(state);
const untilAborted: Work = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
/** As after a kill -9: nobody keeps the lease any more. */
const loseLeases = () =>
  server.database.pool.query(`update long_job set lease_until = now() - interval '1 second'`);

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('a long job', () => {
  it('tells how far it is, and then what came of it', async () => {
    const end = gate();
    run(
      typeOf(async ({ progress, payload }) => {
        progress(0.25, '1 of 4 pages are drawn.');
        await end.opened;
        return { file: `${payload.name}.pdf` };
      }),
    );
    const id = await ask('May');
    await expect.poll(async () => (await job(id)).progress, { timeout: 10_000 }).toBe(0.25);
    expect(await job(id)).toMatchObject({
      type: 'report',
      state: 'running',
      progressText: '1 of 4 pages are drawn.',
      by: world.owner.name,
      result: null,
      finishedAt: null,
    });
    end.open();
    await reach(id, 'done');
    expect(await job(id)).toMatchObject({
      progress: 1,
      result: { file: 'May.pdf' },
      error: '',
      finishedAt: '2026-11-20T21:00:00.000Z',
      keptUntil: '2026-11-27T21:00:00.000Z',
    });
    const { jobs } = (await world.get('GET /jobs', { farmUID: world.farm.uid })).json<{ jobs: LongJob[] }>();
    expect(jobs.map(({ _id, state }) => [_id, state])).toEqual([[id, 'done']]);
    await createLongJobsRepo(server.database.db).purge(new Date('2026-11-27T21:00:00Z'));
    expect((await world.get('GET /job', { id })).statusCode).toBe(404);
  });

  it('begins as soon as it is there, and the next with its end, however seldom its server looks', async () => {
    const end = gate();
    const { wake } = runSeldom(typeOf(() => end.opened));
    const nobody = { onNews() {}, onGap() {} };
    const news = listenToDatabase(server.database.url, nobody, { warn() {} }, undefined, wake);
    onTestFinished(() => news.stop());
    await news.listening;
    const first = await ask('May');
    await reach(first, 'running');
    const second = await ask('June');
    expect(await stateOf(second)).toBe('queued');
    end.open();
    await reach(second, 'done');
  });

  it('that is added while its server looks, after what it sees, is found by another look', async () => {
    const { db, pool } = server.database;
    const looking = await pool.connect();
    onTestFinished(() => looking.release());
    const lock = `hashtext('headrace long jobs')`;
    await looking.query(`select pg_advisory_lock(${lock})`);
    const looks = vi.spyOn(db, 'transaction');
    onTestFinished(() => looks.mockRestore());
    const { wake } = runSeldom(typeOf(async () => null));
    await expect.poll(() => looks.mock.calls.length).toBe(1);
    wake();
    wake();
    await looking.query(`select pg_advisory_unlock(${lock})`);
    await expect.poll(() => looks.mock.calls.length).toBe(2);
  });

  it('that was asked for in a transaction which is taken back was never asked for', async () => {
    const failing = server.database.db.transaction().execute(async (trx) => {
      const owner = { farmId: world.farm.id, accountId: world.owner.id };
      await enqueueJob(trx, { name: 'report' }, { name: 'May' }, owner, server.clock.now);
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect(await server.database.db.selectFrom('long_job').select('id').execute()).toEqual([]);
  });

  it('is tried again after 10 s, 1, 5 and 30 minutes, and has failed then', async () => {
    run(typeOf(() => Promise.reject(new Error('no room'))));
    const id = await ask('May');
    for (const [failures, seconds] of [10, 60, 300, 1800].entries()) {
      await expect
        .poll(async () => [begun.length, await stateOf(id)], { timeout: 10_000 })
        .toEqual([failures + 1, 'queued']);
      const { run_after } = await server.database.db
        .selectFrom('long_job')
        .select('run_after')
        .executeTakeFirstOrThrow();
      expect(run_after.getTime() - server.clock.now.getTime()).toBe(seconds * 1000);
      server.clock.now = run_after;
    }
    await reach(id, 'failed');
    expect([begun.length, (await job(id)).error]).toEqual([5, 'It failed 5 times.']);
  });

  it('that can’t be done says why, and is not tried again', async () => {
    run(typeOf(() => Promise.reject(new JobFailure('The farm has no meters.'))));
    const id = await ask('May');
    await reach(id, 'failed');
    expect([begun.length, (await job(id)).error]).toEqual([1, 'The farm has no meters.']);
  });

  it('whose payload an older release wrote otherwise fails, and is not begun', async () => {
    const id = await ask('May');
    await server.database.db.updateTable('long_job').set({ payload: '{"title":"May"}' }).execute();
    run(typeOf(async () => null));
    await reach(id, 'failed');
    expect([begun, (await job(id)).error]).toEqual([[], 'What it should do cannot be read any more.']);
  });

  it('of which 50 of a farm wait is not taken any more, by a sentence', async () => {
    for (let n = 0; n < 50; n += 1) await ask(`${n}`);
    await expect(ask('one more')).rejects.toMatchObject({
      message: expect.stringContaining('50 long jobs of this farm wait or run already') as string,
      retryAfterS: 60,
    });
    const other = await buildFarm(server.database.db, world.owner.id);
    await ask('of another farm', { farmId: other.id, accountId: world.owner.id });
  });
});

describe('turns', () => {
  it('go to the farm that waits longest: 50 jobs of one don’t hold up the one of another', async () => {
    const other = await buildAccount(server.database.db);
    const small = await buildFarm(server.database.db, other.id);
    for (let n = 1; n <= 50; n += 1) await ask(`big ${n}`);
    await ask('small', { farmId: small.id, accountId: other.id });
    const end = gate();
    run(typeOf(() => end.opened));
    await expect.poll(() => begun.length, { timeout: 10_000 }).toBe(2);
    expect(begun.toSorted()).toEqual(['big 1', 'small']);
    end.open();
    await expect.poll(() => begun.length, { timeout: 10_000 }).toBeGreaterThan(4);
    expect(begun.slice(2, 5)).toEqual(['big 2', 'big 3', 'big 4']);
  });

  it('are one of a farm and two of an account at a time, on however many servers', async () => {
    const farms = await Promise.all([1, 2, 3].map(() => buildFarm(server.database.db, world.owner.id)));
    for (const { id } of farms)
      for (let n = 1; n <= 2; n += 1) await ask(`${id}`, { farmId: id, accountId: world.owner.id });
    const counts = { now: new Map<string, number>(), most: 0, mostOfFarm: 0 };
    const type = typeOf(async ({ payload: { name }, farmId }) => {
      expect(`${farmId}`).toBe(name);
      counts.now.set(name, (counts.now.get(name) ?? 0) + 1);
      const running = [...counts.now.values()];
      counts.most = Math.max(
        counts.most,
        running.reduce((sum, n) => sum + n, 0),
      );
      counts.mostOfFarm = Math.max(counts.mostOfFarm, ...running);
      await server.database.pool.query('select pg_sleep(0.1)');
      counts.now.set(name, (counts.now.get(name) ?? 0) - 1);
    });
    for (let servers = 0; servers < 3; servers += 1) run(type);
    await expect.poll(() => begun.length, { timeout: 20_000 }).toBe(6);
    expect(counts).toMatchObject({ most: 2, mostOfFarm: 1 });
  });
});

describe('whoever asked can cancel', () => {
  const cancel = (id: string) => world.send('POST /job/cancel', { id });

  it('a job that waits: it ends at once, and is never begun', async () => {
    const id = await ask('May');
    expect((await cancel(id)).json()).toMatchObject({ state: 'cancelled', error: 'It was cancelled.' });
    expect((await cancel(id)).statusCode).toBe(200);
    run(typeOf(async () => null));
    const later = await ask('June');
    await reach(later, 'done');
    expect(begun).toEqual(['June']);
  });

  it('a job that runs: it ends within seconds, and what it holds is let go in the same transaction', async () => {
    const left: unknown[] = [];
    run(typeOf(untilAborted, async (payload) => void left.push(payload)));
    const id = await ask('May');
    await reach(id, 'running');
    expect((await cancel(id)).statusCode).toBe(200);
    await reach(id, 'cancelled');
    expect(left).toEqual([{ name: 'May' }]);
  });

  it('none that has ended, and nobody else can, but for the owner of the farm', async () => {
    const agent = await buildAccount(server.database.db, { type: 'AGENT' });
    const id = await ask('May', { farmId: world.farm.id, accountId: agent.id });
    const stranger = await server.signIn(await buildAccount(server.database.db));
    const strange = await server.call('POST /job/cancel', { headers: stranger, body: { id } });
    expect(strange.statusCode).toBe(404);
    expect((await world.get('GET /job', { id })).statusCode).toBe(404);
    expect((await cancel(id)).json()).toMatchObject({ state: 'cancelled' });
    run(typeOf(async () => null));
    const done = await ask('June');
    await reach(done, 'done');
    expect((await cancel(done)).statusCode).toBe(409);
  });
});

describe('a server that ends', () => {
  it('in order puts its jobs back, and the next begins them; that is no failure', async () => {
    const first = run(typeOf(untilAborted));
    const id = await ask('May');
    await reach(id, 'running');
    await first.stop();
    expect(await stateOf(id)).toBe('queued');
    run(typeOf(async () => 'ended'));
    await reach(id, 'done');
    // Not counted: one that stops may have begun it once more in that moment, and put it back at once.
    const stored = server.database.db.selectFrom('long_job').select('failures');
    expect(await stored.execute()).toEqual([{ failures: 0 }]);
  });

  it('by kill -9 loses them to the next after its lease, and what it still says counts no more', async () => {
    const end = gate();
    const results = ['late', 'of the next'];
    const type = typeOf(async () => {
      const result = results.shift();
      if (result === 'late') await end.opened;
      return result;
    });
    run(type);
    const id = await ask('May');
    await reach(id, 'running');
    await loseLeases();
    run(type);
    await reach(id, 'done');
    end.open();
    expect([begun.length, (await job(id)).result]).toEqual([2, 'of the next']);
  });

  it('and is the only one takes up what it left at once', async () => {
    const id = await ask('May');
    const { db } = server.database;
    // Begun by one that was killed a moment ago.
    await createLongJobsRepo(db).claim(['report'], server.clock.now);
    expect(await createLongJobsRepo(db).claim(['report'], server.clock.now)).toBeUndefined();
    run(
      typeOf(async () => 'ended'),
      true,
    );
    await reach(id, 'done');
  });

  it('again and again with one job doesn’t begin it for ever', async () => {
    const id = await ask('May');
    await server.database.db.updateTable('long_job').set({ attempt: 20 }).execute();
    run(typeOf(async () => null));
    await reach(id, 'failed');
    expect([begun, (await job(id)).error]).toEqual([
      [],
      'It was begun 20 times and never ended, so it is not begun again.',
    ]);
  });
});

it('a database that is away for a while leaves the job running, and its end is stored when it is back', async () => {
  const end = gate();
  run(typeOf(() => end.opened));
  const id = await ask('May');
  await reach(id, 'running');
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await server.database.pool.query(cut);
  end.open();
  await expect.poll(() => stateOf(id).catch(() => 'away'), { timeout: 20_000 }).toBe('done');
  expect(begun).toHaveLength(1);
});

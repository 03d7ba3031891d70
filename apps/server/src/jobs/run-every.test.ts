import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { type Job, runJobs } from './run-every.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const errors: object[] = [];
const log = { error: (details: object) => void errors.push(details) };

/** As many servers as there are jobs, each with its own; ends with the test. */
function run(...jobs: Job[]): void {
  const runners = jobs.map((job) => runJobs(database.pool, [job], log));
  onTestFinished(async () => void (await Promise.all(runners.map((runner) => runner.stop()))));
}

it('a job runs on one of three servers at a time, again and again', async () => {
  const counts = { running: 0, most: 0, runs: 0 };
  const job: Job = {
    name: 'tidy',
    everyMs: 5,
    async run() {
      counts.running += 1;
      counts.runs += 1;
      counts.most = Math.max(counts.most, counts.running);
      await sleep(15);
      counts.running -= 1;
    },
  };
  run(job, job, job);
  await expect.poll(() => counts.runs, { timeout: 10_000 }).toBeGreaterThan(10);
  expect(counts.most).toBe(1);
});

it('a job that is woken has a turn long before its own, one for all that woke it, and says so', async () => {
  const turns: (boolean | undefined)[] = [];
  let wake = () => {};
  run({
    name: 'woken',
    everyMs: 600_000,
    run: async (isWoken) => void turns.push(isWoken),
    wakes: (given) => {
      wake = given;
    },
  });
  await expect.poll(() => turns).toEqual([false]);
  for (let time = 0; time < 5; time += 1) wake();
  await expect.poll(() => turns, { timeout: 10_000 }).toEqual([false, true]);
  wake();
  await expect.poll(() => turns, { timeout: 10_000 }).toEqual([false, true, true]);
});

it('a turn that comes while a woken run is under way follows it, before what woke it meanwhile', async () => {
  const intervals = vi.spyOn(globalThis, 'setInterval');
  onTestFinished(() => intervals.mockRestore());
  const turns: (boolean | undefined)[] = [];
  let wake = () => {};
  let end = () => {};
  run({
    name: 'woken for long',
    everyMs: 600_000,
    async run(isWoken) {
      turns.push(isWoken);
      if (isWoken) await new Promise<void>((over) => (end = over));
    },
    wakes: (given) => {
      wake = given;
    },
  });
  await expect.poll(() => turns).toEqual([false]);
  wake();
  await expect.poll(() => turns, { timeout: 10_000 }).toEqual([false, true]);
  const timer = intervals.mock.calls.find(([, everyMs]) => everyMs === 600_000);
  const [beat, , job] = timer as unknown as [(job: Job) => void, number, Job];
  wake();
  for (let time = 0; time < 3; time += 1) beat(job);
  end();
  await expect.poll(() => turns, { timeout: 10_000 }).toEqual([false, true, false, true]);
  end();
});

it('a turn for which another server’s run is under way comes when that is over', async () => {
  const other = await database.pool.connect();
  onTestFinished(() => other.release());
  await other.query(`select pg_advisory_lock(hashtext('headrace job elsewhere'))`);
  const turns: (boolean | undefined)[] = [];
  const tries = vi.spyOn(database.pool, 'connect');
  onTestFinished(() => tries.mockRestore());
  const elsewhere = {
    name: 'elsewhere',
    everyMs: 600_000,
    run: async (isWoken?: boolean) => turns.push(isWoken),
  };
  run({ ...elsewhere, wakes: () => {} });
  await expect.poll(() => tries.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(turns).toEqual([]);
  await other.query(`select pg_advisory_unlock(hashtext('headrace job elsewhere'))`);
  await expect.poll(() => turns, { timeout: 10_000 }).toEqual([false]);
});

it('a long job doesn’t hold back a short one, and leaves no burst of what was missed', async () => {
  const beats: number[] = [];
  let isLong = false;
  let beatsDuring = 0;
  let ended = 0;
  const long: Job = {
    name: 'long',
    everyMs: 20,
    async run() {
      isLong = true;
      await expect.poll(() => beatsDuring, { timeout: 20_000, interval: 5 }).toBeGreaterThanOrEqual(5);
      isLong = false;
      ended += 1;
    },
  };
  const short: Job = {
    name: 'short',
    everyMs: 20,
    run: async () => {
      beats.push(performance.now());
      if (isLong) beatsDuring += 1;
    },
  };
  const runner = runJobs(database.pool, [long, short], log);
  onTestFinished(() => runner.stop());
  await expect.poll(() => ended, { timeout: 20_000 }).toBeGreaterThan(0);
  // Four beats of an even rhythm take 60 ms, less what the first waited for its lock; of a burst they take a few.
  const spans = beats.slice(4).map((at, index) => at - (beats[index + 1] ?? 0));
  expect(Math.min(...spans)).toBeGreaterThan(15);
});

it('jobs beyond a few wait for their turn, so that calls find a connection', async () => {
  let running = 0;
  let most = 0;
  let runs = 0;
  const job = (index: number): Job => ({
    name: `crowd ${index}`,
    everyMs: 5,
    async run() {
      running += 1;
      runs += 1;
      most = Math.max(most, running);
      await sleep(10);
      running -= 1;
    },
  });
  const runner = runJobs(
    database.pool,
    Array.from({ length: 9 }, (_, index) => job(index)),
    log,
  );
  onTestFinished(() => runner.stop());
  await expect.poll(() => runs, { timeout: 20_000 }).toBeGreaterThan(20);
  expect(most).toBeLessThanOrEqual(3);
});

it('a job that fails is logged, and runs again at its next turn on either server', async () => {
  let failures = 0;
  let runs = 0;
  const failing: Job = {
    name: 'shaky',
    everyMs: 20,
    run: () => Promise.reject(new Error(`failure ${(failures += 1)}`)),
  };
  run(failing);
  await expect.poll(() => failures).toBeGreaterThan(2);
  run({ ...failing, run: () => Promise.resolve((runs += 1)) });
  await expect.poll(() => runs).toBeGreaterThan(0);
  expect(errors[0]).toMatchObject({ job: 'shaky', err: { message: 'failure 1' } });
});

import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Lane } from '@headrace/device/lanes';
import { createScheduler } from '../scheduler.ts';
import type { RadioJob } from './gateway-state.ts';
import { createRadio } from './radio.ts';

const attemptMs = 1000;
/** All that happens, happens at a multiple of it. */
const stepMs = 50;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A job with the tries that it takes until the unit is heard. */
type Asked = { lane: Lane; tries: number; at: number };

/** Runs jobs as they come; each is named by its place among them. Which was on the air, try by try, and how each ended. */
async function run(asked: readonly Asked[], maxAttempts: number) {
  const jobs: RadioJob[] = [];
  const tries: { name: number; waiting: RadioJob[] }[] = [];
  const ended = new Map<number, string>();
  const scheduler = createScheduler(Date.now);
  const radio = createRadio({
    jobs,
    scheduler,
    now: Date.now,
    isOver: () => false,
    attemptMs,
    maxAttempts: () => maxAttempts,
    attempt: (job) => (job.attempts >= (asked[Number(job.mac)]?.tries ?? 1) ? [] : null),
    onAnswer: (job) => ended.set(Number(job.mac), 'answered'),
    onSilence: (job) => ended.set(Number(job.mac), 'silent'),
    onTooLate: () => undefined,
  });
  const look = (): void => {
    const begun = jobs.find((job) => job.attempts > (seen.get(job.mac) ?? 0));
    if (!begun) return;
    seen.set(begun.mac, begun.attempts);
    tries.push({ name: Number(begun.mac), waiting: jobs.filter((job) => job !== begun) });
  };
  const seen = new Map<string, number>();
  const step = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(stepMs);
    look();
  };
  const task = { kind: 'command' as const, type: 1, payload: {} };
  const arrivals = asked.map((one, index) => ({ ...one, index })).sort((one, other) => one.at - other.at);
  for (const { lane, at, index } of arrivals) {
    while (Date.now() < at) await step();
    radio.add([{ cmdId: 'c', mac: String(index), lane, expiresAt: null, attempts: 0, task }]);
    look();
  }
  while (jobs.length > 0) await step();
  scheduler.stop();
  return { tries, ended };
}

it('never begins a try while a lower lane waits, keeps the order within a lane, and brings each to an end', async () => {
  const one = fc.record({
    lane: fc.constantFrom<Lane>(0, 1, 2, 3),
    tries: fc.integer({ min: 1, max: 4 }),
    at: fc.integer({ min: 0, max: 60 }).map((tenths) => tenths * 100 + 50),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 8 }), async (asked) => {
      vi.setSystemTime(0);
      const maxAttempts = 3;
      const { tries, ended } = await run(asked, maxAttempts);
      for (const { name, waiting } of tries)
        for (const job of waiting) expect(job.lane).toBeGreaterThanOrEqual(asked[name]?.lane ?? 0);
      for (const lane of [0, 1, 2, 3]) {
        const first = [...new Set(tries.map(({ name }) => name))].filter(
          (name) => asked[name]?.lane === lane,
        );
        const came = [...first].sort(
          (left, right) => (asked[left]?.at ?? 0) - (asked[right]?.at ?? 0) || left - right,
        );
        expect(first).toEqual(came);
      }
      for (const [index, { tries: needed }] of asked.entries()) {
        expect(ended.get(index)).toBe(needed <= maxAttempts ? 'answered' : 'silent');
        expect(tries.filter(({ name }) => name === index)).toHaveLength(Math.min(needed, maxAttempts));
      }
    }),
    { numRuns: 50 },
  );
}, 30_000);

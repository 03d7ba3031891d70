import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Command } from '@headrace/contract/commands';
import type { SprinklerCounts } from '@headrace/contract/groups';
import type { StatusUpdate } from '@headrace/contract/live';
import { createCountNews } from './count-news.ts';
import { statusEvent } from './status-event.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The news of farms of which `watched` are looked at: when each was counted and told (ms), with how many active ones. */
function open({ watched = [5], failing = 0 } = {}) {
  const counted: [at: number, farmId: number][] = [];
  const told: [at: number, farmId: number, active: number][] = [];
  const failures: unknown[] = [];
  const startedAt = Date.now();
  const farm = { active: 0, watched };
  let left = failing;
  const news = createCountNews({
    watched: () => farm.watched.map((farmId) => ({ farmId, farmUID: `farm${farmId}` })),
    isWatched: ({ farmId }) => farm.watched.includes(farmId),
    async read(farmId) {
      counted.push([Date.now() - startedAt, farmId]);
      if (left-- > 0) throw new Error('database away');
      return { active: farm.active } as SprinklerCounts;
    },
    send: ({ farmId }, { active }) => void told.push([Date.now() - startedAt, farmId, active]),
    onError: (error) => failures.push(error),
  });
  onTestFinished(() => news.stop());
  const say = (farmId = 5, type: StatusUpdate['type'] = 'ipc') =>
    news.hear(
      statusEvent(farmId, {
        type,
        farmUID: `farm${farmId}`,
        uid: 'a',
        serialNumber: '',
        updatedAt: '2026-11-20',
      }),
    );
  const stop = () =>
    news.hear({
      farmId: 5,
      frame: { type: 'ipc_stops', data: { farmUID: 'farm5', since: 0, units: ['a'] } },
      anyOf: [],
    });
  return { news, farm, say, stop, counted, told, failures };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('three hundred reports in a second are one count', async () => {
  const { say, counted, told } = open();
  for (let n = 0; n < 300; n++) {
    say();
    await pass(3);
  }
  await pass(10_000);
  expect(counted).toEqual([[1000, 5]]);
  expect(told).toEqual([[1000, 5, 0]]);
});

it('a farm that never falls silent is counted every two seconds, and told of when its counts changed', async () => {
  const { farm, say, counted, told } = open();
  for (let n = 0; n < 60; n++) {
    if (n === 40) farm.active = 7;
    say();
    await pass(100);
  }
  expect(counted).toEqual([1000, 3000, 5000].map((at) => [at, 5]));
  expect(told).toEqual([
    [1000, 5, 0],
    [5000, 5, 7],
  ]);
});

it('is told by the minute too, changed or not, while somebody looks', async () => {
  const { farm, told } = open();
  await pass(125_000);
  farm.watched = [];
  await pass(120_000);
  expect(told).toEqual([
    [61_000, 5, 0],
    [121_000, 5, 0],
  ]);
});

it('nothing is counted of a farm that nobody looks at, nor for what others than sprinklers say', async () => {
  const { say, counted } = open();
  say(7);
  say(5, 'gateway');
  await pass(10_000);
  expect(counted).toEqual([]);
});

it('a send that goes on is counted, too: who fails reports nothing', async () => {
  const { news, counted } = open();
  const goOn = (type: number) =>
    news.hear({
      farmId: 5,
      frame: { type: 'command_update', data: { farmUID: 'farm5', type, state: 'progress' } as Command },
      anyOf: [],
    });
  goOn(1);
  await pass(10_000);
  expect(counted).toEqual([]);
  goOn(10);
  await pass(10_000);
  expect(counted).toEqual([[11_000, 5]]);
});

it('a count that fails is told, and the next one is made', async () => {
  const { say, told, failures } = open({ failing: 1 });
  say();
  await pass(1500);
  say();
  await pass(5000);
  expect(failures).toEqual([new Error('database away')]);
  expect(told).toEqual([[3000, 5, 0]]);
});

it('ends with the server', async () => {
  const { news, say, counted } = open();
  say();
  news.stop();
  say();
  expect(vi.getTimerCount()).toBe(0);
  await pass(70_000);
  expect(counted).toEqual([]);
});

it('what a person stops is counted at once, also where a count was a moment ago', async () => {
  const { stop, say, counted } = open();
  stop();
  await pass(0);
  expect(counted).toEqual([[0, 5]]);
  say();
  await pass(500);
  stop();
  await pass(0);
  expect(counted).toEqual([
    [0, 5],
    [500, 5],
  ]);
  await pass(10_000);
  expect(counted).toHaveLength(2);
});

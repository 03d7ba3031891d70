import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Command } from '@headrace/contract/commands';
import type { StatusUpdate } from '@headrace/contract/live';
import { createSprinklerNews } from './sprinkler-news.ts';
import { statusEvent } from './status-event.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The news of farms of which `watched` are looked at, and which units were read of which farm, and when (ms). */
function open({ watched = [5], failing = 0 } = {}) {
  const farm = { watched, sentTo: [] as string[], asked: 0 };
  const readings: [at: number, farmId: number, uids: string[]][] = [];
  const failures: unknown[] = [];
  const startedAt = Date.now();
  let left = failing;
  const news = createSprinklerNews({
    isWatched: ({ farmId }) => farm.watched.includes(farmId),
    async sending() {
      farm.asked += 1;
      return new Set(farm.sentTo);
    },
    async read(farmId, uids) {
      readings.push([Date.now() - startedAt, farmId, [...uids]]);
      if (left-- > 0) throw new Error('database away');
      return [];
    },
    send() {},
    onError: (error) => failures.push(error),
  });
  const say = (uid: string, farmId = 5, type: StatusUpdate['type'] = 'ipc') =>
    news.hear(
      statusEvent(farmId, { type, farmUID: `farm${farmId}`, uid, serialNumber: '', updatedAt: '2026-11-20' }),
    );
  /** A command of the farm went on; 10: schedules are sent. */
  const goOn = (type = 10) =>
    news.hear({
      farmId: 5,
      frame: { type: 'command_update', data: { farmUID: 'farm5', type, state: 'progress' } as Command },
      anyOf: [],
    });
  return { news, farm, say, goOn, readings, failures };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('many reports within a second are one reading of the units that they are of', async () => {
  const { say, readings } = open();
  for (let n = 0; n < 30; n++) {
    say(`a${n % 3}`);
    await pass(30);
  }
  await pass(10_000);
  expect(readings).toEqual([[1000, 5, ['a0', 'a1', 'a2']]]);
});

it('a farm that never falls silent is read every two seconds, beside others', async () => {
  const { say, readings } = open({ watched: [5, 6] });
  say('b', 6);
  for (let n = 0; n < 60; n++) {
    say('a');
    await pass(100);
  }
  expect(readings).toEqual([
    [1000, 6, ['b']],
    [1000, 5, ['a']],
    [3000, 5, ['a']],
    [5000, 5, ['a']],
  ]);
});

it('nothing is read of a farm that nobody watches, nor for what others than sprinklers say', async () => {
  const { say, readings } = open();
  say('a', 7);
  say('b', 5, 'gateway');
  await pass(10_000);
  expect(readings).toEqual([]);
});

it('of a farm of thousands five hundred are read at a time', async () => {
  const { say, readings } = open();
  for (let n = 0; n < 1200; n++) say(`a${n}`);
  await pass(10_000);
  expect(readings.map(([at, , uids]) => [at, uids.length])).toEqual([
    [1000, 500],
    [3000, 500],
    [5000, 200],
  ]);
  expect(new Set(readings.flatMap(([, , uids]) => uids)).size).toBe(1200);
});

it('those that a send is over for are read while it goes on for others, and nobody when it begins or is over for all', async () => {
  const { farm, goOn, readings } = open();
  farm.sentTo = ['a', 'b', 'c', 'd'];
  goOn();
  await pass(5000);
  expect(readings).toEqual([]);
  farm.sentTo = ['b', 'd'];
  goOn();
  goOn();
  await pass(5000);
  expect(readings).toEqual([[6000, 5, ['a', 'c']]]);
  farm.sentTo = [];
  goOn();
  await pass(5000);
  expect(readings).toHaveLength(1);
});

it('five thousand that fail at once are read five hundred at a time', async () => {
  const { farm, goOn, readings } = open();
  farm.sentTo = Array.from({ length: 5001 }, (_, n) => `a${n}`);
  goOn();
  await pass(5000);
  farm.sentTo = ['a5000'];
  goOn();
  await pass(30_000);
  expect(readings.map(([, , uids]) => uids.length)).toEqual(Array.from({ length: 10 }, () => 500));
  expect(farm.asked).toBe(2);
});

it('who is sent to is not asked for other commands, nor of a farm that nobody watches, and looked at anew once somebody does', async () => {
  const { farm, goOn, readings } = open();
  goOn(1);
  await pass(5000);
  expect(farm.asked).toBe(0);
  farm.sentTo = ['a', 'b'];
  goOn();
  await pass(5000);
  farm.watched = [];
  farm.sentTo = ['b'];
  goOn();
  await pass(5000);
  farm.watched = [5];
  goOn();
  await pass(5000);
  expect([farm.asked, readings]).toEqual([2, []]);
});

it('a reading that fails is told, and the next one is made', async () => {
  const { say, readings, failures } = open({ failing: 1 });
  say('a');
  await pass(1500);
  say('b');
  await pass(10_000);
  expect(failures).toEqual([new Error('database away')]);
  expect(readings.map(([at, , uids]) => [at, uids])).toEqual([
    [1000, ['a']],
    [3000, ['b']],
  ]);
});

it('ends with the server', async () => {
  const { news, say, readings } = open();
  say('a');
  news.stop();
  say('b');
  expect(vi.getTimerCount()).toBe(0);
  await pass(10_000);
  expect(readings).toEqual([]);
});

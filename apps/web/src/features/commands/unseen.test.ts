import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Command } from '@headrace/contract/commands';
import { emitCommandUpdate } from '../../api/live-events.ts';
import { uid } from '../../testing/fixtures.ts';
import { buildCommand } from './command-fixtures.ts';
import { refetchOnCommandEnd, unseenQuery } from './unseen.queries.ts';

const [here, there] = [uid(1), uid(2)];
const queryClient = new QueryClient();
/** The farms of which what ended badly was asked again. */
const asked = (): string[] => [here, there].filter((farm) => isOld(farm));
const isOld = (farmUID: string) =>
  queryClient.getQueryState(unseenQuery(farmUID).queryKey)?.isInvalidated === true;
const news = (farmUID: string, state: Command['state']) =>
  emitCommandUpdate(buildCommand(1, { farmUID, state }));

let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  for (const farm of [here, there]) queryClient.setQueryData(unseenQuery(farm).queryKey, []);
  stop = refetchOnCommandEnd(queryClient);
});
afterEach(() => {
  stop();
  queryClient.clear();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each(['done', 'failed', 'expired', 'cancelled'] as const)(
  'a command that is %s has what ended badly on its farm asked again within 3 s, and of no other',
  (state) => {
    news(here, state);
    vi.advanceTimersByTime(3000);
    expect(asked()).toEqual([here]);
  },
);

test.each(['queued', 'sent', 'accepted', 'progress'] as const)(
  'one that is %s has nothing asked',
  (state) => {
    news(here, state);
    vi.advanceTimersByTime(60_000);
    expect(asked()).toEqual([]);
  },
);

test('a burst of ends is asked after once, and the next one anew', () => {
  const calls = vi.spyOn(queryClient, 'invalidateQueries');
  for (let n = 0; n < 300; n += 1) news(here, 'failed');
  news(there, 'failed');
  vi.advanceTimersByTime(3000);
  expect(calls).toHaveBeenCalledTimes(2);
  news(here, 'done');
  vi.advanceTimersByTime(3000);
  expect(calls).toHaveBeenCalledTimes(3);
});

test('pages do not all ask at the same moment', () => {
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  news(here, 'failed');
  chance.mockReturnValue(0.9);
  news(there, 'failed');
  vi.advanceTimersByTime(1500);
  expect(asked()).toEqual([here]);
  vi.advanceTimersByTime(1200);
  expect(asked()).toEqual([here, there]);
});

test('a page that is left asks nothing any more', () => {
  news(here, 'failed');
  stop();
  news(there, 'failed');
  vi.advanceTimersByTime(60_000);
  expect(asked()).toEqual([]);
});

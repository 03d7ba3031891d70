import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRecordNews } from './record-news.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What was told: when (ms), of which farm, and by kind which pages did it. */
function open() {
  const startedAt = Date.now();
  const told: [at: number, farmId: number, changed: Record<string, unknown[]>][] = [];
  const news = createRecordNews((farmId, changed) => {
    const pages = Object.fromEntries([...changed].map(([kind, those]) => [kind, [...those]]));
    told.push([Date.now() - startedAt, farmId, pages]);
  });
  return { news, told };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('changes within half a second are told together, by farm, with the pages that did them', async () => {
  const { news, told } = open();
  news.hear({ farmId: 5, record: 'sprinkler', page: 'one' });
  news.hear({ farmId: 6, record: 'poi' });
  await pass(400);
  for (const page of ['two', 'one']) news.hear({ farmId: 5, record: 'sprinkler', page });
  news.hear({ farmId: 5, record: 'group' });
  await pass(10_000);
  expect(told).toEqual([
    [500, 5, { sprinkler: ['one', 'two'], group: [undefined] }],
    [500, 6, { poi: [undefined] }],
  ]);
});

it('a farm that is edited without a break is told of every second and a half', async () => {
  const { news, told } = open();
  for (let edit = 0; edit < 50; edit++) {
    news.hear({ farmId: 5, record: 'sprinkler' });
    await pass(100);
  }
  await pass(10_000);
  expect(told.map(([at]) => at)).toEqual([500, 2000, 3500, 5000]);
});

it('ends with the server', async () => {
  const { news, told } = open();
  news.hear({ farmId: 5, record: 'farm' });
  news.stop();
  expect(vi.getTimerCount()).toBe(0);
  await pass(10_000);
  expect(told).toEqual([]);
});

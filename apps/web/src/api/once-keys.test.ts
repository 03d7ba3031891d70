import { beforeEach, expect, test, vi } from 'vitest';
import { IDEMPOTENCY_HEADER } from '@headrace/contract/limits';
import { Failure, FakeApi, UNREACHABLE } from '../testing/fake-api.ts';
import { buildLogin, rakaia } from '../testing/fixtures.ts';
import { call } from './client.ts';
import { onceKey, settleOnce } from './once-keys.ts';
import { signIn } from './session.ts';

let api: FakeApi;
beforeEach(() => {
  api = new FakeApi();
  vi.stubGlobal('fetch', api.fetch);
  signIn(buildLogin());
});
let count = 0;
const made = () => ({ body: { farmUID: rakaia._id, name: `Group ${count}` } });
const create = (body = made()) => call('POST /group', body).catch((error: unknown) => error);
const keys = () => api.calls('POST /group').map(({ headers }) => headers.get(IDEMPOTENCY_HEADER));
const isOne = () => new Set(keys()).size === 1;
beforeEach(() => void (count += 1));

test.each([UNREACHABLE, new Failure(500, 'Something went wrong.')])(
  'what was asked for without an answer has the same key when it is asked for again: %j',
  async (failure) => {
    api.on('POST /group', failure);
    await create();
    await create();
    expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/);
    expect([keys().length, isOne()]).toEqual([2, true]);
  },
);

test('two at once have one key', async () => {
  api.on('POST /group', UNREACHABLE);
  await Promise.all([create(), create()]);
  expect([keys().length, isOne()]).toEqual([2, true]);
});

test('after an answer, and with other values, it is meant anew', async () => {
  api.on('POST /group', new Failure(409, 'There is one.'));
  await create();
  await create();
  await create({ body: { farmUID: rakaia._id, name: 'Other' } });
  expect(new Set(keys()).size).toBe(3);
});

test('after ten minutes it is meant anew', () => {
  const first = onceKey('POST', 0);
  expect(onceKey('POST', 600_000)).toBe(first);
  expect(onceKey('POST', 600_001)).not.toBe(first);
  settleOnce('POST');
});

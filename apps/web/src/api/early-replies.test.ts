import { afterEach, expect, test, vi } from 'vitest';
import { call } from './client.ts';
import { session, signIn } from './session.ts';

const reply = { farms: [] };
const early = (token: string, answer: Promise<Response>, at = performance.now()) =>
  void (globalThis.headraceEarly = new Map([['/v1/farms-summary', { token, at, reply: answer }]]));

afterEach(() => void (globalThis.headraceEarly = undefined));

function signedIn(): string {
  signIn({
    token: 't1',
    name: 'Ana',
    email: 'ana@example.com',
    type: 'SUBSCRIBER',
    hasMobile: true,
    subscriptionValidUntil: '2030-01-01T00:00:00.000Z',
    mustChangePassword: false,
    isStaff: false,
  } as Parameters<typeof signIn>[0]);
  return session().token;
}
const fetchAnew = () => {
  const fetch = vi.fn(async () => Response.json(reply));
  vi.stubGlobal('fetch', fetch);
  return fetch;
};

test('what was asked for early is not asked for again, and is given once', async () => {
  const fetch = fetchAnew();
  early(signedIn(), Promise.resolve(Response.json(reply)));
  expect(await call('GET /farms-summary')).toEqual(reply);
  expect(fetch).not.toHaveBeenCalled();
  await call('GET /farms-summary');
  expect(fetch).toHaveBeenCalledTimes(1);
});

test.each([
  ['of another session', () => early('other', Promise.resolve(Response.json({ farms: [1] })))],
  ['that failed', () => early(signedIn(), Promise.reject(new TypeError('Failed to fetch')))],
  ['of long ago', () => early(signedIn(), Promise.resolve(Response.json({})), performance.now() - 10_001)],
])('an early answer %s is asked for anew', async (_what, arrange) => {
  signedIn();
  const fetch = fetchAnew();
  arrange();
  expect(await call('GET /farms-summary')).toEqual(reply);
  expect(fetch).toHaveBeenCalledTimes(1);
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SignedInDevice } from '@headrace/contract/account-details';
import type { AccountRow } from '../../db/schema.ts';
import { buildAccount, buildFarm } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { tellOfEnds } from './ends-of-sessions.ts';
import { hashPassword } from './password.ts';
import { days, later } from './testing/account-kit.ts';

let server: TestServer;
let passwordHash: string;
let account: AccountRow;
let count = 0;
const ANDROID = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000, trustedProxies: 1 });
  passwordHash = await hashPassword('correct horse');
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.pool.query('delete from session');
  account = await buildAccount(server.database.db, {
    password_hash: passwordHash,
    email_confirmed_at: server.clock.now,
  });
  await server.database.db
    .updateTable('account')
    .set({ send_email: true, send_push: true })
    .where('id', '=', account.id)
    .execute();
});

const from = (device: string) => ({
  'x-forwarded-for': `10.7.${count % 250}.${(count += 1) % 250}`,
  deviceuid: device,
  'user-agent': ANDROID,
});
async function signIn(device: string): Promise<Record<string, string>> {
  const reply = await server.call('POST /account/auth', {
    headers: from(device),
    body: { email: account.email, password: 'correct horse' },
  });
  return { ...from(device), authorization: reply.json<{ token: string }>().token };
}
async function getPush(headers: Record<string, string>): Promise<void> {
  const body = {
    endpoint: `https://fcm.googleapis.com/${account.uid}${headers['deviceuid']}`,
    p256dh: 'B'.repeat(87),
    auth: 'a'.repeat(22),
  };
  expect((await server.call('POST /notification/add-device', { headers, body })).statusCode).toBe(200);
}
const status = async (headers: Record<string, string>) =>
  (await server.call('GET /farms-card', { headers })).statusCode;
/** Uses it every twenty days up to then. */
async function useUntil(headers: Record<string, string>, ms: number): Promise<void> {
  for (let at = days(20); at < ms; at += days(20))
    await later(server, at, async () => expect(await status(headers)).toBe(200));
}
const notices = () =>
  server.database.db
    .selectFrom('notification')
    .select(['title', 'message', 'link'])
    .where('account_id', '=', account.id)
    .orderBy('id')
    .execute();
const expire = () => server.runJob('expired');
const sessions = async (headers: Record<string, string>) =>
  (await server.call('GET /account/sessions', { headers })).json<{ sessions: SignedInDevice[] }>().sessions;

describe('a session that is used every day', () => {
  it('ends 90 days after the sign-in', async () => {
    const headers = await signIn('phone');
    await useUntil(headers, days(90));
    await later(server, days(90) - 1, async () => expect(await status(headers)).toBe(200));
    await later(server, days(90), async () => expect(await status(headers)).toBe(401));
  });

  it('goes on for 90 days from when its person gives the password, with a new token', async () => {
    const headers = await signIn('phone');
    await useUntil(headers, days(80));
    await later(server, days(80), async () => {
      const wrong = await server.call('POST /account/session/renew', { headers, body: { password: 'x' } });
      expect([wrong.statusCode, wrong.json()]).toMatchObject([400, { field: 'password' }]);
      const reply = await server.call('POST /account/session/renew', {
        headers,
        body: { password: 'correct horse' },
      });
      const { token, endsAt } = reply.json<{ token: string; endsAt: string }>();
      expect(endsAt).toBe(new Date(server.clock.now.getTime() + days(90)).toISOString());
      expect(await status(headers)).toBe(401);
      headers['authorization'] = token;
      expect(await status(headers)).toBe(200);
    });
    await later(server, days(100), async () => expect(await status(headers)).toBe(200));
  });

  it('is told of a week and a day before, each once, with what it means for alerts', async () => {
    const headers = await signIn('phone');
    await getPush(headers);
    await useUntil(headers, days(83));
    await later(server, days(82), expire);
    expect(await notices()).toEqual([]);
    for (const day of [83.5, 84, 88]) await later(server, days(day), expire);
    expect(await notices()).toEqual([
      {
        title: 'Chrome on Android will be signed out on 18 February 2027',
        message:
          'It is signed out 90 days after your password was last given there, and no alert reaches it any more. To go on, open Password & Security there and choose Stay signed in.',
        link: '/security',
      },
    ]);
    await later(server, days(89.5), expire);
    expect(await notices()).toHaveLength(2);
    const ways = await server.database.db
      .selectFrom('outbox')
      .select('way')
      .where('account_id', '=', account.id)
      .execute();
    expect(ways.map(({ way }) => way).toSorted()).toEqual(['mail', 'mail', 'push', 'push']);
  });
});

describe('a phone that gets alerts and where nobody opens the app', () => {
  it('is told of before it is signed out for that, and when it was', async () => {
    await getPush(await signIn('phone'));
    await later(server, days(22.5), expire);
    expect(await notices()).toEqual([]);
    await later(server, days(23.5), expire);
    expect(await notices()).toEqual([
      {
        title: 'Chrome on Android will be signed out on 20 December 2026',
        message:
          'Nobody has opened Headrace there since 20 November 2026. On that day it is signed out, and no alert reaches it any more. To go on, open Headrace there once.',
        link: '/security',
      },
    ]);
    await later(server, days(30) + 1, expire);
    expect((await notices()).slice(1)).toEqual([
      {
        title: 'No alert reaches Chrome on Android any more',
        message:
          'It was signed out on 20 December 2026. Sign in there again, and alerts go there again once you turn them on.',
        link: '/security',
      },
    ]);
  });

  it.each([
    ['that was opened again', days(10)],
    ['where somebody signed in anew', 0],
  ])('%s is no matter', async (_what, at) => {
    const headers = await signIn('phone');
    await getPush(headers);
    if (at > 0) await later(server, at, () => status(headers));
    else await later(server, days(20), () => signIn('phone'));
    for (const day of [24, 29.5, 31]) await later(server, days(day), expire);
    expect(await notices()).toEqual([]);
  });
});

it('days are those of a farm of theirs', async () => {
  await buildFarm(server.database.db, account.id, { time_zone_id: 'Pacific/Auckland' });
  await getPush(await signIn('phone'));
  await later(server, days(23.5), expire);
  // 21:00 of the 20th in UTC is 10:00 of the 21st in New Zealand.
  const [note] = await notices();
  expect(note?.title).toBe('Chrome on Android will be signed out on 21 December 2026');
  expect(note?.message).toContain('since 21 November 2026');
});

it('however many end at one moment, each is told of', async () => {
  for (const device of ['a', 'b', 'c', 'd', 'e']) await getPush(await signIn(device));
  const keys: (string | undefined)[] = [];
  const notify = async (_id: number, { dedupeKey }: { dedupeKey?: string }) => void keys.push(dedupeKey);
  await tellOfEnds(server.database.db, { notify }, new Date(server.clock.now.getTime() + days(24)), 2);
  expect(new Set(keys).size).toBe(5);
});

it('a session without alerts that nobody uses ends without a word', async () => {
  await signIn('laptop');
  for (const day of [24, 29.5, 31]) await later(server, days(day), expire);
  expect(await notices()).toEqual([]);
});

describe('signing in again', () => {
  it('ends the session that the browser had, and no other; its push messages go on', async () => {
    const [phone, laptop] = [await signIn('phone'), await signIn('laptop')];
    await getPush(phone);
    const again = await signIn('phone');
    expect(await Promise.all([phone, laptop, again].map(status))).toEqual([401, 200, 200]);
    expect((await sessions(again)).filter(({ hasPush }) => hasPush)).toHaveLength(1);
  });

  it('as somebody else ends the session that the browser sends, also one without a name', async () => {
    const here = await signIn('');
    const other = await buildAccount(server.database.db, { password_hash: passwordHash });
    const body = { email: other.email, password: 'correct horse' };
    const headers = { ...from(''), authorization: here['authorization'] ?? '' };
    expect(
      (await server.call('POST /account/auth', { headers, body: { ...body, password: 'x' } })).statusCode,
    ).toBe(401);
    expect(await status(here)).toBe(200);
    expect((await server.call('POST /account/auth', { headers, body })).statusCode).toBe(200);
    expect(await status(here)).toBe(401);
  });
});

describe('signing out one browser', () => {
  it('ends its sign-in, and no other', async () => {
    const [here, phone] = [await signIn('laptop'), await signIn('phone')];
    await getPush(phone);
    const [other, ...more] = (await sessions(here)).filter(({ isThis }) => !isThis);
    expect([other?.hasPush, more]).toEqual([true, []]);
    const id = other?.device ?? '';
    const end = async () =>
      (await server.call('DELETE /account/device', { headers: here, query: { id } })).json();
    expect(await end()).toEqual({ success: true });
    expect(await Promise.all([here, phone].map(status))).toEqual([200, 401]);
    expect(await end()).toEqual({ success: false });
  });

  it('that has no name ends the older sign-ins of its kind, and not this one', async () => {
    const older = await signIn('');
    const here = await signIn('');
    const id = (await sessions(here))[0]?.device ?? '';
    await server.call('DELETE /account/device', { headers: here, query: { id } });
    expect([await status(here), await status(older)]).toEqual([200, 401]);
  });

  it('of somebody else does nothing', async () => {
    const here = await signIn('laptop');
    const id = (await sessions(here))[0]?.device ?? '';
    const other = await server.signIn(await buildAccount(server.database.db));
    const reply = await server.call('DELETE /account/device', { headers: other, query: { id } });
    expect(reply.json()).toEqual({ success: false });
    expect(await status(here)).toBe(200);
  });
});

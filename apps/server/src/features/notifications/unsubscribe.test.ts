import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AccountRow } from '../../db/schema.ts';
import { buildAccount } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { createMessages } from '../messages/create-messages.ts';
import { commands } from '../operator/operator-commands.ts';

let server: TestServer;
let account: AccountRow;
const now = new Date('2026-11-20T21:00:00Z');

beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await buildAccount(db());
  await db()
    .updateTable('account')
    .set({ send_email: true, email_confirmed_at: now })
    .where('id', '=', account.id)
    .execute();
});
const db = () => server.database.db;
const wantsMail = async () =>
  (await db().selectFrom('account').select('send_email').where('id', '=', account.id).executeTakeFirst())
    ?.send_email;

/** The address in the header of a mail that was just stored. */
async function mailed(): Promise<URL> {
  await createMessages({ db: db(), publicUrl: 'https://headrace.test/' }).notify(
    account.id,
    { title: 'Tank low', message: 'Trough 4' },
    now,
  );
  const row = await db()
    .selectFrom('outbox')
    .selectAll()
    .where('account_id', '=', account.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  expect(row.body).toContain(row.unsubscribe);
  expect(row.html).toContain(row.unsubscribe);
  return new URL(row.unsubscribe);
}
const oneClick = (url: string, type = 'application/x-www-form-urlencoded') =>
  server.http.inject({
    method: 'POST',
    url,
    headers: { 'content-type': type },
    payload: 'List-Unsubscribe=One-Click',
  });

it('a mail program ends notifications by mail with one POST, without signing in', async () => {
  const { pathname, search } = await mailed();
  expect((await oneClick(`${pathname}${search}`)).statusCode).toBe(200);
  expect(await wantsMail()).toBe(false);
});

it('a page ends them by the key, and says so where it is none', async () => {
  const key = (await mailed()).searchParams.get('key') ?? '';
  const [uid = '', signature = ''] = key.split('.');
  const end = async (of: string) =>
    (await server.call('POST /notification/unsubscribe', { body: { key: of } })).json();
  const other = await buildAccount(db());
  for (const wrong of [`${uid}.${'A'.repeat(43)}`, `${other.uid}.${signature}`, `${uid}.${signature}x`])
    expect(await end(wrong)).toEqual({ success: false });
  expect(await wantsMail()).toBe(true);
  expect(await end(key)).toEqual({ success: true });
  expect(await wantsMail()).toBe(false);
});

it('nothing is ended by opening the address, or with another’s key', async () => {
  const { pathname, search } = await mailed();
  await server.http.inject({ method: 'GET', url: `${pathname}${search}` });
  expect((await oneClick('/unsubscribe?key=nobody.x')).statusCode).toBe(200);
  expect((await oneClick('/unsubscribe')).statusCode).toBe(200);
  expect((await oneClick(`${pathname}${search}`, 'text/html')).statusCode).toBe(415);
  expect(await wantsMail()).toBe(true);
});

it('another key of ours leaves what was mailed before as it was, unless the former one leaked', async () => {
  const renew = (...how: string[]) => commands['renew-key']?.run({ db: db(), now }, ['unsubscribe', ...how]);
  const ends = async (key: string | null) =>
    (await server.call('POST /notification/unsubscribe', { body: { key } })).json<{ success: boolean }>()
      .success;
  const first = (await mailed()).searchParams.get('key');
  expect(await renew()).toBe('Mails end by another key from now on. The links of earlier mails hold.');
  const second = (await mailed()).searchParams.get('key');
  expect(second).not.toBe(first);
  await renew();
  expect([await ends(first), await ends(second)]).toEqual([true, true]);
  await renew('leaked');
  await db().updateTable('account').set({ send_email: true }).where('id', '=', account.id).execute();
  const third = (await mailed()).searchParams.get('key');
  expect([await ends(first), await ends(second), await ends(third)]).toEqual([false, false, true]);
});

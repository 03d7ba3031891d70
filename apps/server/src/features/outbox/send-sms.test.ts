import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createMessages } from '../messages/create-messages.ts';
import { createOutboxRepo } from './outbox.repo.ts';
import { sendOutbox } from './send-outbox.ts';
import { smsProviders } from './sms-providers.ts';
import { createSmsSender, type SmsSettings } from './sms-sender.ts';

let database: TestDatabase;
const now = new Date('2026-11-20T21:00:00Z');

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.db.deleteFrom('outbox').execute());

interface Heard {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A provider that keeps what it is asked. */
async function provider(status = 200, said = 'x'.repeat(1000)) {
  const heard: Heard[] = [];
  const hear = async (request: IncomingMessage, reply: ServerResponse) => {
    const { method, url, headers } = request;
    heard.push({ method, url, headers, body: await text(request) });
    reply.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end(said);
  };
  const http = createServer((request, reply) => void hear(request, reply));
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  onTestFinished(() => void http.close());
  return { heard, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
}

async function send(
  settings: Partial<SmsSettings> & { url: string },
  message: string,
  mobile = '0211234567',
) {
  const messages = createMessages({
    db: database.db,
    publicUrl: '',
  });
  await messages.sms({ countryCode: 64, mobile, text: message }, now);
  return turn(settings);
}

async function turn(settings: Partial<SmsSettings> & { url: string }, at = now) {
  const sender = createSmsSender({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer {token}' },
    body: '{"to":"{to}","message":"{text}"}',
    token: 'top-secret',
    perMinute: 30,
    ...settings,
  });
  await sendOutbox({
    outbox: createOutboxRepo(database.db),
    senders: [sender],
    now: () => at,
    log: { warn() {} },
  });
  return database.db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow();
}

const tricky = `Ānā said: "it's 50% \\ {to} & <wet>" 🌧️\nSecond line`;

it('goes to the number without its leading zero, its text untouched in JSON', async () => {
  const { heard, url } = await provider();
  const row = await send({ url: `${url}/send` }, tricky);
  expect(row).toMatchObject({ way: 'sms', state: 'sent', body: '' });
  expect(heard).toMatchObject([
    { method: 'POST', url: '/send', headers: { authorization: 'Bearer top-secret' } },
  ]);
  expect(JSON.parse(heard[0]?.body ?? '')).toEqual({ to: '+64211234567', message: tricky });
});

it('as a form, or in the address', async () => {
  const { heard, url } = await provider();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await send({ url, headers, body: 'To={to}&Body={text}' }, tricky);
  const form = new URLSearchParams(heard[0]?.body);
  expect([form.get('To'), form.get('Body')]).toEqual(['+64211234567', tricky]);

  await database.db.deleteFrom('outbox').execute();
  await send({ url: `${url}/?to={to}&text={text}&key={token}`, method: 'GET', headers: {} }, tricky);
  const query = new URL(heard[1]?.url ?? '', url).searchParams;
  expect([query.get('to'), query.get('text'), query.get('key')]).toEqual([
    '+64211234567',
    tricky,
    'top-secret',
  ]);
});

it.each([400, 401, 500, 302])(
  'is tried again when the provider answers %i, which is not followed',
  async (status) => {
    const { heard, url } = await provider(status);
    const row = await send({ url }, 'Hello');
    expect(row).toMatchObject({ state: 'queued', tries: 1, error: `The SMS provider answered ${status}.` });
    expect(heard).toHaveLength(1);
  },
);

it('waits when the provider is not there; no secret is in the reason', async () => {
  const row = await send({ url: 'http://127.0.0.1:9/?key={token}' }, 'Hello');
  expect(row.state).toBe('queued');
  expect(row.error).toMatch(/^The SMS provider did not answer/);
  expect(row.error).not.toContain('top-secret');
});

it('whose answer was lost is sent again, and says that it may have come twice', async () => {
  let isThere = false;
  const http = createServer((request, reply) => (isThere ? reply.end() : request.socket.destroy()));
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  onTestFinished(() => void http.close());
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  expect(await send({ url }, 'Hello')).toMatchObject({
    state: 'queued',
    error: "The SMS provider did not answer: UND_ERR_SOCKET. Whether it went isn't known.",
  });
  isThere = true;
  expect(await turn({ url }, new Date(now.getTime() + 60_000))).toMatchObject({
    state: 'sent',
    error: 'Sent again, since the answer to the try before was lost.',
  });
});

it('to a number that has written STOP to Twilio is not tried again', async () => {
  const said = { code: 21610, message: 'Attempt to send to unsubscribed recipient', status: 400 };
  const { url } = await provider(400, JSON.stringify(said));
  const { headers, body } = smsProviders.twilio;
  expect(await send({ provider: 'twilio', user: 'u', headers, body, url }, 'Hello')).toMatchObject({
    state: 'failed',
    error: 'The SMS provider did not take it: Attempt to send to unsubscribed recipient',
  });
});

it.each(['12', '', '+64 21', 'abcdefgh', '1'.repeat(20)])(
  'is not stored for what is no number: %j',
  async (mobile) => {
    await expect(send({ url: 'http://127.0.0.1:9' }, 'Hello', mobile)).rejects.toThrow(
      'not a telephone number',
    );
  },
);

it.each([
  ['twilio', 'AC1', { sid: 'SM1', status: 'queued' }, 'SM1'],
  ['clicksend', 'farmer', { data: { messages: [{ message_id: 'CS1', status: 'SUCCESS' }] } }, 'CS1'],
  ['messagemedia', 'key', { messages: [{ message_id: 'MM1', status: 'queued' }] }, 'MM1'],
] as const)(
  'through %s it is signed in, says where receipts go, and is known by its id',
  async (name, user, said, id) => {
    const { heard, url } = await provider(200, JSON.stringify(said));
    const { headers, body } = smsProviders[name];
    const receipt = `https://water.example.com/sms/receipt/${name}/s`;
    const settings = { provider: name, user, token: 'pass', from: '+6421000', receipt, headers, body, url };
    expect(await send(settings, tricky)).toMatchObject({ state: 'sent', provider_id: id });
    expect(heard[0]?.headers.authorization).toBe(`Basic ${btoa(`${user}:pass`)}`);
    const sent = heard[0]?.body ?? '';
    if (name === 'twilio')
      expect(Object.fromEntries(new URLSearchParams(sent))).toEqual({
        To: '+64211234567',
        From: '+6421000',
        Body: tricky,
        StatusCallback: receipt,
      });
    else
      expect(JSON.parse(sent).messages[0]).toMatchObject({
        [name === 'clicksend' ? 'body' : 'content']: tricky,
      });
  },
);

it('that a provider took the call of and not the message has failed for ever, with its reason', async () => {
  const { url } = await provider(
    200,
    JSON.stringify({ data: { messages: [{ message_id: 'CS1', status: 'INVALID_RECIPIENT' }] } }),
  );
  const { headers, body } = smsProviders.clicksend;
  expect(await send({ provider: 'clicksend', user: 'u', headers, body, url }, 'Hello')).toMatchObject({
    state: 'failed',
    error: 'The SMS provider did not take it: INVALID_RECIPIENT.',
  });
});

it('names no address for receipts, and no number, where there is none', async () => {
  for (const name of ['twilio', 'clicksend', 'messagemedia'] as const) {
    await database.db.deleteFrom('outbox').execute();
    const { heard, url } = await provider(200, '{}');
    const { headers, body } = smsProviders[name];
    await send({ provider: name, user: 'u', headers, body, url }, 'Hello');
    expect(heard[0]?.body).not.toMatch(/callback|""|Callback/);
  }
});

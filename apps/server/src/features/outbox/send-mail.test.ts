import { readFileSync } from 'node:fs';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../testing/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createMessages } from '../messages/create-messages.ts';
import type { Mail } from '../messages/messages.ts';
import { createMailSender, type MailSettings, transportOptions } from './mail-sender.ts';
import { createOutboxRepo } from './outbox.repo.ts';
import { sendOutbox } from './send-outbox.ts';
import { makeCertificate, type MailServerOptions, startMailServer } from './testing/mail-server.ts';

let database: TestDatabase;
const certificate = makeCertificate();
const auth = { user: 'headrace', password: 'p@ss:word/1' };
const START = new Date('2026-11-20T21:00:00Z');
const MINUTE = 60_000;
let clock = START;
const warnings: object[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  clock = START;
  warnings.length = 0;
  await database.db.deleteFrom('outbox').execute();
});

const after = (minutes: number) => (clock = new Date(clock.getTime() + minutes * MINUTE));
const mail = (changes: Partial<Mail> = {}): Mail => ({
  to: 'ana@example.com',
  subject: 'Please confirm your address',
  name: 'Ana',
  paragraphs: ['One.', 'Two.'],
  action: { label: 'Confirm', path: '/confirm-email?key=abc' },
  footnote: 'You registered.',
  ...changes,
});
const messages = () => createMessages({ db: database.db, publicUrl: 'https://water.example.com/' });
const store = (changes?: Partial<Mail>) => messages().mail(mail(changes), clock);
const rows = () => database.db.selectFrom('outbox').selectAll().orderBy('id').execute();

async function server(options: MailServerOptions = {}) {
  const started = await startMailServer(options);
  onTestFinished(() => started.stop());
  return started;
}

async function send(settings: Partial<MailSettings> & { url: string }): Promise<void> {
  const sender = createMailSender({ from: 'Headrace <water@example.com>', perMinute: 60, ...settings });
  const log = { warn: (details: object) => void warnings.push(details) };
  const outbox = createOutboxRepo(database.db);
  await sendOutbox({ outbox, senders: [sender], now: () => clock, log });
  sender.close();
}
const plain = (port: number) => ({ url: `smtp://127.0.0.1:${port}` });
const allOf = (name: string, { taken }: { taken: { raw: string }[] }) =>
  expect.poll(() => taken.length, { message: name, timeout: 10_000 });

describe('a mail', () => {
  it('arrives as text and HTML with its link, marked as sent by a machine, and its text is forgotten here', async () => {
    const { port, taken } = await server();
    await store();
    await send(plain(port));
    await allOf('arrived', { taken }).toBe(1);
    const got = await PostalMime.parse(taken[0]?.raw ?? '');
    expect(got).toMatchObject({
      from: { name: 'Headrace', address: 'water@example.com' },
      to: [{ address: 'ana@example.com' }],
      subject: 'Please confirm your address',
    });
    expect(got.text).toContain('Hello Ana,\n\nOne.\n\nTwo.');
    for (const part of [got.text, got.html])
      expect(part).toContain('https://water.example.com/confirm-email?key=abc');
    expect(got.html).not.toMatch(/<img|<script|url\(|<link/i);
    expect(got.messageId).toMatch(/^<[0-9a-f]{32}@example\.com>$/);
    expect(got.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
    expect(await rows()).toMatchObject([{ state: 'sent', tries: 1, body: '', html: '', sent_at: START }]);
  });

  it.each([
    ['markup', '<script>alert("1")</script> & <b>'],
    ['emoji', '👩🏽‍🌾 Ānā 🌧️'],
    ['right to left', 'מים \u202bمياه'],
    // A greeting names nobody whose name can't be one: it would speak with the sender's own words.
    ['quotes', `O'Neill "Jr" \\ %0d%0aBcc: x@example.com`, 'Hello,'],
  ])('keeps names exactly: %s', async (_, name, greeting = `Hello ${name},`) => {
    const { port, taken } = await server();
    await store({ name, subject: `From ${name}`, paragraphs: [`${name} invites you.`] });
    await send(plain(port));
    await allOf('arrived', { taken }).toBe(1);
    const got = await PostalMime.parse(taken[0]?.raw ?? '');
    expect(got.subject).toBe(`From ${name}`);
    expect(got.text).toContain(`${greeting}\n\n${name} invites you.`);
    const shown = (got.html ?? '').replace(
      /&lt;|&gt;|&quot;|&#39;|&amp;/g,
      (entity) => ({ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" })[entity] ?? '&',
    );
    expect(shown).toContain(`<p dir="auto">${name} invites you.</p>`);
    expect(got.html).not.toContain('<script>');
    expect(got.to).toHaveLength(1);
    expect(got.bcc).toBeUndefined();
  });

  it('can carry no header of its own, and goes to one address alone', async () => {
    const { port, taken } = await server();
    await store({ subject: 'Hello\r\nBcc: spy@example.com\u2028X-Evil: 1' });
    await send(plain(port));
    await allOf('arrived', { taken }).toBe(1);
    const got = await PostalMime.parse(taken[0]?.raw ?? '');
    expect(got.subject).toBe('Hello Bcc: spy@example.com X-Evil: 1');
    expect(taken[0]?.to).toEqual(['ana@example.com']);
    for (const to of [
      'a@example.com\r\nBcc: b@example.com',
      'a@example.com, b@example.com',
      'A <a@example.com>',
    ])
      await expect(store({ to })).rejects.toThrow('not one e-mail address');
  });
});

describe('the way to the mail server', () => {
  const ca = readFileSync(certificate.cert, 'utf8');

  it('is TLS from the start with smtps, with user and password', async () => {
    const { port, taken } = await server({ secure: true, ...certificate, auth });
    await store();
    const url = `smtps://headrace:${encodeURIComponent(auth.password)}@localhost:${port}`;
    await send({ url, ca });
    await allOf('arrived', { taken }).toBe(1);
    expect(taken[0]).toMatchObject({ user: 'headrace', secure: true });
  });

  it('is refused where a server elsewhere offers no TLS, unless the operator says tls=never', () => {
    const way = (url: string) => {
      const { secure, requireTLS, ignoreTLS, port } = transportOptions({ url, from: '', perMinute: 1 });
      return { secure, requireTLS, ignoreTLS, port };
    };
    const startTls = { secure: false, requireTLS: true, ignoreTLS: false, port: 587 };
    expect(way('smtp://mail.example.com')).toEqual(startTls);
    expect(way('smtp://127.example.com')).toEqual(startTls);
    expect(way('smtp://mail.example.com:25?tls=never')).toMatchObject({ requireTLS: false, ignoreTLS: true });
    expect(way('smtp://localhost:25')).toMatchObject({ requireTLS: false, port: 25 });
    expect(way('smtps://mail.example.com?tls=never')).toMatchObject({ secure: true, port: 465 });
  });

  it('does not send to a server whose certificate nobody vouches for', async () => {
    const { port, taken } = await server({ secure: true, ...certificate });
    await store();
    await send({ url: `smtps://localhost:${port}` });
    expect(taken).toEqual([]);
    expect(await rows()).toMatchObject([{ state: 'queued', tries: 1 }]);
  });

  it('with a wrong password says so, without the password, and tries again', async () => {
    const { port, taken } = await server({ secure: true, ...certificate, auth });
    await store();
    await send({ url: `smtps://headrace:wr0ng-secret@localhost:${port}`, ca });
    const [row] = await rows();
    expect(row).toMatchObject({
      state: 'queued',
      tries: 1,
      next_try_at: new Date(START.getTime() + MINUTE),
    });
    expect(row?.error).toContain('Invalid login');
    expect(row?.error + JSON.stringify(warnings)).not.toContain('wr0ng-secret');
    expect(taken).toEqual([]);
  });
});

describe('nothing is lost', () => {
  it('when no server is there: tried after 1, 5, 15 minutes, then hourly, and given up after a day', async () => {
    await store();
    const port = await freePort();
    const waits: number[] = [];
    for (let tries = 1; tries <= 27; tries += 1) {
      await send(plain(port));
      const [row] = await rows();
      expect(row?.tries).toBe(tries);
      if (tries === 27) expect(row).toMatchObject({ state: 'failed', next_try_at: null });
      else {
        waits.push(((row?.next_try_at?.getTime() ?? 0) - clock.getTime()) / MINUTE);
        await send(plain(port)); // Too early: nothing is tried.
        after(waits.at(-1) ?? 0);
      }
    }
    expect(waits.slice(0, 5)).toEqual([1, 5, 15, 60, 60]);
    expect(clock.getTime() - START.getTime()).toBe((23 * 60 + 21) * MINUTE);
    expect((await rows())[0]?.error).toMatch(/ECONNREFUSED/);
  });

  it('when it hangs: that try ends, and the mail waits', async () => {
    const { port } = await server({ behaviour: 'hangs' });
    for (const to of ['a@example.com', 'b@example.com']) await store({ to });
    await send({ ...plain(port), timeoutMs: 300 });
    expect((await rows()).map(({ state, tries }) => [state, tries])).toEqual([
      ['queued', 1],
      ['queued', 0],
    ]);
  });

  it('when it dies before it answers, and then comes back', async () => {
    const dying = await server({ behaviour: 'dies before it answers', port: await freePort() });
    await store();
    await send(plain(dying.port));
    expect(await rows()).toMatchObject([{ state: 'queued', tries: 1 }]);
    const back = await server({ port: dying.port });
    after(1);
    await send(plain(back.port));
    await allOf('arrived', back).toBe(1);
    expect(await rows()).toMatchObject([{ state: 'sent', tries: 2 }]);
  });

  it('when it dies after it took the mail: sent again, with the same message id', async () => {
    const dying = await server({ behaviour: 'dies after it took', port: await freePort() });
    await store();
    await send(plain(dying.port));
    await allOf('taken', dying).toBe(1);
    const back = await server({ port: dying.port });
    after(1);
    await send(plain(back.port));
    await allOf('arrived', back).toBe(1);
    const ids = await Promise.all(
      [dying, back].map(async ({ taken }) => (await PostalMime.parse(taken[0]?.raw ?? '')).messageId),
    );
    expect(ids[0]).toBe(ids[1]);
  });

  it('when a mailbox is not there: that mail fails for good, one that may come later waits, the rest goes', async () => {
    const { port, taken } = await server();
    for (const to of ['nobody@example.com', 'later@example.com', 'ana@example.com']) await store({ to });
    await send(plain(port));
    await allOf('arrived', { taken }).toBe(1);
    expect(await rows()).toMatchObject([
      { state: 'failed', tries: 1, recipient: 'nobody@example.com' },
      { state: 'queued', tries: 1, recipient: 'later@example.com' },
      { state: 'sent', recipient: 'ana@example.com' },
    ]);
    expect((await rows())[0]?.error).toContain('No such mailbox: <nobody@example.com>');
    expect(warnings[0]).toMatchObject({ error: expect.stringContaining('No such mailbox: <…@…>') });
    expect(JSON.stringify(warnings)).not.toContain('nobody');
  });

  it('without a mail server: it waits, and is sent when there is one; what waited for over 7 days is not', async () => {
    const outbox = createOutboxRepo(database.db);
    const log = { warn() {} };
    await store({ to: 'old@example.com' });
    after(60 * 24 * 6);
    await store({ to: 'new@example.com' });
    after(60 * 25);
    await sendOutbox({ outbox, senders: [], now: () => clock, log });
    expect((await rows()).map(({ state }) => state)).toEqual(['queued', 'queued']);
    const { port, taken } = await server();
    await send(plain(port));
    await allOf('arrived', { taken }).toBe(1);
    expect(await rows()).toMatchObject([{ state: 'failed', tries: 0 }, { state: 'sent' }]);
  });

  it('and nothing goes twice when two servers send at once', async () => {
    const { port, taken } = await server();
    for (let n = 0; n < 12; n += 1) await store({ to: `p${n}@example.com` });
    await Promise.all([send(plain(port)), send(plain(port)), send(plain(port))]);
    await allOf('arrived', { taken }).toBe(12);
    expect(new Set(taken.map(({ to }) => to[0])).size).toBe(12);
  });
});

describe('what is of no use any more is not sent', () => {
  it('after a time that it was given, whether it was tried before or not, and what is in time is', async () => {
    await store({ to: 'tried@example.com', expiresAt: new Date(START.getTime() + 30 * MINUTE) });
    await send(plain(await freePort()));
    await store({ to: 'untried@example.com', expiresAt: new Date(START.getTime() + 30 * MINUTE) });
    await store({ to: 'in.time@example.com', expiresAt: new Date(START.getTime() + 31 * MINUTE) });
    after(30);
    const { port, taken } = await server();
    await send(plain(port));
    await allOf('arrived', { taken }).toBe(1);
    expect(taken[0]?.to).toEqual(['in.time@example.com']);
    const expired = { state: 'expired', body: '', html: '', next_try_at: null };
    expect(await rows()).toMatchObject([
      { ...expired, tries: 1, error: 'It was not sent in time to be of use.' },
      { ...expired, tries: 0 },
      { state: 'sent' },
    ]);
  });

  it('without a mail server too', async () => {
    await store({ expiresAt: new Date(START.getTime() + MINUTE) });
    after(1);
    await sendOutbox({
      outbox: createOutboxRepo(database.db),
      senders: [],
      now: () => clock,
      log: { warn() {} },
    });
    expect(await rows()).toMatchObject([{ state: 'expired' }]);
  });

  it('when it was called off, also between two tries', async () => {
    for (const dedupeKey of ['trough 4', 'trough 5']) await store({ dedupeKey });
    await send(plain(await freePort()));
    await messages().cancel('trough 4');
    after(1);
    const { port, taken } = await server();
    await send(plain(port));
    await allOf('arrived', { taken }).toBe(1);
    expect((await rows()).map(({ state }) => state)).toEqual(['cancelled', 'sent']);
  });

  it('and one with a key that is asked for by two servers goes once', async () => {
    await Promise.all(Array.from({ length: 6 }, () => store({ dedupeKey: 'trough 4' })));
    const { port, taken } = await server();
    await Promise.all([send(plain(port)), send(plain(port))]);
    await allOf('arrived', { taken }).toBe(1);
    await store({ dedupeKey: 'trough 4' });
    await send(plain(port));
    expect((await rows()).map(({ state }) => state)).toEqual(['sent']);
    expect(taken).toHaveLength(1);
  });
});

describe('the pace', () => {
  it('is kept for all, and for each recipient; what is more goes later', async () => {
    const { port, taken } = await server();
    for (let n = 0; n < 22; n += 1) await store({ subject: `Note ${n}` });
    for (let n = 0; n < 10; n += 1) await store({ to: `p${n}@example.com` });
    await send({ ...plain(port), perMinute: 25 });
    await allOf('the first minute', { taken }).toBe(25);
    expect(taken.filter(({ to }) => to[0] === 'ana@example.com')).toHaveLength(20);
    after(2);
    await send({ ...plain(port), perMinute: 25 });
    await allOf('the next', { taken }).toBe(30);
    after(60);
    await send({ ...plain(port), perMinute: 25 });
    await allOf('an hour later', { taken }).toBe(32);
  });

  it('lets what somebody waits for go first, however much news stands before it', async () => {
    const { port, taken } = await server();
    for (let n = 0; n < 22; n += 1) await store({ subject: `Note ${n}` });
    await send({ ...plain(port), perMinute: 25 });
    await allOf('news for this hour', { taken }).toBe(20);
    for (let n = 0; n < 10; n += 1) await store({ to: `p${n}@example.com` });
    await store({ subject: 'Set a new password', isAwaited: true });
    await send({ ...plain(port), perMinute: 21 });
    await allOf('one more in this minute', { taken }).toBe(21);
    expect(taken[20]?.raw).toContain('Subject: Set a new password');
  });
});

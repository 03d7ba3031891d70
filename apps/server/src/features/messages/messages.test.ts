import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectDatabase } from '../../db/client.ts';
import type { AccountRow } from '../../db/schema.ts';
import { buildAccount } from '../../testing/factories.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createMessages } from './create-messages.ts';
import type { Messages } from './messages.ts';

const NOW = new Date('2026-11-20T21:00:00Z');
const note = { title: 'Trough 4 is low', message: 'Trough 4 is below 20 %.', dedupeKey: 'trough 4 low' };

let database: TestDatabase;
let messages: Messages;
let account: AccountRow;
beforeAll(async () => {
  database = await createTestDatabase();
  messages = createMessages({ db: database.db, publicUrl: 'https://water.example.com' });
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('outbox').execute();
  account = await hearer();
});

/** Somebody who wants mail, with a telephone and two browsers that take push messages. */
async function hearer(): Promise<AccountRow> {
  const { db } = database;
  const made = await buildAccount(db, { email_confirmed_at: NOW });
  const ways = { send_email: true, send_sms: true, send_push: true, mobile: '211234567', country_code: 64 };
  await db.updateTable('account').set(ways).where('id', '=', made.id).execute();
  for (const name of ['a', 'b'])
    await db
      .insertInto('push_device')
      .values({
        uid: `${name}${made.id}`,
        account_id: made.id,
        device_uid: name,
        endpoint: `https://push.example.com/${name}${made.id}`,
        p256dh: '',
        auth: '',
        address: '',
        user_agent: '',
        created_at: NOW,
        expires_at: null,
      })
      .execute();
  return made;
}

const outbox = () =>
  database.db
    .selectFrom('outbox')
    .select(['way', 'state', 'account_id', 'dedupe_key'])
    .orderBy('way')
    .orderBy('id')
    .execute();
const ways = async () => (await outbox()).map(({ way, state }) => `${way} ${state}`);
const bell = (of = account) =>
  database.db.selectFrom('notification').select('title').where('account_id', '=', of.id).execute();
const ALL = ['mail queued', 'push queued', 'push queued', 'sms queued'];

describe('a note with a key', () => {
  it('told twice is one entry of the bell and one message by each way to each browser', async () => {
    await messages.notify(account.id, note, NOW);
    await messages.notify(account.id, { ...note, title: 'Trough 4 is still low' }, NOW);
    expect(await bell()).toEqual([{ title: 'Trough 4 is low' }]);
    expect(await ways()).toEqual(ALL);
    expect((await outbox())[0]).toMatchObject({ account_id: account.id, dedupe_key: 'trough 4 low' });
  });

  it('told by two servers in the same moment is one', async () => {
    const other = connectDatabase(database.url);
    const second = createMessages({ db: other.db, publicUrl: 'https://water.example.com' });
    const both = Array.from({ length: 10 }, (_, index) =>
      (index % 2 ? second : messages).notify(account.id, note, NOW),
    );
    await Promise.all(both);
    await other.close();
    expect(await bell()).toHaveLength(1);
    expect(await ways()).toEqual(ALL);
  });

  it('waits for a transaction that has told it, and is told after all where that one is taken back', async () => {
    let letGo = () => {};
    let isNotified = () => {};
    const held = new Promise<void>((_, reject) => (letGo = () => reject(new Error('taken back'))));
    const told = new Promise<void>((resolve) => (isNotified = resolve));
    const first = database.db.transaction().execute(async (trx) => {
      await messages.notify(account.id, note, NOW, trx);
      isNotified();
      await held;
    });
    await told;
    const second = messages.notify(account.id, note, NOW);
    letGo();
    await expect(first).rejects.toThrow('taken back');
    await second;
    expect(await bell()).toHaveLength(1);
    expect(await ways()).toEqual(ALL);
  });

  it('is told to each account', async () => {
    const other = await hearer();
    await messages.notify(account.id, note, NOW);
    await messages.notify(other.id, note, NOW);
    expect(await ways()).toEqual([...ALL, ...ALL].toSorted());
    expect([await bell(), await bell(other)]).toEqual([[{ title: note.title }], [{ title: note.title }]]);
  });

  it('without one is told as often as it is asked for', async () => {
    const { title, message } = note;
    for (let times = 0; times < 2; times += 1) await messages.notify(account.id, { title, message }, NOW);
    expect(await bell()).toHaveLength(2);
    expect(await ways()).toHaveLength(8);
  });
});

it('a note told in a transaction that is taken back was never told', async () => {
  const failing = database.db.transaction().execute(async (trx) => {
    await messages.notify(account.id, { title: 'Pump', message: 'It runs.' }, NOW, trx);
    throw new Error('taken back');
  });
  await expect(failing).rejects.toThrow('taken back');
  expect([await bell(), await outbox()]).toEqual([[], []]);
});

it('a mail with a key is stored once for each address', async () => {
  const mail = { subject: 'Your week', name: 'Ana', paragraphs: ['Dry.'], dedupeKey: 'week 47' };
  for (const to of ['ana@example.com', 'ben@example.com', 'ana@example.com'])
    await messages.mail({ ...mail, to }, NOW);
  expect(await ways()).toEqual(['mail queued', 'mail queued']);
});

describe('called off by its key', () => {
  it('what waits is not sent to anybody, and the bell keeps it', async () => {
    const other = await hearer();
    for (const { id } of [account, other]) await messages.notify(id, note, NOW);
    await messages.notify(account.id, { ...note, dedupeKey: 'another' }, NOW);
    await messages.cancel('trough 4 low');
    const rows = await database.db.selectFrom('outbox').select(['state', 'dedupe_key', 'body']).execute();
    const states = (key: string) => [
      ...new Set(rows.filter(({ dedupe_key }) => dedupe_key === key).map(({ state }) => state)),
    ];
    expect([states('trough 4 low'), states('another')]).toEqual([['cancelled'], ['queued']]);
    expect(rows.filter(({ state, body }) => state === 'cancelled' && body !== '')).toEqual([]);
    expect(await bell(other)).toHaveLength(1);
  });

  it('or what waits for one account, as when its right has ended', async () => {
    const other = await hearer();
    for (const { id } of [account, other]) await messages.notify(id, { ...note, dedupeKey: `k` }, NOW);
    await messages.cancel('k', { accountId: other.id });
    const rows = await outbox();
    const ofOther = rows.filter((row) => row.account_id === other.id).map(({ state }) => state);
    expect(ofOther).toEqual(Array(4).fill('cancelled'));
    expect(rows.filter((row) => row.account_id === account.id && row.state !== 'queued')).toEqual([]);
  });

  it('what has gone stays told as sent', async () => {
    await messages.notify(account.id, note, NOW);
    await database.db.updateTable('outbox').set({ state: 'sent' }).where('way', '=', 'mail').execute();
    await messages.cancel('trough 4 low');
    expect(await ways()).toEqual(['mail sent', 'push cancelled', 'push cancelled', 'sms cancelled']);
  });
});

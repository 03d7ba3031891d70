import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createOperatorNotices } from '../../machine/operator-notices.ts';
import { type UnclaimedRoom, watchUnclaimedRoom } from './unclaimed-room.ts';

const OPERATOR = 'operator@example.com';

let database: TestDatabase;
let kit: IngestKit;
let room: UnclaimedRoom;
let logged: string[];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  kit = await createIngestKit({}, database);
  logged = [];
  const now = () => kit.clock.now;
  const notices = createOperatorNotices({
    db: database.db,
    to: OPERATOR,
    mail: null,
    publicUrl: 'https://farm.example.com',
    now,
    log: { error: (_details, message) => logged.push(message) },
  });
  room = watchUnclaimedRoom({ db: database.db, now, notices });
  await unknown();
  return async () => {
    room.stop();
    await kit.close();
  };
});

/** A gateway that nobody has added, at a broker that doesn't say whose it is. */
const unknown = () =>
  kit.store(
    'up/sensor',
    { items: [{ mac: '0004A30000FFFFFF', at: '2026-11-20T20:59:00Z', values: { levelMm: 1 } }] },
    { topic: 'headrace/v1/0004A30000EEEEEE/up/sensor', sender: { kind: 'broker' } },
  );
const set = (columns: string) => database.pool.query(`update farm_usage set ${columns} where farm_id = 0`);
const mails = async () =>
  (
    await database.db.selectFrom('outbox').select(['recipient', 'subject', 'body']).orderBy('id').execute()
  ).map(({ recipient, subject, body }) => ({
    recipient,
    subject: subject.replace(/^Headrace on \S+: /, ''),
    body,
  }));
const metric = async () => {
  const registry = new Registry();
  room.metrics(registry);
  return registry.metrics();
};

it('of the day: below 80 % nothing is said; from there on /readyz, metric, log and one mail to the operator, and one more when it is full', async () => {
  await set('kept_messages = 3999');
  await room.look();
  expect([room.check(), logged, await mails()]).toEqual(['ok', [], []]);
  await set('kept_messages = 4000');
  await room.look();
  await room.look();
  expect(room.check()).toBe('warning: 80 % of the room for messages of no known farm are used today');
  expect(await metric()).toContain('headrace_unclaimed_letters_ratio{of="day"} 0.8\n');
  expect(logged).toEqual(['little room is left for messages of unknown devices']);
  expect(await mails()).toEqual([
    {
      recipient: OPERATOR,
      subject: 'little room is left for messages of unknown devices',
      body: expect.stringContaining(
        '80 % of the room for messages of no known farm are used today.',
      ) as string,
    },
  ]);
  // 8 MiB are all that the day has.
  await set(`kept_messages = 10, kept_bytes = ${8 * 1024 * 1024}`);
  await room.look();
  expect(room.check()).toBe(
    'warning: 100 % of the room for messages of no known farm are used today, and what comes now is counted and not kept',
  );
  expect((await mails()).map(({ subject }) => subject)).toEqual([
    'little room is left for messages of unknown devices',
    'no room is left for messages of unknown devices',
  ]);
});

it('in all: 52 of 64 MiB are told, and room that is free again is well', async () => {
  await database.pool.query('update kept_message set bytes = $1 where farm_id = 0', [52 * 1024 * 1024]);
  await room.look();
  expect(room.check()).toBe('warning: 81 % of the room for messages of no known farm are used');
  await database.pool.query('delete from kept_message where farm_id = 0');
  await room.look();
  expect(room.check()).toBe('ok');
});

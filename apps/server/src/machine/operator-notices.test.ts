import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { connectDatabase } from '../db/client.ts';
import type { Db } from '../db/client.ts';
import { startMailServer } from '../features/outbox/testing/mail-server.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createOperatorNotices } from './operator-notices.ts';

const START = new Date('2026-11-20T21:00:00Z');
const DAY_MS = 86_400_000;
const OPERATOR = 'operator@example.com';

let database: TestDatabase;
let clock = START;
let logged: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  clock = START;
  logged = [];
  await database.db.deleteFrom('outbox').execute();
});

type Parts = Partial<Parameters<typeof createOperatorNotices>[0]>;
const notices = (changes: Parts = {}) =>
  createOperatorNotices({
    db: database.db,
    to: OPERATOR,
    mail: null,
    publicUrl: 'https://water.example.com',
    now: () => clock,
    log: { error: (_details, message) => logged.push(message) },
    ...changes,
  });
const subjects = async () =>
  (await database.db.selectFrom('outbox').select('subject').orderBy('id').execute()).map(({ subject }) =>
    subject?.replace(/^Headrace on \S+: /, ''),
  );
/** Where nothing can be written. */
function unreachable(): Db {
  const { db, close } = connectDatabase('postgres://nobody@127.0.0.1:1/none');
  onTestFinished(() => close());
  return db;
}

it('are a line in the log and a mail, once a day for each subject, of all servers together', async () => {
  const [one, other] = [notices(), notices()];
  for (const server of [one, one, other]) await server.tell('the disk is full', ['No room.']);
  await one.tell("this server's clock is wrong", ['Two hours behind.']);
  expect(await subjects()).toEqual(['the disk is full', "this server's clock is wrong"]);
  // Each server's log has it.
  expect(logged).toEqual(['the disk is full', 'the disk is full', "this server's clock is wrong"]);
  clock = new Date(START.getTime() + DAY_MS + 1);
  await one.tell('the disk is full', ['No room.']);
  expect((await subjects()).at(-1)).toBe('the disk is full');
  expect(await subjects()).toHaveLength(3);
});

it('are in the log where the operator gave no address', async () => {
  await notices({ to: null }).tell('the disk is full', ['No room.']);
  expect([logged, await subjects()]).toEqual([['the disk is full'], []]);
});

it('go straight to the mail server where nothing can be written', async () => {
  const server = await startMailServer();
  onTestFinished(() => server.stop());
  const url = `smtp://127.0.0.1:${server.port}`;
  const mail = { url, from: 'Headrace <water@example.com>', perMinute: 60 };
  await notices({ db: unreachable(), mail }).tell('the disk is full', ['No room.']);
  await expect.poll(() => server.taken).toMatchObject([{ to: [OPERATOR] }]);
  expect(server.taken[0]?.raw).toContain('No room.');
});

it('that could be neither written nor sent are told when it is noticed again', async () => {
  const later = notices({ db: unreachable() });
  await later.tell('the disk is full', ['No room.']);
  await later.tell('the disk is full', ['No room.']);
  expect(logged).toEqual([
    'the disk is full',
    'the operator could not be told by mail',
    'the disk is full',
    'the operator could not be told by mail',
  ]);
});

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';

let database: TestDatabase;
let kit: IngestKit;
/** A hand of its own in the database: holds locks, ends connections. */
let other: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  kit = await createIngestKit({}, database);
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await kit.close();
});

const at = (minute: number) => new Date(Date.parse('2026-11-20T19:00:00Z') + minute * 60_000).toISOString();
const levels = (...rows: [minute: number, levelMm: number][]) => ({
  items: rows.map(([minute, levelMm]) => ({ mac: kit.tank.mac, at: at(minute), values: { levelMm } })),
});
const storedLevels = async () =>
  (await database.db.selectFrom('reading').select('value').orderBy('at').execute()).map(({ value }) => value);

describe('acknowledgement', () => {
  it('waits for the commit', async () => {
    await kit.store('up/sensor', levels([0, 1]));
    await other.query('begin; lock table reading in share mode');
    const sent = kit.send('up/sensor', levels([1, 2]));
    await untilHeldUp();
    expect(sent.isAcknowledged).toBe(false);
    await other.query('commit');
    await kit.ingest.drain();
    expect(sent.isAcknowledged).toBe(true);
    expect(await storedLevels()).toEqual([1, 2]);
  });

  it('of what came during a commit comes with the next one', async () => {
    await kit.store('up/sensor', levels([0, 1]));
    await other.query('begin; lock table reading in share mode');
    const sent = [1, 2, 3].map((minute) => kit.send('up/sensor', levels([minute, minute])));
    await untilHeldUp();
    sent.push(kit.send('up/sensor', levels([4, 4])));
    await other.query('commit');
    await kit.ingest.drain();
    expect(sent.every((message) => message.isAcknowledged)).toBe(true);
    expect(kit.ingest.metrics().commits).toBe(3);
  });

  it('is out, and what was stored can be read, when the listeners hear of it', async () => {
    let seen: Promise<unknown> | undefined;
    const onCommitted = () => {
      seen ??= database.pool.query('select value from reading').then(({ rows }) => rows);
    };
    const listening = await createIngestKit({ onCommitted }, database);
    await listening.levels([at(0), 1]);
    expect(await seen).toEqual([{ value: 1 }]);
    await listening.close();
  });

  it('happens although a listener fails', async () => {
    const onCommitted = () => {
      throw new Error('nobody listens');
    };
    const failing = await createIngestKit({ onCommitted }, database);
    expect((await failing.levels([at(0), 1])).isAcknowledged).toBe(true);
    await failing.close();
  });
});

describe('when the database goes away', () => {
  it('nothing is acknowledged that is not stored, and nothing is lost', async () => {
    const sent = [];
    for (let minute = 0; minute < 60; minute += 1) {
      sent.push(kit.send('up/sensor', levels([minute, minute])));
      if (minute % 10 === 5) await endConnections();
      await sleep(4);
    }
    expect(await kit.ingest.drain(20_000)).toBe(true);
    expect(sent.every((message) => message.isAcknowledged)).toBe(true);
    expect(await storedLevels()).toEqual(Array.from({ length: 60 }, (_, minute) => minute));
    const [day] = await database.db.selectFrom('reading_day').select(['n', 'rises', 'falls']).execute();
    expect(day).toEqual({ n: 60, rises: 59, falls: 0 });
    expect(await kit.deadLetters()).toEqual([]);
  });

  it('messages are held until it is back', async () => {
    await kit.store('up/sensor', levels([0, 1]));
    await blockConnections(true);
    const sent = kit.send('up/sensor', levels([1, 2]));
    await expect.poll(() => kit.ingest.metrics().failures).toBeGreaterThan(0);
    expect(sent.isAcknowledged).toBe(false);
    await blockConnections(false);
    await kit.ingest.drain();
    expect(sent.isAcknowledged).toBe(true);
    expect(await storedLevels()).toEqual([1, 2]);
  });

  it('what is held at the end stays unacknowledged', async () => {
    await kit.store('up/sensor', levels([0, 1]));
    await blockConnections(true);
    const sent = kit.send('up/sensor', levels([1, 2]));
    expect(await kit.ingest.drain(200)).toBe(false);
    await kit.ingest.stop();
    await blockConnections(false);
    await sleep(300);
    expect(sent.isAcknowledged).toBe(false);
    expect(await storedLevels()).toEqual([1]);
  });
});

describe('a row that can not be stored', () => {
  beforeEach(() => other.query('alter table reading add constraint poison check (value <> 666)'));
  afterEach(() => other.query('alter table reading drop constraint poison'));

  it('is set aside alone; all others of its batch and of its message are stored', async () => {
    const sent = [1, 2, 3, 4].map((minute) => kit.send('up/sensor', levels([minute, minute])));
    sent.push(kit.send('up/sensor', levels([5, 5], [6, 666], [7, 7])));
    sent.push(kit.send('up/sensor', levels([8, 8])));
    await kit.ingest.drain();
    expect(sent.every((message) => message.isAcknowledged)).toBe(true);
    expect(await storedLevels()).toEqual([1, 2, 3, 4, 5, 7, 8]);
    const letters = await kit.deadLetters();
    expect(letters.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^could not be stored: .*violates check constraint "poison"/),
    ]);
    const [day] = await database.db.selectFrom('reading_day').select(['n', 'rises']).execute();
    expect(day).toEqual({ n: 7, rises: 7 });
  });
});

/** Resolves when a commit waits for the lock that the other hand holds. */
async function untilHeldUp(): Promise<void> {
  const waiting = "select 1 from pg_locks where not granted and mode = 'RowExclusiveLock'";
  await expect.poll(async () => (await other.query(waiting)).rowCount).toBeGreaterThan(0);
}

const endConnections = () =>
  other.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'headrace'`);

/** As when the server is down: connections end and no new one is accepted. */
async function blockConnections(isBlocked: boolean): Promise<void> {
  const admin = new pg.Client({ connectionString: database.url.replace(/[^/]*$/, 'postgres') });
  await admin.connect();
  const name = new URL(database.url).pathname.slice(1);
  await admin.query(`alter database ${name} allow_connections ${!isBlocked}`);
  await admin.end();
  if (isBlocked) await endConnections();
}

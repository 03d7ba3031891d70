import { createServer, connect } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../testing/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { listenToDatabase, tellServers } from './database-news.ts';
import type { News } from './live-bus.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const CHANGED: News = { kind: 'access-changed', accountId: 7 };

function hear(url: string) {
  const heard: News[] = [];
  const counts = { gaps: 0, failures: 0 };
  const news = listenToDatabase(
    url,
    { onNews: (one) => void heard.push(one), onGap: () => (counts.gaps += 1) },
    { warn: () => (counts.failures += 1) },
  );
  onTestFinished(() => news.stop());
  return { heard, counts, news };
}

/** A way to the database that can be opened later. */
async function openWay(port: number): Promise<void> {
  const { hostname, port: real } = new URL(database.url);
  const way = createServer((socket) => {
    const there = connect(Number(real), hostname);
    socket.on('error', () => there.destroy());
    there.on('error', () => socket.destroy());
    socket.pipe(there).pipe(socket);
  });
  await new Promise<void>((resolve) => way.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void way.close());
}

it('hears what is told, and misses nothing where the database was there', async () => {
  const { heard, counts, news } = hear(database.url);
  await news.listening;
  await tellServers(database.db, CHANGED);
  await expect.poll(() => heard).toEqual([CHANGED]);
  expect(counts).toEqual({ gaps: 0, failures: 0 });
});

it('says that something may be missing where the database was away when it began', async () => {
  const url = new URL(database.url);
  const port = await freePort();
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const { heard, counts, news } = hear(url.toString());
  await expect.poll(() => counts.failures).toBeGreaterThan(0);
  await openWay(port);
  await news.listening;
  expect(counts.gaps).toBe(1);
  await tellServers(database.db, CHANGED);
  await expect.poll(() => heard).toEqual([CHANGED]);
});

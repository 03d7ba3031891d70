import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { connectDatabase } from './db/client.ts';
import { postgresProcessesOf } from './db/embedded/process-state.ts';
import { runningPostgresUrl } from './db/embedded/running-postgres.ts';
import { buildAccount, buildFarm, buildGateway, buildTank } from './testing/factories.ts';
import { freePort } from './testing/free-port.ts';
import { expectAllStored, Publisher, untilQuiet } from './testing/killed-kit.ts';
import { ServerProcess } from './testing/two-servers.ts';

async function timed<T>(work: Promise<T>): Promise<{ ms: number; found: T }> {
  const begun = performance.now();
  const found = await work;
  return { ms: performance.now() - begun, found };
}

it('a database that is frozen hangs nobody, and nothing is acknowledged until it moves again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headrace-frozen-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const mqttPort = await freePort();
  const server = new ServerProcess('frozen', { DATA_DIR: folder, MQTT_PORT: String(mqttPort) });
  onTestFinished(() => server.end('SIGTERM'));
  await server.start();
  const database = connectDatabase((await runningPostgresUrl(folder)) ?? '');
  onTestFinished(() => database.close());
  const owner = await buildAccount(database.db);
  const farm = await buildFarm(database.db, owner.id);
  const gateway = await buildGateway(database.db, farm.id, 'key');
  const publisher = new Publisher(gateway, [await buildTank(database.db, farm.id)]);
  await publisher.connect(mqttPort);
  onTestFinished(() => publisher.end());
  await expect.poll(() => publisher.acknowledged.length).toBeGreaterThan(100);

  const cluster = await realpath(join(folder, 'postgres'));
  const pids = new Set<number>();
  const tell = (pid: number, signal: NodeJS.Signals) => {
    // Some end with the server, or with a connection.
    if (existsSync(`/proc/${pid}`)) process.kill(pid, signal);
  };
  const wake = () => {
    for (const pid of pids) tell(pid, 'SIGCONT');
  };
  onTestFinished(wake);
  // Until it brings forth no other while it is being frozen: one that goes on would answer.
  for (let before = -1; pids.size > before; ) {
    before = pids.size;
    for (const pid of await postgresProcessesOf(cluster)) {
      pids.add(pid);
      tell(pid, 'SIGSTOP');
    }
  }
  const askSettings = () => fetch(`${server.url}/v1/settings`, { headers: { authorization: 'nobody' } });
  const first = timed(askSettings());
  const ready = await timed(server.readiness());
  expect(ready.found).toMatchObject({ status: 503, checks: { database: 'no answer within 2 s' } });
  // Two seconds by rule; the rest is for a busy machine.
  expect(ready.ms).toBeLessThan(10_000);
  const { ms, found } = await first;
  expect(found.status).toBe(503);
  expect(ms).toBeLessThan(25_000);

  // By now it is known, and nobody waits any more.
  const later = await timed(askSettings());
  expect(await later.found.json()).toMatchObject({ code: 'databaseAway' });
  expect(later.found.headers.get('retry-after')).toBe('5');
  expect(later.ms).toBeLessThan(2000);
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/live`, 'nobody');
  expect((await timed(once(socket, 'close'))).found[0]).toBe(1013);
  const acknowledged = publisher.acknowledged.length;
  expect((await server.readiness()).status).toBe(503);
  expect(publisher.acknowledged.length).toBe(acknowledged);

  wake();
  await expect.poll(async () => (await server.readiness()).status).toBe(200);
  await expect.poll(() => publisher.acknowledged.length).toBeGreaterThan(acknowledged + 100);
  expect((await askSettings()).status).toBe(401);
  await publisher.end();
  await untilQuiet(database.db);
  await expectAllStored(database.db, [publisher]);
});

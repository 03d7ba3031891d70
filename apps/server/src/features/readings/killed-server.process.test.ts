import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase, type DatabaseClient } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { buildAccount, buildFarm, buildGateway, buildTank } from '../../testing/factories.ts';
import { runningPostgresUrl } from '../../db/embedded/running-postgres.ts';
import { expectAllStored, Publisher } from '../../testing/killed-kit.ts';

/** `KILLS=100` is a long run. */
const KILLS = Number(process.env['KILLS'] ?? 8);
/** What `npm run build` makes. */
const main = new URL('../../../dist/main.js', import.meta.url).pathname;

let folder: string;
let database: DatabaseClient;
let server: ChildProcess;
beforeAll(async () => {
  if (!existsSync(main)) throw new Error('The server is not built: run `npm run build` first.');
  folder = await mkdtemp(join(tmpdir(), 'headrace-killed-'));
});
afterAll(async () => {
  await database?.close();
  if (server) await killServer();
  // The database goes a moment after the server that was killed, and writes until then.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** Resolves when it listens, with the port of its broker. */
async function startServer(mqttPort: number): Promise<number> {
  server = fork(main, [], {
    execArgv: [],
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      PORT: '0',
      MQTT_PORT: String(mqttPort),
      LOG_LEVEL: 'error',
    },
  });
  const exited = once(server, 'exit').then(([code]) => {
    throw new Error(`the server ended with ${String(code)} before it listened`);
  });
  const [message] = (await Promise.race([once(server, 'message'), exited])) as [{ mqttPort: number }];
  exited.catch(() => {});
  return message.mqttPort;
}

/** The embedded database of the server that runs now; it goes with it. */
async function openDatabase(): Promise<DatabaseClient> {
  return connectDatabase((await runningPostgresUrl(folder)) ?? '');
}

async function killServer(): Promise<void> {
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
}

it(`keeps what it acknowledged through ${KILLS} kills, once, and its rollups agree with it`, {
  timeout: 120_000 + KILLS * 15_000,
}, async () => {
  const port = await startServer(0);
  database = await openDatabase();
  const owner = await buildAccount(database.db);
  const farm = await buildFarm(database.db, owner.id);
  const gateway = await buildGateway(database.db, farm.id, 'key');
  const tanks: DeviceRow[] = [];
  for (let count = 0; count < 5; count += 1) tanks.push(await buildTank(database.db, farm.id));
  await database.close();
  const publisher = new Publisher(gateway, tanks);

  const stored: number[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = publisher.acknowledged.length;
    await publisher.connect(port);
    // Never while it is idle: work is under way when the first acknowledgement is in.
    while (publisher.acknowledged.length === before) await sleep(5);
    await sleep(10 + ((kill * 53) % 290));
    await killServer();
    await publisher.end();
    stored.push(publisher.acknowledged.length - before);
    await startServer(port);
  }
  database = await openDatabase();

  expect(stored.every((count) => count > 0)).toBe(true);
  await expectAllStored(database.db, [publisher]);
});

import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase, type DatabaseClient } from '../../db/client.ts';
import { runningPostgresUrl } from '../../db/embedded/running-postgres.ts';
import { newUid } from '../../db/ids.ts';
import { buildAccount, buildCodec, buildFarm, buildTank } from '../../testing/factories.ts';
import { chirpstackUplink } from '../../testing/uplinks.ts';
import { openSession } from '../../testing/open-session.ts';

/** What `npm run build` makes. */
const main = new URL('../../../dist/main.js', import.meta.url).pathname;
const UPLINKS = 60;
const KILLS = 3;
/** A message takes long enough that most are acknowledged and not decoded when the server is killed. */
const slow = `function decodeUplink({ bytes }) {
  const end = Date.now() + 60;
  while (Date.now() < end);
  return { data: { levelMm: bytes[0] } };
}`;

let folder: string;
let database: DatabaseClient;
let server: ChildProcess;
beforeAll(async () => {
  if (!existsSync(main)) throw new Error('The server is not built: run `npm run build` first.');
  folder = await mkdtemp(join(tmpdir(), 'headrace-decoding-'));
});
afterAll(async () => {
  await database?.close();
  if (server) await killServer();
  // The database goes a moment after the server that was killed, and writes until then.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** Resolves when it listens. */
async function startServer(): Promise<{ mqttPort: number; url: string }> {
  server = fork(main, [], {
    execArgv: [],
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'error' },
  });
  const [message] = (await once(server, 'message')) as [{ mqttPort: number; url: string }];
  return message;
}

async function killServer(): Promise<void> {
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
}

/** The embedded database of the server that runs now; it goes with it. */
async function openDatabase(): Promise<DatabaseClient> {
  return connectDatabase((await runningPostgresUrl(folder)) ?? '');
}

async function buildSensor(mac: string): Promise<void> {
  const { db } = database;
  const owner = await buildAccount(db);
  const farm = await buildFarm(db, owner.id);
  const tank = await buildTank(db, farm.id, { mac });
  const codec = await buildCodec(db, farm.id, slow);
  await db.updateTable('device').set({ codec_id: codec.id }).where('id', '=', tank.id).execute();
  const key_hash = createHash('sha256').update('secret').digest();
  const key = { farm_id: farm.id, uid: newUid(), name: 'Network', user_name: 'network', key_hash };
  await db.insertInto('integration_key').values(key).execute();
}

/** Resolves when all of them are acknowledged. */
async function publishAll(port: number, mac: string, from: number): Promise<void> {
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, { username: 'network', password: 'secret' });
  const sending = Array.from({ length: UPLINKS }, (_, minute) => {
    const at = new Date(from + minute * 60_000).toISOString();
    const { topic, body } = chirpstackUplink(mac, (minute + 1).toString(16).padStart(2, '0'), {
      at,
      fCnt: minute,
    });
    return client.publishAsync(topic, JSON.stringify(body), { qos: 1 });
  });
  await Promise.all(sending);
  await client.endAsync(true);
}

const waiting = async () => (await database.db.selectFrom('uplink_due').select('uplink_id').execute()).length;
const levels = () =>
  database.db
    .selectFrom('reading as r')
    .innerJoin('series as s', 's.id', 'r.series_id')
    .where('s.metric', '=', 'levelMm')
    .select(['r.at', 'r.value'])
    .orderBy('r.at')
    .execute();

it('what was acknowledged and not decoded when the server was killed is decoded after, each once', async () => {
  const mac = 'A84041FFFF1829D3';
  const from = Math.floor(Date.now() / 60_000) * 60_000 - 2 * 3_600_000;
  const { mqttPort: port } = await startServer();
  database = await openDatabase();
  await buildSensor(mac);
  await publishAll(port, mac, from);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const left = await waiting();
    expect(left).toBeGreaterThan(0);
    // Never while it is idle: some more is decoded when it is killed.
    await expect.poll(waiting, { timeout: 30_000, interval: 20 }).toBeLessThan(left);
    await database.close();
    await killServer();
    await startServer();
    database = await openDatabase();
  }
  await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
  const expected = Array.from({ length: UPLINKS }, (_, minute) => ({
    at: new Date(from + minute * 60_000),
    value: minute + 1,
  }));
  await expect.poll(levels, { timeout: 10_000 }).toEqual(expected);
  const hours = await database.db
    .selectFrom('reading_hour as h')
    .innerJoin('series as s', 's.id', 'h.series_id')
    .where('s.metric', '=', 'levelMm')
    .select((eb) => [eb.fn.sum<string>('h.n').as('n'), eb.fn.sum<number>('h.sum').as('sum')])
    .executeTakeFirstOrThrow();
  expect([Number(hours.n), hours.sum]).toEqual([UPLINKS, (UPLINKS * (UPLINKS + 1)) / 2]);
  expect(await database.db.selectFrom('dead_letter').select('reason').execute()).toEqual([]);
});

/** As the sensor's owner, signed in. */
async function ask(url: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const { db } = database;
  const { id } = await db.selectFrom('account').select('id').executeTakeFirstOrThrow();
  const token = await openSession(db, id);
  const reply = await fetch(`${url}/v1${path}`, {
    headers: { authorization: token, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return (await reply.json()) as Record<string, unknown>;
}

it('what is decoded anew when the server is killed ends after, once, and each reading counts once', async () => {
  const { db } = database;
  const before = await levels();
  expect(before).toHaveLength(UPLINKS);
  await db
    .updateTable('codec_version')
    .set({ script: slow.replace('bytes[0]', '10 * bytes[0]') })
    .execute();
  await database.close();
  await killServer();
  let { url } = await startServer();
  database = await openDatabase();
  const { uid } = await database.db.selectFrom('device').select('uid').executeTakeFirstOrThrow();
  const asked = await ask(url, '/sensor/decoding/anew', { deviceId: uid });
  expect(asked).toMatchObject({ total: UPLINKS });
  const path = `/job?id=${String(asked['jobId'])}`;
  const done = async () =>
    (await database.db.selectFrom('decode_anew').select('done').executeTakeFirstOrThrow()).done;
  for (let kill = 0; kill < 2; kill += 1) {
    const soFar = await done();
    await expect.poll(done, { timeout: 90_000, interval: 20 }).toBeGreaterThan(soFar);
    expect(await done()).toBeLessThan(UPLINKS);
    await database.close();
    await killServer();
    ({ url } = await startServer());
    database = await openDatabase();
  }
  await expect.poll(async () => (await ask(url, path))['state'], { timeout: 120_000 }).toBe('done');
  expect(await ask(url, path)).toMatchObject({
    progress: 1,
    progressText: `${UPLINKS} of ${UPLINKS} messages are decoded anew.`,
    result: { total: UPLINKS, done: UPLINKS, changed: UPLINKS, failed: 0, problem: null },
  });
  const [job] = await database.db.selectFrom('long_job').select('attempt').execute();
  expect(job?.attempt).toBeGreaterThan(1);
  expect(await levels()).toEqual(before.map(({ at, value }) => ({ at, value: 10 * (value ?? 0) })));
  const hours = await database.db
    .selectFrom('reading_hour as h')
    .innerJoin('series as s', 's.id', 'h.series_id')
    .where('s.metric', '=', 'levelMm')
    .select((eb) => [eb.fn.sum<string>('h.n').as('n'), eb.fn.sum<number>('h.sum').as('sum')])
    .executeTakeFirstOrThrow();
  expect([Number(hours.n), hours.sum]).toEqual([UPLINKS, 5 * UPLINKS * (UPLINKS + 1)]);
});

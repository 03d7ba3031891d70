import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayStart, hourStart } from '@headrace/contract/rules/farm-time';
import { gatewayTopic } from '@headrace/device/topics';
import { connectDatabase, type DatabaseClient } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { buildAccount, buildFarm, buildGateway, buildTank } from '../../testing/factories.ts';
import { runningPostgresUrl } from '../../db/embedded/running-postgres.ts';

const KILLS = 20;
const IN_FLIGHT = 30;
/** What `npm run build` makes. */
const main = new URL('../../../dist/main.js', import.meta.url).pathname;
const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };

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
  await rm(folder, { recursive: true, force: true });
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

interface SentReading {
  mac: string;
  /** Epoch ms. */
  at: number;
  levelMm: number | null;
}

/** Five minutes apart, each ten shuffled among themselves, so that many arrive late. */
function readingsOf(number: number, tanks: readonly DeviceRow[]): SentReading[] {
  const turn = Math.floor(number / 10) * 10 + ((number * 7) % 10);
  const at = Date.parse('2026-09-25T00:00:00Z') + turn * 300_000;
  return tanks.map((tank, index) => ({
    mac: tank.mac ?? '',
    at,
    levelMm: (turn + index) % 9 === 0 ? null : 1000 + ((turn * 37 + index) % 400),
  }));
}

/** Like a gateway that keeps what was not acknowledged, and sends it first when it is connected again. */
class Publisher {
  readonly acknowledged: SentReading[] = [];
  readonly #unacknowledged = new Set<number>();
  #next = 0;
  #client: MqttClient | undefined;

  constructor(
    readonly gateway: DeviceRow,
    readonly tanks: readonly DeviceRow[],
  ) {}

  async connect(port: number): Promise<void> {
    const username = this.gateway.mac ?? '';
    const client = connect({ host: '127.0.0.1', port, username, password: 'key', reconnectPeriod: 0 });
    client.on('error', () => {});
    await new Promise<void>((resolve) => client.once('connect', () => resolve()));
    this.#client = client;
    for (const number of this.#unacknowledged) this.#publish(client, number);
    while (this.#unacknowledged.size < IN_FLIGHT) this.#publishNext(client);
  }

  async end(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.endAsync(true);
  }

  #publishNext(client: MqttClient): void {
    const number = this.#next++;
    this.#unacknowledged.add(number);
    this.#publish(client, number);
  }

  #publish(client: MqttClient, number: number): void {
    const readings = readingsOf(number, this.tanks);
    const items = readings.map(({ mac, at, levelMm }) => ({
      mac,
      at: new Date(at).toISOString(),
      values: { levelMm },
    }));
    const topic = gatewayTopic(this.gateway.mac ?? '', 'sensor');
    client.publish(topic, JSON.stringify({ items }), { qos: 1 }, (error) => {
      if (error || !this.#unacknowledged.delete(number)) return;
      this.acknowledged.push(...readings);
      if (client === this.#client) this.#publishNext(client);
    });
  }
}

it(`keeps what it acknowledged through ${KILLS} kills, once, and its rollups agree with it`, async () => {
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
  const rows = await readAll();
  const found = new Map(rows.map(({ mac, at, value }) => [`${mac} ${at.getTime()}`, value]));
  expect(found.size).toBe(rows.length);
  const lost = publisher.acknowledged.filter(({ mac, at, levelMm }) => found.get(`${mac} ${at}`) !== levelMm);
  expect(lost).toEqual([]);
  for (const tank of tanks) {
    const own = rows.filter(({ mac }) => mac === tank.mac);
    expect(await rollupsOf('reading_hour', tank)).toEqual(recomputed(own, hourStart));
    expect(await rollupsOf('reading_day', tank)).toEqual(recomputed(own, dayStart));
    expect(await latestOf(tank)).toEqual({ at: own.at(-1)?.at, value: own.at(-1)?.value });
  }
  const letters = await database.db.selectFrom('dead_letter').select('reason').execute();
  expect(letters).toEqual([]);
});

interface StoredReading {
  mac: string | null;
  at: Date;
  value: number | null;
}

function readAll(): Promise<StoredReading[]> {
  return database.db
    .selectFrom('reading as r')
    .innerJoin('series as s', 's.id', 'r.series_id')
    .innerJoin('device as d', 'd.id', 's.device_id')
    .select(['d.mac', 'r.at', 'r.value'])
    .orderBy('d.id')
    .orderBy('r.at')
    .execute();
}

function rollupsOf(table: 'reading_hour' | 'reading_day', tank: DeviceRow) {
  return database.db
    .selectFrom(table)
    .innerJoin('series as s', 's.id', `${table}.series_id`)
    .where('s.device_id', '=', tank.id)
    .select(['at', 'n', 'min', 'max', 'sum', 'falls', 'rises'])
    .select(['first_at', 'first_value', 'last_at', 'last_value'])
    .orderBy('at')
    .execute();
}

function latestOf(tank: DeviceRow) {
  return database.db
    .selectFrom('latest as l')
    .innerJoin('series as s', 's.id', 'l.series_id')
    .where('s.device_id', '=', tank.id)
    .select(['l.at', 'l.value'])
    .executeTakeFirst();
}

/** The rollups once more, in the plainest way, from all readings of a tank in the order of their times. */
function recomputed(readings: readonly StoredReading[], startOf: typeof hourStart) {
  const buckets = new Map<number, { at: Date; value: number; before: number | undefined }[]>();
  let before: number | undefined;
  for (const { at, value } of readings) {
    if (value === null) continue;
    const start = startOf(zone, at.getTime());
    buckets.set(start, [...(buckets.get(start) ?? []), { at, value, before }]);
    before = value;
  }
  return [...buckets].map(([start, points]) => {
    const values = points.map(({ value }) => value);
    const steps = points.map(({ value, before }) => value - (before ?? value));
    const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
    return {
      at: new Date(start),
      n: points.length,
      min: Math.min(...values),
      max: Math.max(...values),
      sum: sum(values),
      falls: sum(steps.map((step) => Math.max(0, -step))),
      rises: sum(steps.map((step) => Math.max(0, step))),
      first_at: points[0]?.at,
      first_value: points[0]?.value,
      last_at: points.at(-1)?.at,
      last_value: points.at(-1)?.value,
    };
  });
}

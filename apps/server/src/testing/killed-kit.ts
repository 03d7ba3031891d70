import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type MqttClient } from 'mqtt';
import { expect } from 'vitest';
import { dayStart, hourStart } from '@headrace/contract/rules/farm-time';
import { gatewayTopic } from '@headrace/device/topics';
import type { Db } from '../db/client.ts';
import type { DeviceRow } from '../db/schema.ts';

/** What tests of killed servers share: a gateway that keeps what was not acknowledged, and what must be stored in the end. */
const IN_FLIGHT = 30;
/**
 * Last year, some days before New Zealand's clocks change: so long ago that a quick machine, which gets through a month in
 * a second, doesn't come to times that lie in the future, and within the two years that readings are kept.
 */
const FIRST_AT = Date.UTC(new Date().getUTCFullYear() - 1, 8, 23);
const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };

interface SentReading {
  mac: string;
  /** Epoch ms. */
  at: number;
  levelMm: number | null;
}

/** Five minutes apart, each ten shuffled among themselves, so that many arrive late. */
function readingsOf(number: number, tanks: readonly DeviceRow[]): SentReading[] {
  const turn = Math.floor(number / 10) * 10 + ((number * 7) % 10);
  const at = FIRST_AT + turn * 300_000;
  return tanks.map((tank, index) => ({
    mac: tank.mac ?? '',
    at,
    levelMm: (turn + index) % 9 === 0 ? null : 1000 + ((turn * 37 + index) % 400),
  }));
}

/** Like a gateway that keeps what was not acknowledged, and sends it first when it is connected again. */
export class Publisher {
  readonly acknowledged: SentReading[] = [];
  readonly #unacknowledged = new Set<number>();
  #next = 0;
  #client: MqttClient | undefined;

  constructor(
    readonly gateway: DeviceRow,
    readonly tanks: readonly DeviceRow[],
    /** Rest after each acknowledgement, ms: an outside broker acknowledges at once, and times must not pass the present. */
    readonly restMs = 0,
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

  #goOn(client: MqttClient): void {
    if (client === this.#client) this.#publishNext(client);
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
      if (this.restMs === 0) this.#goOn(client);
      else setTimeout(() => this.#goOn(client), this.restMs);
    });
  }
}

interface StoredReading {
  mac: string | null;
  at: Date;
  value: number | null;
}

function readAll(db: Db): Promise<StoredReading[]> {
  return db
    .selectFrom('reading as r')
    .innerJoin('series as s', 's.id', 'r.series_id')
    .innerJoin('device as d', 'd.id', 's.device_id')
    .select(['d.mac', 'r.at', 'r.value'])
    .orderBy('d.id')
    .orderBy('r.at')
    .execute();
}

function rollupsOf(db: Db, table: 'reading_hour' | 'reading_day', tank: DeviceRow) {
  return db
    .selectFrom(table)
    .innerJoin('series as s', 's.id', `${table}.series_id`)
    .where('s.device_id', '=', tank.id)
    .select(['at', 'n', 'min', 'max', 'sum', 'falls', 'rises'])
    .select(['first_at', 'first_value', 'last_at', 'last_value'])
    .orderBy('at')
    .execute();
}

function latestOf(db: Db, tank: DeviceRow) {
  return db
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

/** Resolves when three seconds brought no reading: what an outside broker still had comes in by and by. */
export async function untilQuiet(db: Db): Promise<void> {
  const count = async () =>
    (
      await db
        .selectFrom('reading')
        .select((eb) => eb.fn.countAll<string>().as('n'))
        .executeTakeFirst()
    )?.n;
  for (const end = performance.now() + 120_000; performance.now() < end; ) {
    const before = await count();
    await sleep(3000);
    if ((await count()) === before) return;
  }
  throw new Error('Readings still come in after two minutes');
}

/** Every acknowledged reading is there, once, and what is derived from them agrees; nothing was set aside. */
export async function expectAllStored(db: Db, publishers: readonly Publisher[]): Promise<void> {
  const rows = await readAll(db);
  const found = new Map(rows.map(({ mac, at, value }) => [`${mac} ${at.getTime()}`, value]));
  expect(found.size).toBe(rows.length);
  const lost = publishers
    .flatMap(({ acknowledged }) => acknowledged)
    .filter(({ mac, at, levelMm }) => found.get(`${mac} ${at}`) !== levelMm);
  expect(lost).toEqual([]);
  for (const tank of publishers.flatMap(({ tanks }) => tanks)) {
    const own = rows.filter(({ mac }) => mac === tank.mac);
    expect(await rollupsOf(db, 'reading_hour', tank)).toEqual(recomputed(own, hourStart));
    expect(await rollupsOf(db, 'reading_day', tank)).toEqual(recomputed(own, dayStart));
    expect(await latestOf(db, tank)).toEqual({ at: own.at(-1)?.at, value: own.at(-1)?.value });
  }
  expect(await db.selectFrom('dead_letter').select('reason').execute()).toEqual([]);
}

import { createHash } from 'node:crypto';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { percentile, perSecond } from './numbers.ts';
import { record } from './report.ts';
import type { Stand } from './stand.ts';
import type { UplinkOrder } from './uplink-publisher.ts';
import { type BenchGateway, buildWorld } from './world.ts';

const SENSORS = 200;
const KEY = 'bench-integration-key';
const USER = 'bench-network';
const MINUTE = 60_000;
const PACED = { perSecond: 100, rounds: 10 };
const FLOOD_ROUNDS = 40;
const READINGS_OF_AN_UPLINK = 5;

/** LoRaWAN uplinks that a codec decodes: how long a network server waits for its PUBACK, and how many a second become readings. */
export async function benchUplinks(stand: Stand): Promise<void> {
  const [farm] = await buildWorld(stand.sql, {
    farms: 1,
    sensors: SENSORS,
    from: 12_000_000,
    ownerEmail: 'uplinks@bench.test',
    passwordHash: 'none',
  });
  if (!farm) throw new Error('no farm was made');
  const order = await prepare(stand, farm);
  const from = Date.now() - (PACED.rounds + FLOOD_ROUNDS + 10) * MINUTE;
  await publish({ ...order, from, rounds: 2, perSecond: null });
  await untilDecoded(stand, farm, 2);

  const paced = await publish({ ...order, ...PACED, from: from + 2 * MINUTE });
  await untilDecoded(stand, farm, 2 + PACED.rounds);
  record({
    what: `uplink to PUBACK at ${PACED.perSecond}/s`,
    value: `p50 ${percentile(paced.latencies, 0.5).toFixed(1)} ms, p99 ${percentile(paced.latencies, 0.99).toFixed(1)} ms`,
  });

  const count = SENSORS * FLOOD_ROUNDS;
  const start = performance.now();
  const flood = await publish({
    ...order,
    from: from + (2 + PACED.rounds) * MINUTE,
    rounds: FLOOD_ROUNDS,
    perSecond: null,
  });
  await untilDecoded(stand, farm, 2 + PACED.rounds + FLOOD_ROUNDS);
  record({
    what: 'uplinks acknowledged, 200 in flight',
    value: `${perSecond(count, flood.ms)}/s, p50 ${percentile(flood.latencies, 0.5).toFixed(0)} ms, p99 ${percentile(flood.latencies, 0.99).toFixed(0)} ms`,
  });
  record({
    what: 'uplinks that became readings, by one built-in codec',
    value: `${perSecond(count, performance.now() - start)}/s`,
  });
}

/** An integration key, and a codec for every sensor of the farm. */
async function prepare({ sql, mqttPort }: Stand, { farmId, sensorMacs }: BenchGateway) {
  await sql.query(
    `insert into integration_key (farm_id, uid, user_name, name, key_hash) values ($1, $2, $3, 'Bench', $4)`,
    [farmId, '0'.repeat(16) + 'be7c4a11', USER, createHash('sha256').update(KEY).digest()],
  );
  await sql.query(
    `update device set builtin_codec = 'decentlab-dl-ctd10' where farm_id = $1 and kind = 'sensor'`,
    [farmId],
  );
  return { port: mqttPort, userName: USER, key: KEY, devEuis: sensorMacs };
}

async function publish(order: UplinkOrder): Promise<{ ms: number; latencies: number[] }> {
  const child = fork(fileURLToPath(new URL('./uplink-publisher.js', import.meta.url)), {
    serialization: 'advanced',
  });
  child.send(order);
  const [result] = (await once(child, 'message')) as [{ ms: number; latencies: number[] }];
  return result;
}

async function untilDecoded({ sql }: Stand, { farmId }: BenchGateway, rounds: number): Promise<void> {
  const wanted = rounds * SENSORS * READINGS_OF_AN_UPLINK;
  for (;;) {
    const { rows } = await sql.query<{ n: number }>(
      'select count(*)::int as n from reading where farm_id = $1',
      [farmId],
    );
    if ((rows[0]?.n ?? 0) >= wanted) return;
    await sleep(50);
  }
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { connectDatabase } from '@headrace/server/dist/db/client.js';
import { ensurePartitions } from '@headrace/server/dist/db/partitions.js';
import { writeReadings } from '@headrace/server/dist/features/readings/reading-writer.js';
import { perSecond, timed } from './numbers.ts';
import { record } from './report.ts';
import { metricsOf, type Stand } from './stand.ts';
import { type BenchGateway, buildWorld } from './world.ts';

const GATEWAYS = 40;
const SENSORS = 50;
const ROUNDS = 40;
const MINUTE = 60_000;
const GATE = 15_000;

/** Readings per second from a gateway's publish to its PUBACK, against the same statements without MQTT and a bare insert. */
export async function benchIngest(stand: Stand): Promise<void> {
  const gateways = await buildWorld(stand.sql, {
    farms: GATEWAYS,
    sensors: SENSORS,
    from: 1_000_000,
    ownerEmail: 'ingest@bench.test',
    passwordHash: 'none',
  });
  const start = Date.now() - 2 * ROUNDS * MINUTE - 3_600_000;
  await publish(stand, gateways, start, 2);
  const rate = await publish(stand, gateways, start + 2 * MINUTE, ROUNDS);
  const size = await meanBatch(stand);
  const statements = await sameStatements(stand, gateways, start + (ROUNDS + 2) * MINUTE, size);
  const bare = await bareInsert(stand);
  record({
    what: 'MQTT publish to PUBACK, gateway messages of 50 readings',
    value: `${rate} readings/s`,
    gate: { text: `${GATE}/s`, met: rate >= GATE },
  });
  record({
    what: `the same statements without MQTT, in batches as ingest made them (${size})`,
    value: `${statements} readings/s`,
    ratio: (rate / statements).toFixed(2),
  });
  record({
    what: 'bare unnest of 1,000 rows into one table',
    value: `${bare} rows/s`,
    ratio: (rate / bare).toFixed(2),
  });
}

/** Readings in a commit of the ingest so far. */
async function meanBatch(stand: Stand): Promise<number> {
  const metrics = await metricsOf(stand.url);
  const value = (what: string) =>
    Number(new RegExp(`headrace_ingest\\{what="${what}"\\} (\\d+)`).exec(metrics)?.[1]);
  return Math.round(value('readings') / value('commits'));
}

async function publish(
  stand: Stand,
  gateways: BenchGateway[],
  from: number,
  rounds: number,
): Promise<number> {
  const ms = await publishAll({ port: stand.mqttPort, gateways, from, rounds });
  return perSecond(gateways.length * SENSORS * rounds, ms);
}

/** From a process of its own, as devices are; ms until the last acknowledgement. */
export async function publishAll(order: {
  port: number;
  gateways: BenchGateway[];
  from: number;
  rounds: number;
}): Promise<number> {
  const child = fork(fileURLToPath(new URL('./ingest-publisher.js', import.meta.url)), {
    serialization: 'advanced',
  });
  child.send(order);
  const [{ ms }] = (await once(child, 'message')) as [{ ms: number }];
  return ms;
}

async function sameStatements(
  stand: Stand,
  gateways: BenchGateway[],
  from: number,
  size: number,
): Promise<number> {
  const { pool, close } = connectDatabase(stand.databaseUrl);
  const { rows } = await pool.query<{ farm_id: number; id: number }>(
    'select farm_id, id from series where farm_id = any($1) order by farm_id, id',
    [gateways.map((gateway) => gateway.farmId)],
  );
  const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
  const readings = Array.from({ length: ROUNDS }, (_, round) =>
    rows.map((series) => ({
      series: { farmId: series.farm_id, id: series.id, isCounter: false, zone },
      at: from + round * MINUTE,
      value: 1200 + Math.round(Math.random() * 100),
    })),
  ).flat();
  const batches: Parameters<typeof writeReadings>[1][] = [];
  for (let first = 0; first < readings.length; first += size)
    batches.push(readings.slice(first, first + size));
  await ensurePartitions(pool, [from]);
  const client = await pool.connect();
  const ms = await timed(async () => {
    for (const batch of batches) {
      await client.query('begin');
      await writeReadings(client, batch);
      await client.query('commit');
    }
  });
  client.release();
  await close();
  return perSecond(rows.length * ROUNDS, ms);
}

async function bareInsert(stand: Stand): Promise<number> {
  const client = new pg.Client({ connectionString: stand.databaseUrl });
  await client.connect();
  await client.query(
    'create table bench_bare (series_id int, at timestamptz, value float8, primary key (series_id, at))',
  );
  const ids = Array.from({ length: 1000 }, (_, index) => index);
  const batches = 80;
  const ms = await timed(async () => {
    for (let batch = 0; batch < batches; batch += 1) {
      await client.query({
        name: 'bare',
        text: 'insert into bench_bare select * from unnest($1::int[], $2::timestamptz[], $3::float8[]) on conflict do nothing',
        values: [ids, ids.map(() => new Date(batch * MINUTE)), ids.map(() => Math.random())],
      });
    }
  });
  await client.query('drop table bench_bare');
  await client.end();
  return perSecond(batches * 1000, ms);
}

import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { measureCalls, signIn } from './calls.ts';
import { median, percentile, timed } from './numbers.ts';
import { record } from './report.ts';
import type { Stand } from './stand.ts';
import { type BenchGateway, buildWorld } from './world.ts';

const DAY = 86_400_000;
const READINGS = 5_000_000;
export const SENSORS = 140;
const DAYS = 365;
const CALLS = 400;
const GATE_MS = 25;
/** Of the median, against its rows by the bare driver and a call that reads nothing. */
const TARGET_RATIO = 3;

/** The tank summary and 1-, 30- and 365-day charts over HTTP on five million readings, against their rows by the bare driver and an empty call. */
export async function benchCharts(stand: Stand): Promise<void> {
  const password = 'bench-password';
  const [farm] = await buildWorld(stand.sql, {
    farms: 1,
    sensors: SENSORS,
    from: 9_000_000,
    ownerEmail: 'charts@bench.test',
    passwordHash: await hashPassword(password),
  });
  if (!farm) throw new Error('no farm');
  await fillYear(stand, farm);
  const token = await signIn(stand, 'charts@bench.test', password);
  const uids = farm.sensorUids;
  const summary = await measureCalls(stand, token, () => `/lvl/suminfo?farmUID=${farm.farmUid}`, 60);
  record({ what: `tank summary of ${SENSORS} tanks`, value: text(summary) });
  // What every call costs: connection, session, rights, schemas, reply.
  const empty = await measureCalls(stand, token, () => `/farm-timezone?farmUID=${farm.farmUid}`, CALLS);
  record({ what: 'a call that asks nothing of the database but its session', value: text(empty) });
  for (const days of [1, 30, 365]) {
    const times = await measureCalls(
      stand,
      token,
      (call) => `/lvl/history?sensorUid=${uids[call % uids.length]}&days=${days}`,
      CALLS,
    );
    const bare = await measureBare(stand, farm, days);
    const least = median(bare) + median(empty);
    record({
      what: `${days}-day level chart`,
      value: text(times),
      ratio: (median(times) / median(bare)).toFixed(2),
      gate: { text: `p99 under ${GATE_MS} ms`, met: percentile(times, 0.99) < GATE_MS },
    });
    record({
      what: `${days}-day chart against its rows and a call that reads nothing`,
      value: `p50 ${median(times).toFixed(1)} of ${least.toFixed(1)} ms`,
      ratio: (median(times) / least).toFixed(2),
      target: { text: `at most ${TARGET_RATIO}`, met: median(times) <= TARGET_RATIO * least },
    });
    record({ what: `${days}-day rows by the bare driver`, value: text(bare) });
  }
}

const text = (times: number[]) =>
  `p50 ${median(times).toFixed(1)} p99 ${percentile(times, 0.99).toFixed(1)} ms`;

async function measureBare(stand: Stand, farm: BenchGateway, days: number): Promise<number[]> {
  const { rows } = await stand.sql.query<{ id: number }>(
    "select id from series where farm_id = $1 and metric = 'levelMm'",
    [farm.farmId],
  );
  const table = days > 60 ? 'reading_day' : 'reading_hour';
  const times: number[] = [];
  for (let call = 0; call < 200; call += 1) {
    const id = rows[call % rows.length]?.id;
    times.push(
      await timed(() =>
        stand.sql.query({
          name: `bare-${table}`,
          text: `select at, n, sum from ${table} where farm_id = $1 and series_id = $2 and at >= $3 order by at`,
          values: [farm.farmId, id, new Date(Date.now() - days * DAY)],
        }),
      ),
    );
  }
  return times.slice(20);
}

/** A year of readings and their rollups, made in the database: what ingest would have stored, without waiting for it. */
export async function fillYear(
  stand: Pick<Stand, 'sql'>,
  farm: BenchGateway,
  { readings, sensors } = { readings: READINGS, sensors: SENSORS },
): Promise<void> {
  const { sql } = stand;
  const perSensor = Math.floor(readings / sensors);
  const step = Math.floor((DAYS * DAY) / perSensor / 1000);
  const start = new Date(Date.now() - DAYS * DAY);
  await sql.query(
    `insert into series (farm_id, device_id, metric) select farm_id, id, 'levelMm' from device where farm_id = $1 and kind = 'sensor'`,
    [farm.farmId],
  );
  for (let month = 0; month <= 13; month += 1)
    await openMonth(stand, new Date(start.getFullYear(), start.getMonth() + month, 15));
  await sql.query(
    `insert into reading select s.farm_id, s.id, $2::timestamptz + n * make_interval(secs => $3),
       1200 + 800 * sin(n / 40.0 + s.id) from series s, generate_series(0, $4 - 1) n where s.farm_id = $1`,
    [farm.farmId, start, step, perSensor],
  );
  for (const [table, unit] of [
    ['reading_hour', 'hour'],
    ['reading_day', 'day'],
  ]) {
    await sql.query(
      `insert into ${table} select farm_id, series_id, date_trunc($2, at, 'Pacific/Auckland'), count(*), min(value), max(value), sum(value),
         10, 10, min(at), min(value), max(at), max(value) from reading where farm_id = $1 group by 1, 2, 3`,
      [farm.farmId, unit],
    );
  }
  await sql.query(
    `insert into latest select farm_id, series_id, max(at), 1500, max(at), 1500 from reading where farm_id = $1 group by 1, 2`,
    [farm.farmId],
  );
  await sql.query('vacuum analyze');
}

async function openMonth(stand: Pick<Stand, 'sql'>, day: Date): Promise<void> {
  const from = new Date(Date.UTC(day.getFullYear(), day.getMonth(), 1)).toISOString().slice(0, 10);
  const to = new Date(Date.UTC(day.getFullYear(), day.getMonth() + 1, 1)).toISOString().slice(0, 10);
  const name = `reading_${from.slice(0, 7).replace('-', '_')}`;
  await stand.sql.query(
    `create table if not exists ${name} partition of reading for values from ('${from} 00:00+00') to ('${to} 00:00+00')`,
  );
}

/** The longest time the event loop stands still while a report reads the whole table, ms. */
export async function benchStall(stand: Stand): Promise<void> {
  const report = stand.sql.query(
    'select series_id, date_part($1, at) as hour, avg(value), count(*) from reading group by 1, 2',
    ['hour'],
  );
  const state = { done: false };
  const finished = report.finally(() => (state.done = true));
  const gaps: number[] = [];
  while (!state.done) gaps.push(await timed(() => fetch(`${stand.url}/healthz`)));
  await finished;
  record({ what: 'answer of /healthz during a report over the whole history', value: text(gaps) });
}

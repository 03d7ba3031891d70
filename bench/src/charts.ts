import { connectDatabase } from '@headrace/server/dist/db/client.js';
import { countLevelDays } from '@headrace/server/dist/features/tanks/count-level-days.js';
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
const CALLS = 360;
/** Of each chart of something else than a level. */
const FEW_CALLS = 100;
/**
 * Calls of the summary and of each chart before those that count: PostgreSQL plans a statement anew the first five times on each connection, and each of a
 * chart's statements takes what connection is free.
 */
const WARM_UP = 40;
const GATE_MS = 25;
/** Of the summary's p99. */
const SUMMARY_MS = 50;
/** Sensors that have more than a level. */
const FEW = 20;
/** Of the median, against its rows by the bare driver and a call that reads nothing. */
const TARGET_RATIO = 3;

/** The tank summary and the charts of a day, a month and a year over HTTP on five million readings, against their rows by the bare driver and an empty call. */
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
  await countDays(stand);
  const token = await signIn(stand, 'charts@bench.test', password);
  const uids = farm.sensorUids;
  const summary = () => measureWarm(stand, token, () => `/lvl/suminfo?farmUID=${farm.farmUid}`);
  const first = await summary();
  record({ what: `tank summary of ${SENSORS} tanks, just after the start`, value: text(first) });
  // By then the heap has grown to what the server needs: before that it is collected as a whole each few hundred milliseconds.
  const later = await summary();
  record({
    what: `tank summary of ${SENSORS} tanks`,
    value: text(later),
    target: { text: `p99 at most ${SUMMARY_MS} ms`, met: percentile(later, 0.99) <= SUMMARY_MS },
  });
  // What every call costs: connection, session, rights, schemas, reply.
  const empty = await measureCalls(stand, token, () => `/farm-timezone?farmUID=${farm.farmUid}`, CALLS);
  record({ what: 'a call that asks nothing of the database but its session', value: text(empty) });
  const { rows: serials } = await stand.sql.query<{ serial: string }>(
    `select serial_number as serial from device where farm_id = $1 and kind = 'sensor' order by id limit ${FEW}`,
    [farm.farmId],
  );
  const few = uids.slice(0, FEW);
  const from = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
  const to = from(0);
  const level =
    (days: number): Path =>
    (call) =>
      `/lvl/history?sensorUid=${of(uids, call)}&days=${days}`;
  for (const days of [1, 30, 365])
    await measureChart(
      stand,
      token,
      farm,
      { what: `${days}-day level chart`, path: level(days), days },
      empty,
    );
  await fillOthers(stand, farm);
  const others: [what: string, path: (days: number) => Path, metric?: string][] = [
    ['use of water', (days) => (call) => `/lvl/waterflow?sensorId=${of(few, call)}&days=${days}`],
    [
      'anything it says',
      (days) => (call) =>
        `/series?deviceId=${of(few, call)}&metric=levelMm&startDate=${from(days)}&endDate=${to}`,
    ],
    ['battery', (days) => (call) => `/tank/battery?sensorUid=${of(few, call)}&days=${days}`, 'batteryV'],
    [
      'flow',
      (days) => (call) => `/flow/history?serial=${of(serials, call).serial}&days=${days}`,
      'volumeTotalL',
    ],
  ];
  for (const [what, path, metric] of others)
    for (const days of [1, 30, 365])
      await measureChart(
        stand,
        token,
        farm,
        { what: `${days}-day chart of ${what}`, path: path(days), days, metric, calls: FEW_CALLS },
        empty,
      );
}

type Path = (call: number) => string;

const measureWarm = async (stand: Stand, token: string, path: Path, calls = CALLS): Promise<number[]> =>
  (await measureCalls(stand, token, path, WARM_UP + calls)).slice(WARM_UP);

const of = <T>(list: readonly T[], call: number): T => list[call % list.length] as T;

interface Chart {
  readonly what: string;
  readonly path: Path;
  readonly days: number;
  /** What it draws, where that isn't the level. */
  readonly metric?: string | undefined;
  readonly calls?: number;
}

/** Against its rows by the bare driver, and against these and a call that reads nothing. */
async function measureChart(
  stand: Stand,
  token: string,
  farm: BenchGateway,
  { what, path, days, metric = 'levelMm', calls = CALLS }: Chart,
  empty: readonly number[],
): Promise<void> {
  const times = await measureWarm(stand, token, path, calls);
  const bare = await measureBare(stand, farm, days, metric);
  const least = median(bare) + median(empty);
  record({
    what,
    value: text(times),
    ratio: (median(times) / median(bare)).toFixed(2),
    gate: { text: `p99 under ${GATE_MS} ms`, met: percentile(times, 0.99) < GATE_MS },
  });
  record({
    what: '  against its rows and a call that reads nothing',
    value: `p50 ${median(times).toFixed(1)} of ${least.toFixed(1)} ms`,
    ratio: (median(times) / least).toFixed(2),
    target: { text: `at most ${TARGET_RATIO}`, met: median(times) <= TARGET_RATIO * least },
  });
  record({ what: '  its rows by the bare driver', value: text(bare) });
}

const text = (times: readonly number[]) =>
  `p50 ${median(times).toFixed(1)} p99 ${percentile(times, 0.99).toFixed(1)} ms`;

async function measureBare(
  stand: Stand,
  farm: BenchGateway,
  days: number,
  metric: string,
): Promise<number[]> {
  const { rows } = await stand.sql.query<{ id: number }>(
    'select id from series where farm_id = $1 and metric = $2',
    [farm.farmId, metric],
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
  for (const [table, unit] of rollups)
    await sql.query(`insert into ${table} ${rollUp('farm_id = $1')}`, [farm.farmId, unit]);
  await sql.query(
    `insert into latest select farm_id, series_id, max(at), 1500, max(at), 1500 from reading where farm_id = $1 group by 1, 2`,
    [farm.farmId],
  );
  await sql.query('vacuum analyze');
}

/** As the nights of that year would have left it: what tanks used is counted for each day that is over. */
async function countDays({ databaseUrl }: Stand): Promise<void> {
  const database = connectDatabase(databaseUrl);
  await countLevelDays(database.db, new Date(), Infinity);
  await database.close();
}

/** A battery and a meter's counter of the first sensors, told with each level: with their hours and days. */
async function fillOthers({ sql }: Stand, { farmId }: BenchGateway): Promise<void> {
  for (const [metric, value] of [
    ['batteryV', '3.5 + value / 5000'],
    ['volumeTotalL', 'row_number() over (partition by series_id order by at) * 10'],
  ]) {
    await sql.query(
      `insert into series (farm_id, device_id, metric)
        select farm_id, id, $2 from device where farm_id = $1 and kind = 'sensor' order by id limit ${FEW}`,
      [farmId, metric],
    );
    const copy = `from level l join series s on s.device_id = l.device_id and s.farm_id = $1 and s.metric = $2`;
    const level = `with level as (select s.device_id, r.series_id, r.at, ${value} as value from reading r join series s
        on s.farm_id = r.farm_id and s.id = r.series_id and s.metric = 'levelMm'
        where r.farm_id = $1 and s.device_id in (select device_id from series where farm_id = $1 and metric = $2))`;
    await sql.query(`insert into reading ${level} select $1, s.id, l.at, l.value ${copy}`, [farmId, metric]);
    for (const [table, unit] of rollups)
      await sql.query(
        `insert into ${table} ${rollUp(
          'farm_id = $1 and series_id in (select id from series where farm_id = $1 and metric = $3)',
        )}`,
        [farmId, unit, metric],
      );
    await sql.query(
      `insert into latest select farm_id, series_id, max(at), max(value), max(at), max(value) from reading
        where farm_id = $1 and series_id in (select id from series where farm_id = $1 and metric = $2) group by 1, 2`,
      [farmId, metric],
    );
  }
  await sql.query('vacuum analyze');
}

const rollups = [
  ['reading_hour', 'hour'],
  ['reading_day', 'day'],
] as const;
/** Rows of hours or days of the readings that are so; `$2`: which. */
const rollUp = (
  which: string,
) => `select farm_id, series_id, date_trunc($2, at, 'Pacific/Auckland'), count(*), min(value), max(value), sum(value),
         10, 10, min(at), min(value), max(at), max(value) from reading where ${which} group by 1, 2, 3`;

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

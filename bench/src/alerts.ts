import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import { ensurePartitions } from '@headrace/server/dist/db/partitions.js';
import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { callsText, measureCalls, signIn } from './calls.ts';
import { publishAll } from './ingest.ts';
import { median, percentile, perSecond, timed } from './numbers.ts';
import { record } from './report.ts';
import { addSprinklers } from './sprinkler-farm.ts';
import { metricsOf, type Stand } from './stand.ts';
import { type BenchGateway, buildWorld, KEY } from './world.ts';

const MINUTE = 60_000;
const GATEWAYS = 40;
const SENSORS = 50;
const ROUNDS = 8;
const PAIRS = 3;
const NOTICES = 30;
const CALM_FARMS = 20;
const CALM_UNITS = 5000;
/** Levels, silence and valves are looked at each minute, and the newest words of all valves each ten minutes. */
const CALM_MS = MINUTE;
const NEWEST_MS = 10 * MINUTE;
/** The other two of a new farm's alerts. */
const SELDOM_MS = 30 * MINUTE;
/** Rules are read anew after half a minute. */
const RULES_READ_MS = 35_000;
const TICK_MS = 10;
const password = 'bench-password';

/** What alerts cost others, and how soon they tell. */
export async function benchAlerts(stand: Stand): Promise<void> {
  const passwordHash = await hashPassword(password);
  const farms = await buildWorld(stand.sql, {
    farms: GATEWAYS,
    sensors: SENSORS,
    from: 85_000_000,
    ownerEmail: 'alerts@bench.test',
    passwordHash,
  });
  await benchShare(stand, farms);
  await benchNotice(stand, farms.slice(0, NOTICES));
  const [farm] = farms;
  if (!farm) throw new Error('no farm');
  const token = await signIn(stand, 'alerts@bench.test', password);
  await benchPages(stand, farm, token);
  await benchCalm(stand, passwordHash);
}

const kinds = [
  ['TankLow', 'below', 25],
  ['TankHigh', 'above', 98],
  ['TankLeak', 'any', null],
  ['OutOfContact', 'longer than', null],
  ['LowBattery', 'below', null],
] as const;

async function watchAll(stand: Stand, farmIds: readonly number[], times = 1): Promise<void> {
  for (const [kind, condition, value] of kinds)
    await stand.sql.query(
      `insert into alert_rule (farm_id, uid, name, kind, enabled, condition, value, hold_min, on_since, created_at, updated_at)
        select f, substr(md5(f || $1::text || n || random()), 1, 24), $1::text, $1::text, true, $2::text, $3::float8, 15, now(), now(), now()
        from unnest($4::int[]) f, generate_series(1, $5::int) n`,
      [kind, condition, value, farmIds, times],
    );
}

const watchNothing = (stand: Stand) => stand.sql.query('delete from alert_rule');

/** The same readings with every tank watched by five alerts and by none, in turns. */
async function benchShare(stand: Stand, gateways: BenchGateway[]): Promise<void> {
  const port = stand.mqttPort;
  // The last of them is said now: a tank that is silent is told as such.
  let from = Date.now() - (2 * PAIRS + 2) * ROUNDS * MINUTE;
  const rate = async () => {
    from += ROUNDS * MINUTE;
    const ms = await publishAll({ port, gateways, from, rounds: ROUNDS });
    return perSecond(gateways.length * SENSORS * ROUNDS, ms);
  };
  await rate();
  const shares: number[] = [];
  const rates: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    await watchNothing(stand);
    const without = await rate();
    await watchAll(
      stand,
      gateways.map(({ farmId }) => farmId),
    );
    const watched = await rate();
    shares.push(watched / without);
    rates.push(watched);
  }
  const share = median(shares);
  record({
    what: `ingest with five alerts on each of ${GATEWAYS} farms, by the same without`,
    value: `${median(rates)} readings/s`,
    ratio: share.toFixed(2),
    target: { text: '0.97', met: share >= 0.97 },
  });
}

/** From the acknowledgement of a reading to what is told of it, which is stored with its message. */
async function benchNotice(stand: Stand, gateways: BenchGateway[]): Promise<void> {
  await watchNothing(stand);
  await watchAll(
    stand,
    gateways.map(({ farmId }) => farmId),
  );
  await stand.sql.query('update alert_rule set hold_min = 0');
  await sleep(RULES_READ_MS);
  const times: number[] = [];
  for (const { farmId, mac, sensorMacs } of gateways) {
    const client = await connectAsync(`mqtt://127.0.0.1:${stand.mqttPort}`, { username: mac, password: KEY });
    const items = [{ mac: sensorMacs[0], at: new Date().toISOString(), values: { levelMm: 10 } }];
    await client.publishAsync(`headrace/v1/${mac}/up/sensor`, JSON.stringify({ items }), { qos: 1 });
    times.push(await timed(() => untilNotified(stand, farmId)));
    await client.endAsync();
  }
  const p99 = percentile(times, 0.99);
  record({
    what: 'a reading that was acknowledged to its notice',
    value: callsText(times),
    target: { text: '2 s', met: p99 <= 2000 },
  });
}

async function untilNotified(stand: Stand, farmId: number): Promise<void> {
  for (const end = performance.now() + MINUTE; performance.now() < end; await sleep(5)) {
    const { rows } = await stand.sql.query(
      `select 1 from alert_incident where farm_id = $1 and kind = 'TankLow' limit 1`,
      [farmId],
    );
    if (rows.length > 0) return;
  }
  throw new Error('nothing was told within a minute');
}

/** The list of a farm that has as many alerts as it can, and an alert tried out on a month of a tank. */
async function benchPages(stand: Stand, farm: BenchGateway, token: string): Promise<void> {
  await watchNothing(stand);
  await watchAll(stand, [farm.farmId], 100);
  const listed = await measureCalls(stand, token, () => `/alerts?farmUID=${farm.farmUid}`, 120);
  record({
    what: 'the list of 500 alerts',
    value: callsText(listed),
    target: { text: 'p95 100 ms', met: percentile(listed, 0.95) <= 100 },
  });
  const days = [1, 20].map((ago) => Date.now() - ago * 24 * 60 * MINUTE);
  await ensurePartitions(stand.sql, days);
  await stand.sql.query(
    `insert into reading (farm_id, series_id, at, value)
      select s.farm_id, s.id, t, 1000 + 900 * abs(sin(extract(epoch from t) / 50000))
      from series s join device d on d.farm_id = s.farm_id and d.id = s.device_id,
        generate_series(now() - interval '20 days', now() - interval '1 day', interval '15 min') t
      where s.farm_id = $1 and d.uid = $2 and s.metric = 'levelMm' on conflict do nothing`,
    [farm.farmId, farm.sensorUids[0]],
  );
  const body = JSON.stringify({
    farmUID: farm.farmUid,
    name: 'Tried',
    enabled: true,
    kind: 'TankLow',
    deviceIds: [farm.sensorUids[0]],
    condition: 'below',
    value: 70,
    holdMinutes: 15,
  });
  const headers = { authorization: token, 'content-type': 'application/json' };
  const times: number[] = [];
  for (let call = 0; call < 60; call += 1)
    times.push(
      await timed(async () => {
        const reply = await fetch(`${stand.url}/v1/alert/trial`, { method: 'POST', headers, body });
        if (!reply.ok) throw new Error(`trial: ${reply.status} ${await reply.text()}`);
        await reply.arrayBuffer();
      }),
    );
  record({
    what: 'an alert tried out on a tank that said each quarter of an hour',
    value: callsText(times),
    target: { text: 'p95 300 ms', met: percentile(times, 0.95) <= 300 },
  });
}

/**
 * Farms whose devices say nothing that is new, watched by the five alerts of a new farm and by none: the processors of server and
 * database. In the time in which rules are read each new one is looked at once. First those that are looked at each minute: what their
 * first look takes more than that of a minute is the newest words of the valves.
 */
async function benchCalm(stand: Stand, passwordHash: string): Promise<void> {
  const farms = await buildWorld(stand.sql, {
    farms: CALM_FARMS,
    sensors: 1,
    from: 95_000_000,
    ownerEmail: 'calm@bench.test',
    passwordHash,
  });
  for (const farm of farms) await addSprinklers(stand.sql, farm, CALM_UNITS);
  await watchNothing(stand);
  await stand.sql.query('vacuum analyze device, series, latest');
  await sleep(RULES_READ_MS);
  const idle = (await spent(stand, CALM_MS)) / CALM_MS;
  const ids = farms.map(({ farmId }) => farmId);
  await watchCalm(stand, ids, ['OutOfContact', 'ValveOpen', 'TankLow']);
  const first = (await spent(stand, RULES_READ_MS)) - idle * RULES_READ_MS;
  const minute = (await spent(stand, CALM_MS)) - idle * CALM_MS;
  await watchCalm(stand, ids, ['TankLeak', 'SprinklerError']);
  const seldom = (await spent(stand, RULES_READ_MS)) - idle * RULES_READ_MS;
  // That of a minute comes in both.
  const more = (ms: number) => Math.max(0, ms - minute);
  const share = minute / CALM_MS + more(first) / NEWEST_MS + more(seldom) / SELDOM_MS;
  record({
    what: `${CALM_FARMS * CALM_UNITS} sprinklers of ${CALM_FARMS} farms in calm, of a core`,
    value: `${(share * 100).toFixed(2)} %`,
    target: { text: '1 %', met: share <= 0.01 },
  });
}

/** As a new farm has them. */
async function watchCalm(stand: Stand, farmIds: readonly number[], kinds: readonly string[]): Promise<void> {
  await stand.sql.query(
    `insert into alert_rule (farm_id, uid, name, kind, watch, enabled, condition, value, hold_min, on_since, created_at, updated_at)
      select f, substr(md5(f || kind), 1, 24), kind, kind, watch, true, condition, value, 0, now(), now(), now()
      from unnest($1::int[]) f, (values ('OutOfContact', 'gateway', 'longer than', null::float8), ('ValveOpen', null, 'any', null),
        ('TankLeak', null, 'any', null), ('TankLow', null, 'below', 20), ('SprinklerError', null, 'any', null))
        as r (kind, watch, condition, value) where kind = any($2::text[])`,
    [farmIds, kinds],
  );
}

/** What server and database take of the processors in that time, ms. */
async function spent(stand: Stand, ms: number): Promise<number> {
  const before = await processors(stand);
  await sleep(ms);
  return (await processors(stand)) - before;
}

async function processors(stand: Stand): Promise<number> {
  const server = Number(/^process_cpu_seconds_total (\S+)/m.exec(await metricsOf(stand.url))?.[1]) * 1000;
  const { rows } = await stand.sql.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = statOf(String(rows[0]?.pid))?.parent;
  const database = readdirSync('/proc')
    .flatMap((pid) => (/^\d+$/.test(pid) ? (statOf(pid) ?? []) : []))
    .filter(({ pid, parent }) => pid === postmaster || parent === postmaster);
  // Of a connection that has ended the postmaster knows.
  const ticks = database.map(({ pid, own, ended }) => own + (pid === postmaster ? ended : 0));
  return server + TICK_MS * ticks.reduce((sum, one) => sum + one, 0);
}

/** By proc(5): who began a process, and its ticks and those of its children that have ended; undefined: it has ended. */
function statOf(pid: string) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const ticksOf = (nth: number) => Number(fields[nth]) + Number(fields[nth + 1]);
    return { pid, parent: String(fields[1]), own: ticksOf(11), ended: ticksOf(13) };
  } catch {
    return undefined;
  }
}

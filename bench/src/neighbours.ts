import { createHash } from 'node:crypto';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { connectAsync } from 'mqtt';
import { callsText, measureCalls, signIn } from './calls.ts';
import { fillYear, SENSORS } from './charts.ts';
import type { Greed, Greedy } from './neighbours-load.ts';
import { percentile, timed } from './numbers.ts';
import { record } from './report.ts';
import type { Stand } from './stand.ts';
import { type BenchGateway, buildWorld } from './world.ts';

const PASSWORD = 'bench-password';
const [GREEDY, INNOCENT] = ['greedy@bench.test', 'innocent@bench.test'];
const FARMS = 35;
const UPLINKS = 40;
const KEY = 'bench-neighbour-key';
const AT_ONCE = 50;
const PAGES = 120;
/** Of 256 MB: 1 to 3 s of the thread in which codecs are tried. */
const DEAR_SCRIPT = 'function decodeUplink(){return {data:{x:new Array(2**28).join("x")}}}';

/**
 * What one account can do to another with what everybody may: codecs that are tried without end while the other's sensors send, by
 * one farm and by 35, and the dearest question about a year of readings, fifty at a time, while the other looks at a page.
 */
export async function benchNeighbours(stand: Stand): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD);
  const world = (farms: number, sensors: number, from: number, ownerEmail: string) =>
    buildWorld(stand.sql, { farms, sensors, from, ownerEmail, passwordHash });
  const greedy = await world(FARMS, 1, 40_000_000, GREEDY);
  const [innocent] = await world(1, UPLINKS, 41_000_000, INNOCENT);
  const [rich] = await world(1, SENSORS, 42_000_000, 'rich@bench.test');
  if (!innocent || !rich) throw new Error('no farm was made');
  await prepare(stand, innocent);
  for (const farms of [0, 1, FARMS]) await starve(stand, innocent, greedy.slice(0, farms));
  await fillYear(stand, rich);
  await crowd(stand, innocent, rich);
}

async function prepare({ sql }: Stand, { farmId }: BenchGateway): Promise<void> {
  await sql.query(
    `insert into integration_key (farm_id, uid, user_name, name, key_hash) values ($1, $2, 'bench-neighbour', 'Bench', $3)`,
    [farmId, '0'.repeat(16) + 'be7c4a22', createHash('sha256').update(KEY).digest()],
  );
  await sql.query(
    `update device set builtin_codec = 'decentlab-dl-ctd10' where farm_id = $1 and kind = 'sensor'`,
    [farmId],
  );
}

/** Each sensor of one farm sends an uplink, while so many farms of another account try a codec without a pause. */
async function starve(stand: Stand, innocent: BenchGateway, by: readonly BenchGateway[]): Promise<void> {
  const try_ = ({ farmUid }: BenchGateway) => ({
    path: '/codec/try',
    body: { farmUID: farmUid, script: DEAR_SCRIPT, fPort: 1, bytes: 'AA==', encoding: 'base64', mapping: [] },
  });
  const load = by.length > 0 ? await begin(stand, GREEDY, by.map(try_)) : null;
  const at = Date.now() - 60_000 - by.length * 1000;
  const ms = await timed(async () => {
    await sendUplinks(stand, innocent, at);
    await untilStored(stand, innocent, at);
  });
  const stored = await storedAt(stand, innocent, at);
  record({
    what: `${UPLINKS} uplinks while ${by.length} farms of another account try codecs`,
    value: `${stored} stored after ${ms.toFixed(0)} ms`,
    gate: { text: 'all are stored', met: stored === UPLINKS },
  });
  if (load) tellGreed('the tries', await load.end());
}

async function sendUplinks({ mqttPort }: Stand, { sensorMacs }: BenchGateway, at: number): Promise<void> {
  const client = await connectAsync(`mqtt://127.0.0.1:${mqttPort}`, {
    username: 'bench-neighbour',
    password: KEY,
    protocolVersion: 4,
    clientId: 'neighbour',
  });
  for (const mac of sensorMacs) {
    const devEui = mac.toLowerCase();
    const uplink = { time: new Date(at).toISOString(), deviceInfo: { devEui }, fPort: 1, fCnt: 1 };
    const data = Buffer.from('0207D9000390888081006400000C60', 'hex').toString('base64');
    await client.publishAsync(
      `application/bench/device/${devEui}/event/up`,
      JSON.stringify({ ...uplink, data }),
      {
        qos: 1,
      },
    );
  }
  await client.endAsync();
}

async function storedAt({ sql }: Stand, { farmId }: BenchGateway, at: number): Promise<number> {
  const { rows } = await sql.query<{ n: number }>(
    `select count(distinct s.device_id)::int as n from reading r join series s on s.farm_id = r.farm_id and s.id = r.series_id
     where r.farm_id = $1 and r.at = $2`,
    [farmId, new Date(at)],
  );
  return rows[0]?.n ?? 0;
}

/** Or two minutes, in which a sensor that sends each ten would be none the worse. */
async function untilStored(stand: Stand, farm: BenchGateway, at: number): Promise<void> {
  const until = performance.now() + 120_000;
  while (performance.now() < until && (await storedAt(stand, farm, at)) < UPLINKS) await sleep(50);
}

/** The innocent's page, with and without fifty of the dearest questions at once. */
async function crowd(stand: Stand, innocent: BenchGateway, rich: BenchGateway): Promise<void> {
  const token = await signIn(stand, INNOCENT, PASSWORD);
  const page = () => measureCalls(stand, token, () => `/lvl/suminfo?farmUID=${innocent.farmUid}`, PAGES);
  const path = await dearest(stand, rich);
  const quiet = await page();
  const load = await begin(
    stand,
    'rich@bench.test',
    Array.from({ length: AT_ONCE }, () => ({ path })),
  );
  const crowded = await page();
  tellGreed(`GET ${path.split('?')[0]}, ${AT_ONCE} at once`, await load.end());
  const ratio = percentile(crowded, 0.99) / percentile(quiet, 0.99);
  record({ what: 'tanks of another farm, quiet', value: callsText(quiet) });
  record({
    what: 'tanks of another farm, meanwhile',
    value: callsText(crowded),
    ratio: ratio.toFixed(2),
    target: { text: 'p99 at most twice the quiet one', met: ratio <= 2 },
  });
}

async function dearest(stand: Stand, { farmUid, sensorUids }: BenchGateway): Promise<string> {
  const token = await signIn(stand, 'rich@bench.test', PASSWORD);
  const found: { path: string; ms: number }[] = [];
  for (const path of [
    `/lvl/suminfo?farmUID=${farmUid}`,
    `/lvl/history?sensorUid=${sensorUids[0]}&days=365`,
    `/farms-summary`,
    `/insights?farmUID=${farmUid}`,
  ]) {
    const times = await measureCalls(stand, token, () => path, 30).catch(() => []);
    if (times.length > 0) found.push({ path, ms: percentile(times, 0.5) });
  }
  const [most] = found.toSorted((a, b) => b.ms - a.ms);
  if (!most) throw new Error('None of the questions was answered');
  return most.path;
}

interface Load {
  end(): Promise<Greedy>;
}

async function begin(stand: Stand, email: string, calls: Greed['calls']): Promise<Load> {
  const token = await signIn(stand, email, PASSWORD);
  const child: ChildProcess = fork(fileURLToPath(new URL('./neighbours-load.js', import.meta.url)));
  child.send({ url: stand.url, token, from: '127.0.0.2', calls } satisfies Greed);
  await sleep(2000);
  return {
    async end() {
      const result = once(child, 'message');
      child.send('end');
      const [greedy] = (await result) as [Greedy];
      return greedy;
    },
  };
}

const tellGreed = (what: string, { answers, meanMs }: Greedy) =>
  record({
    what: `${what}: answers by status, mean time`,
    value: `${JSON.stringify(answers)} ${meanMs.toFixed(0)} ms`,
  });

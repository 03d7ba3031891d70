import { get } from 'node:http';
import { computePlan } from '@headrace/contract/rules/schedule/compute-plan';
import { occurrences } from '@headrace/contract/rules/schedule/occurrences';
import type { Limits, PlanGroup } from '@headrace/contract/rules/schedule/plan';
import { type Programme, programmeOf } from '@headrace/contract/rules/schedule/programme';
import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { callsText, measureCalls, signIn } from './calls.ts';
import { benchCreateSet } from './create-set.ts';
import { holdAndWater } from './held-farm.ts';
import { median, percentile, timed } from './numbers.ts';
import { record } from './report.ts';
import { addSprinklers } from './sprinkler-farm.ts';
import type { Stand } from './stand.ts';
import { buildWorld } from './world.ts';

const UNITS = 5000;
const CALLS = 120;
const DAY = 86_400_000;
const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };

/** What schedules of five thousand sprinklers cost: the rules by themselves, the timeline over HTTP, and a set that is stored. */
export async function benchSchedules(stand: Stand): Promise<void> {
  await benchRules();
  await benchTimeline(stand);
}

async function benchRules(): Promise<void> {
  const groups = groupsOf(UNITS);
  const options = {
    durationMin: 28,
    windy: true,
    leveling: true,
    isV3: false,
    startMin: 0,
    cycleMin: null,
  };
  const limits: Limits = { maxLps: 210, windows: [], avoid: [] };
  let programmes: Programme[] = [];
  const plain = await several(() => {
    const planned = computePlan(groups, { ...options, limits: null });
    if (!planned.ok) throw new Error('The plan does not fit.');
    programmes = planned.plan.runs.map((run) => programmeOf([run], planned.plan.cycleMin));
  });
  const limited = await several(() => {
    const planned = computePlan(groups, { ...options, leveling: false, limits });
    if (!planned.ok) throw new Error('The plan does not fit its limits.');
  });
  const from = Date.parse('2026-11-25T11:00:00Z');
  const week = await several(() => {
    for (const programme of programmes) occurrences(programme, zone, from, from + 7 * DAY);
  });
  const tellTimes = (what: string, times: readonly number[], most: number, base?: readonly number[]) =>
    record({
      what,
      value: `p50 ${median(times).toFixed(1)} worst ${Math.max(...times).toFixed(1)} ms`,
      ...(base && { ratio: (median(times) / median(base)).toFixed(2) }),
      gate: { text: `p50 under ${most} ms`, met: median(times) < most },
    });
  tellTimes(`a plan of ${UNITS}`, plain, 50);
  tellTimes(`the same within limits of the water supply`, limited, 200, plain);
  tellTimes(`the waterings of ${UNITS} in a week`, week, 100, plain);
}

async function several(work: () => void): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < 25; run += 1) times.push(await timed(async () => work()));
  return times.slice(5);
}

/** Lines of fifty, as many as it takes. */
function groupsOf(count: number): PlanGroup[] {
  return Array.from({ length: count / 50 }, (_, group) => ({
    uid: String(group).padStart(24, '0'),
    name: `Line ${group + 1}`,
    lines: 1,
    durationMin: null,
    units: Array.from({ length: 50 }, (_none, unit) => ({
      id: `${group}-${unit}`,
      name: `A${unit + 1}`,
      serial: `${group}-${unit}`,
      lps: 4,
      mmPerMin: 0.17,
    })),
  }));
}

async function benchTimeline(stand: Stand): Promise<void> {
  const password = 'bench-password';
  const [farm] = await buildWorld(stand.sql, {
    farms: 1,
    sensors: 20,
    from: 65_000_000,
    ownerEmail: 'schedules@bench.test',
    passwordHash: await hashPassword(password),
  });
  if (!farm) throw new Error('no farm');
  await addSprinklers(stand.sql, farm, UNITS);
  await holdAndWater(stand.sql, farm.farmId);
  const token = await signIn(stand, 'schedules@bench.test', password);
  const today = Math.floor(Date.now() / DAY) * DAY;
  const bare = await measureBare(stand, farm.farmId);
  const path = (first: number) =>
    `/schedules/timeline?farmUID=${farm.farmUid}&from=${iso(today + first * DAY)}&to=${iso(today + (first + 7) * DAY)}`;
  for (const [what, first] of [
    ['from today', 0],
    ['that is over', -7],
  ] as const) {
    const times = await measureCalls(
      stand,
      token,
      () => path(first),
      CALLS,
      () => someReport(stand, farm.farmId),
    );
    const bytes = await bytesOf(`${stand.url}/v1${path(first)}`, token);
    record({
      what: `timeline of ${UNITS}, a week ${what}, ${(bytes / 1000).toFixed(1)} kB`,
      value: callsText(times),
      ratio: (median(times) / median(bare)).toFixed(2),
      ...(first === 0
        ? { gate: { text: 'p95 under 120 ms, 60 kB', met: percentile(times, 0.95) < 120 && bytes < 60_000 } }
        : { target: { text: 'p95 under 120 ms', met: percentile(times, 0.95) < 120 } }),
    });
  }
  record({ what: `their ${UNITS} programmes by the bare driver`, value: callsText(bare) });
  await benchCreateSet(stand, token, farm);
}

const iso = (at: number) => new Date(at).toISOString();

/** One unit in fifty says something new between two calls. */
async function someReport(stand: Stand, farmId: number): Promise<void> {
  await stand.sql.query(
    `update latest l set at = now(), valid_at = now(), value = value + 0.01, valid_value = value + 0.01
      from series s where l.farm_id = $1 and s.farm_id = l.farm_id and s.id = l.series_id
        and s.metric = 'charge' and s.device_id % 50 = $2`,
    [farmId, Math.floor(Math.random() * 50)],
  );
}

async function measureBare(stand: Stand, farmId: number): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < CALLS; call += 1)
    times.push(
      await timed(() =>
        stand.sql.query('select device_id, crc, entries, cycle_days from unit_held where farm_id = $1', [
          farmId,
        ]),
      ),
    );
  return times.slice(20);
}

function bytesOf(url: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { authorization: token, 'accept-encoding': 'gzip' } }, (reply) => {
      let bytes = 0;
      reply.on('data', (piece: Buffer) => (bytes += piece.length));
      reply.once('end', () => resolve(bytes));
    }).once('error', reject);
  });
}

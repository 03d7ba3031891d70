import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { callsText, measureCalls, signIn } from './calls.ts';
import { median, percentile, timed } from './numbers.ts';
import { record } from './report.ts';
import { addSprinklers } from './sprinkler-farm.ts';
import type { Stand } from './stand.ts';
import { buildWorld } from './world.ts';

const SPRINKLERS = 930;
const DAYS = 30;
const CALLS = 120;
const GATE_MS = 60;

/** A month of a farm of 930 sprinklers that each water once a day, one in fifty of them not heard: the diary's first page and the last watering. */
export async function benchDiary(stand: Stand): Promise<void> {
  const password = 'bench-password';
  const [farm] = await buildWorld(stand.sql, {
    farms: 1,
    sensors: 3,
    from: 75_000_000,
    ownerEmail: 'diary@bench.test',
    passwordHash: await hashPassword(password),
  });
  if (!farm) throw new Error('no farm');
  await addSprinklers(stand.sql, farm, SPRINKLERS);
  for (const statement of waterings) await stand.sql.query(statement, [farm.farmId]);
  await stand.sql.query('vacuum analyze');
  const token = await signIn(stand, 'diary@bench.test', password);
  const bare = await measureBare(stand, farm.farmId);
  for (const [what, path] of [
    ["what went otherwise than planned, the month's first page", '/irr-diary-logs?outcome=troubles&farmUID='],
    ["all waterings, the month's first page", '/irr-diary-logs?farmUID='],
    ['the last watering by line', '/irr-diary-logs/last?farmUID='],
  ] as const) {
    const times = await measureCalls(stand, token, () => `${path}${farm.farmUid}`, CALLS);
    record({
      what: `irrigation diary of ${SPRINKLERS} sprinklers, ${what}`,
      value: callsText(times),
      ratio: (median(times) / median(bare)).toFixed(2),
      gate: { text: `p95 under ${GATE_MS} ms`, met: percentile(times, 0.95) < GATE_MS },
    });
  }
  // Each call other days: none of them was looked at before.
  const cold = await measureCalls(
    stand,
    token,
    (call) => `/irr-diary-logs?outcome=troubles&stop=${dayText(call + 1)}&farmUID=${farm.farmUid}`,
    DAYS - 1,
  );
  record({
    what: 'the same of what went otherwise, of days that nobody has looked at',
    value: callsText(cold),
    ratio: (median(cold) / median(bare)).toFixed(2),
  });
  record({ what: `the runs of three days by the bare driver`, value: callsText(bare) });
}

/** YYYY-MM-DD. */
const dayText = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

async function measureBare(stand: Stand, farmId: number): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < CALLS; call += 1)
    times.push(
      await timed(() =>
        stand.sql.query(
          "select * from watering_run where farm_id = $1 and opened_at >= now() - interval '3 days'",
          [farmId],
        ),
      ),
    );
  return times.slice(20);
}

/** Each holds one watering of 28 min a day, from midnight by its number, and watered by it unless it is one in fifty. */
const waterings = [
  `insert into unit_held (farm_id, device_id, since, crc, entries, cycle_days, how)
    select farm_id, id, now() - interval '60 days', '1A:2B',
      jsonb_build_array(jsonb_build_object('start', id % 50 * 28, 'duration', 28, 'cycle', 1)), 1, 'said'
    from device where farm_id = $1 and kind = 'sprinkler'`,
  `insert into unit_program (farm_id, device_id, schedule_group, crc, entries, cycle_days, wanted_at)
    select farm_id, device_id, 'Block ' || device_id % 20, crc, entries, 1, since from unit_held where farm_id = $1`,
  `insert into watering_run (farm_id, device_id, opened_at, opened_how, open_until, closed_at, closed_how, lps, mm_per_min, is_part)
    select h.farm_id, h.device_id, o.at, 'said', o.at, o.at + interval '28 min', 'said', 4, 0.1724, false
    from unit_held h join farm f on f.id = h.farm_id
    cross join generate_series(0, ${DAYS + 2}) day
    cross join lateral (select (date_trunc('day', now() at time zone f.time_zone_id) - make_interval(days => day)
      + make_interval(mins => (h.entries->0->>'start')::int)) at time zone f.time_zone_id as at) o
    where h.farm_id = $1 and h.device_id % 50 <> day % 50 and o.at + interval '30 min' < now()`,
];

import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { callsText, measureCalls, signIn } from './calls.ts';
import { addWaterings } from './diary-farm.ts';
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
  await addWaterings(stand.sql, farm.farmId, DAYS);
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

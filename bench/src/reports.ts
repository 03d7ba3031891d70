import { type ScheduleEntry, scheduleCrc } from '@headrace/device/schedule-crc';
import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { callsText, measureCalls, signIn } from './calls.ts';
import { addWaterings } from './diary-farm.ts';
import { percentile, timed } from './numbers.ts';
import { record } from './report.ts';
import { addSprinklers } from './sprinkler-farm.ts';
import type { Stand } from './stand.ts';
import { controlOf, recordWaits, whileAsked } from './while-asked.ts';
import { buildWorld } from './world.ts';

const SPRINKLERS = 1000;
const DAYS = 30;
const EMAIL = 'reports@bench.test';
const PASSWORD = 'bench-password';
/** A PDF of so many rows, and twenty of them at once, s. */
const MOST = { one: 1.5, twenty: 10 };
const AT_ONCE = 20;
/** The longest that another may wait meanwhile, ms. */
const STALL_MS = 50;

/** Reports of a month of a thousand sprinklers, one and twenty at once; meanwhile others ask for something small. */
export async function benchReports(stand: Stand): Promise<void> {
  const [farm] = await buildWorld(stand.sql, {
    farms: 1,
    sensors: 3,
    from: 83_000_000,
    ownerEmail: EMAIL,
    passwordHash: await hashPassword(PASSWORD),
  });
  if (!farm) throw new Error('no farm');
  await addSprinklers(stand.sql, farm, SPRINKLERS);
  await addWaterings(stand.sql, farm.farmId, DAYS);
  const setUid = await holdTheSet(stand.sql, farm.farmId);
  const token = await signIn(stand, EMAIL, PASSWORD);
  const of = `farmUID=${farm.farmUid}`;
  const operating = `/reportspdf/operatingtime?${of}&scheduleID=${setUid}`;
  for (const [what, path] of [
    ['the PDF of operating times', operating],
    ['the PDF of the irrigation diary', `/reportspdf/irrdiary/summary?${of}`],
    ['the PDF of the history trend', `/reportspdf/farmhisttrend?${of}`],
  ] as const) {
    const times = await measureCalls(stand, token, () => path, 40);
    await moreFiles(stand.sql);
    const p99 = percentile(times, 0.99);
    record({
      what: `${what} of ${SPRINKLERS} sprinklers`,
      value: callsText(times),
      target: { text: `p99 under ${MOST.one} s`, met: p99 < MOST.one * 1000 },
    });
  }
  const control = await controlOf(stand);
  let took = 0;
  const waits = await whileAsked(stand, async () => {
    took = await timed(() =>
      Promise.all(Array.from({ length: AT_ONCE }, () => fetched(stand, token, operating))),
    );
  });
  record({
    what: `${AT_ONCE} of them at once`,
    value: `${(took / 1000).toFixed(1)} s`,
    target: { text: `under ${MOST.twenty} s`, met: took < MOST.twenty * 1000 },
  });
  recordWaits('what others waited meanwhile', waits, control, STALL_MS);
}

/** An account has so many files a day: here it has as many again. */
const moreFiles = (sql: Stand['sql']) => sql.query('delete from files_made');

async function fetched({ url }: Stand, token: string, path: string): Promise<void> {
  const reply = await fetch(`${url}/v1${path}`, { headers: { authorization: token } });
  await reply.arrayBuffer();
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
}

/** The farm's set is what its sprinklers hold; its uid. */
async function holdTheSet(sql: Stand['sql'], farmId: number): Promise<string> {
  await sql.query(
    `update schedule_set_unit u set entries = h.entries from unit_held h
      where u.farm_id = $1 and h.farm_id = u.farm_id and h.device_id = u.device_id`,
    [farmId],
  );
  const { rows: held } = await sql.query<{ entries: ScheduleEntry[] }>(
    'select distinct entries from unit_held where farm_id = $1',
    [farmId],
  );
  for (const { entries } of held)
    await sql.query('update unit_held set crc = $3 where farm_id = $1 and entries = $2', [
      farmId,
      JSON.stringify(entries),
      scheduleCrc(entries),
    ]);
  const { rows: sets } = await sql.query<{ uid: string }>(
    `update schedule_set set settings = '{"cycleLen": 1440}' where farm_id = $1 returning uid`,
    [farmId],
  );
  return sets[0]?.uid ?? '';
}

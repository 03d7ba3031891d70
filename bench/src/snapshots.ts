import { monitorEventLoopDelay } from 'node:perf_hooks';
import { connectDatabase } from '@headrace/server/dist/db/client.js';
import { snapshotFarms } from '@headrace/server/dist/features/health/snapshot-job.js';
import { createFarmUnits } from '@headrace/server/dist/features/irrigation-devices/farm-units.js';
import { createSprinklerStatusRepo } from '@headrace/server/dist/features/sprinklers/sprinkler-status.repo.js';
import { createSprinklerStatusService } from '@headrace/server/dist/features/sprinklers/sprinkler-status.service.js';
import { median, timed } from './numbers.ts';
import { record } from './report.ts';
import { addSprinklers } from './sprinkler-farm.ts';
import type { Stand } from './stand.ts';
import { buildWorld } from './world.ts';

const FARMS = 50;
const UNITS = 1000;

const TARGET_S = 60;
/** As files and packs have it. */
const STALL_MS = 60;
const DAY_MS = 86_400_000;

/** How each farm's sprinklers were at its midnight: of fifty farms, told for a thousand. */
export async function benchSnapshots(stand: Stand): Promise<void> {
  const order = { farms: FARMS, sensors: 0, from: 95_000_000, passwordHash: 'none' };
  for (const farm of await buildWorld(stand.sql, { ...order, ownerEmail: 'snapshots@bench.test' }))
    await addSprinklers(stand.sql, farm, UNITS);
  const { db, close } = connectDatabase(stand.databaseUrl);
  const sprinklers = createSprinklerStatusService(createSprinklerStatusRepo(db, createFarmUnits(db)));
  const midnight = await nextMidnight(stand);
  const bare = await bareRead(stand);
  for (const [what, at] of [
    ['the first', midnight],
    ['the next day', midnight + DAY_MS],
  ] as const)
    tell(what, bare, await measure(() => snapshotFarms(db, new Date(at + 60_000), sprinklers.units)));
  await close();
}

/** Of each farm, ms; `threadMs`: of the thread that serves everybody. */
interface Taken {
  ms: number;
  threadMs: number;
  stallMs: number;
}

async function measure(work: () => Promise<void>): Promise<Taken> {
  const stalls = monitorEventLoopDelay({ resolution: 1 });
  stalls.enable();
  const before = process.cpuUsage();
  const ms = await timed(work);
  const { user, system } = process.cpuUsage(before);
  stalls.disable();
  return { ms: ms / FARMS, threadMs: (user + system) / 1000 / FARMS, stallMs: stalls.max / 1e6 };
}

function tell(what: string, bareMs: number, { ms, threadMs, stallMs }: Taken): void {
  record({
    what: `snapshot of a farm of ${UNITS} sprinklers, ${what}`,
    // So many milliseconds for a farm are as many seconds for a thousand.
    value: `${ms.toFixed(1)} ms, ${threadMs.toFixed(1)} of them the process's own`,
    ratio: `${(ms / bareMs).toFixed(1)} of a bare read of what they said (${bareMs.toFixed(1)} ms)`,
    target: { text: `a thousand farms within ${TARGET_S} s`, met: ms <= TARGET_S },
  });
  record({
    what: '  longest stall of its event loop',
    value: `${stallMs.toFixed(0)} ms`,
    target: { text: `at most ${STALL_MS} ms`, met: stallMs <= STALL_MS },
  });
}

/** All values of a farm's sprinklers by the bare driver, as JSON, ms; the median of the farms. */
async function bareRead({ sql }: Stand): Promise<number> {
  const { rows } = await sql.query<{ id: number }>(
    `select distinct farm_id as id from device where kind = 'sprinkler'`,
  );
  const times: number[] = [];
  for (const { id } of rows)
    times.push(
      await timed(() =>
        sql.query(
          `select json_agg(r) from (select s.device_id, s.metric, l.at, l.value from latest l
             join series s on s.farm_id = l.farm_id and s.id = l.series_id where l.farm_id = $1) r`,
          [id],
        ),
      ),
    );
  return median(times);
}

/** The farms' own, epoch ms. */
async function nextMidnight(stand: Stand): Promise<number> {
  const { rows } = await stand.sql.query<{ at: Date }>(
    `select (date_trunc('day', now() at time zone 'Pacific/Auckland') + interval '1 day') at time zone 'Pacific/Auckland' as at`,
  );
  return rows[0]?.at.getTime() ?? Number.NaN;
}

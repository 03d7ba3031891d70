import { connectDatabase } from '@headrace/server/dist/db/client.js';
import { snapshotFarms } from '@headrace/server/dist/features/health/snapshot-job.js';
import { createFarmUnits } from '@headrace/server/dist/features/irrigation-devices/farm-units.js';
import { createSprinklerStatusRepo } from '@headrace/server/dist/features/sprinklers/sprinkler-status.repo.js';
import { createSprinklerStatusService } from '@headrace/server/dist/features/sprinklers/sprinkler-status.service.js';
import { timed } from './numbers.ts';
import { record } from './report.ts';
import { addSprinklers } from './sprinkler-farm.ts';
import type { Stand } from './stand.ts';
import { buildWorld } from './world.ts';

const FARMS = 50;
const UNITS = 1000;

const TARGET_S = 60;
const DAY_MS = 86_400_000;

/** How each farm's sprinklers were at its midnight: of fifty farms, told for a thousand. */
export async function benchSnapshots(stand: Stand): Promise<void> {
  const order = { farms: FARMS, sensors: 0, from: 95_000_000, passwordHash: 'none' };
  for (const farm of await buildWorld(stand.sql, { ...order, ownerEmail: 'snapshots@bench.test' }))
    await addSprinklers(stand.sql, farm, UNITS);
  const { db, close } = connectDatabase(stand.databaseUrl);
  const sprinklers = createSprinklerStatusService(createSprinklerStatusRepo(db, createFarmUnits(db)));
  const midnight = await nextMidnight(stand);
  for (const [what, at] of [
    ['the first', midnight],
    ['the next day', midnight + DAY_MS],
  ] as const) {
    const ms = await timed(() => snapshotFarms(db, new Date(at + 60_000), sprinklers.units));
    // So many milliseconds for a farm are as many seconds for a thousand.
    const each = ms / FARMS;
    record({
      what: `snapshot of a farm of ${UNITS} sprinklers, ${what}`,
      value: `${each.toFixed(1)} ms`,
      target: { text: `a thousand farms within ${TARGET_S} s`, met: each <= TARGET_S },
    });
  }
  await close();
}

/** The farms' own, epoch ms. */
async function nextMidnight(stand: Stand): Promise<number> {
  const { rows } = await stand.sql.query<{ at: Date }>(
    `select (date_trunc('day', now() at time zone 'Pacific/Auckland') + interval '1 day') at time zone 'Pacific/Auckland' as at`,
  );
  return rows[0]?.at.getTime() ?? Number.NaN;
}

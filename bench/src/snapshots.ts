import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, timed } from './numbers.ts';
import { record } from './report.ts';
import { addSprinklers } from './sprinkler-farm.ts';
import { metricsOf, type Stand, startServer } from './stand.ts';
import { type BenchGateway, buildWorld } from './world.ts';

const FARMS = 20;
const SPRINKLERS = 1000;
/** What a night may take for a thousand farms as large, s. */
const [ALL_FARMS, TARGET_S] = [1000, 60];

/** The end of a day on many farms at once: a second server finds that it has just been midnight on all of them. */
export async function benchSnapshots(stand: Stand): Promise<void> {
  const world = {
    farms: FARMS,
    sensors: 0,
    from: 80_000_000,
    ownerEmail: 'nights@bench.test',
    passwordHash: '-',
  };
  const farms = await buildWorld(stand.sql, world);
  for (const farm of farms) await addSprinklers(stand.sql, farm, SPRINKLERS);
  const ids = farms.map(({ farmId }) => farmId);
  const bare = await readAll(stand, farms);
  await stand.sql.query('update farm set raw_offset = $1, dst_enabled = false where id = any($2)', [
    secondsToMidnight(),
    ids,
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'headrace-nights-'));
  const server = await startServer({ DATABASE_URL: stand.databaseUrl, DATA_DIR: folder });
  const ms = await timed(() => untilKept(stand, ids));
  const lag = /^nodejs_eventloop_lag_max_seconds (.+)$/m.exec(await metricsOf(server.ready.url));
  await server.stop();
  await rm(folder, { recursive: true, force: true });
  const eachMs = ms / FARMS;
  record({
    what: `a day's end of ${FARMS} farms of ${SPRINKLERS} sprinklers`,
    value: `${eachMs.toFixed(0)} ms a farm`,
    ratio: `${(eachMs / median(bare)).toFixed(1)} of reading one's values by the bare driver`,
    target: {
      text: `${ALL_FARMS} in ${TARGET_S} s`,
      met: (eachMs * ALL_FARMS) / 1000 <= TARGET_S,
    },
  });
  record({
    what: '  longest stall meanwhile, the start included',
    value: `${(Number(lag?.[1]) * 1000).toFixed(0)} ms`,
  });
}

/** As an offset of a clock that shows a quarter to an hour past midnight now. */
function secondsToMidnight(): number {
  const hour = new Date().getUTCHours();
  return (hour < 12 ? -hour : 24 - hour) * 3600;
}

async function readAll({ sql }: Stand, farms: readonly BenchGateway[]): Promise<number[]> {
  const times: number[] = [];
  for (const { farmId } of farms)
    times.push(
      await timed(() =>
        sql.query(
          `select d.uid, s.metric, l.value from device d join series s on s.farm_id = d.farm_id and s.device_id = d.id
           join latest l on l.farm_id = s.farm_id and l.series_id = s.id where d.farm_id = $1 and d.kind = 'sprinkler'`,
          [farmId],
        ),
      ),
    );
  return times;
}

async function untilKept({ sql }: Stand, ids: readonly number[]): Promise<void> {
  const end = performance.now() + 300_000;
  while (performance.now() < end) {
    const { rows } = await sql.query<{ n: number }>(
      'select count(*)::int as n from health_day where farm_id = any($1)',
      [ids],
    );
    if ((rows[0]?.n ?? 0) >= ids.length) return;
    await sleep(50);
  }
  throw new Error('The days were not kept within five minutes.');
}

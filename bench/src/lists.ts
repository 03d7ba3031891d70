import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { callsText, measureCalls, signIn } from './calls.ts';
import { median, percentile, timed } from './numbers.ts';
import { record } from './report.ts';
import { addSprinklers } from './sprinkler-farm.ts';
import type { Stand } from './stand.ts';
import { buildWorld } from './world.ts';

const SPRINKLERS = 5000;
const CALLS = 220;

interface List {
  what: string;
  path: string;
  query?: string;
  /** With the version of the reply before, as pages that are open ask. */
  isSince?: true;
  /** What 95 of 100 calls may take at most, ms. Programs that ask for whole lists wait as long as it takes. */
  gateMs?: number;
}
const lists: List[] = [
  { what: 'list, first time', path: '/irrigation/units', gateMs: 100 },
  { what: 'list, what changed', path: '/irrigation/units', isSince: true, gateMs: 60 },
  { what: 'map, first time', path: '/group/units', query: '&name=FARM', gateMs: 150 },
  { what: 'map, what changed', path: '/group/units', query: '&name=FARM', isSince: true, gateMs: 60 },
  { what: 'whole records, for other programs', path: '/irrigation/devices' },
  { what: 'whole statuses, for other programs', path: '/group/info', query: '&name=FARM' },
];

/** The lists of a farm of five thousand sprinklers over HTTP while units report, against their records by the bare driver. */
export async function benchLists(stand: Stand): Promise<void> {
  const password = 'bench-password';
  const [farm] = await buildWorld(stand.sql, {
    farms: 1,
    sensors: 20,
    from: 60_000_000,
    ownerEmail: 'lists@bench.test',
    passwordHash: await hashPassword(password),
  });
  if (!farm) throw new Error('no farm');
  await addSprinklers(stand.sql, farm, SPRINKLERS);
  const token = await signIn(stand, 'lists@bench.test', password);
  const bare = await measureBare(stand, farm.farmId);
  for (const { what, path, query = '', isSince, gateMs } of lists) {
    const url = `${path}?farmUID=${farm.farmUid}${query}`;
    let since = '';
    const times = await measureCalls(
      stand,
      token,
      () => url + since,
      CALLS,
      async () => {
        if (isSince) since = `&since=${await versionOf(stand, token, url)}`;
        await someReport(stand, farm.farmId);
      },
    );
    record({
      what: `${what}, ${SPRINKLERS}`,
      value: callsText(times),
      ratio: (median(times) / median(bare)).toFixed(2),
      ...(gateMs && { gate: { text: `p95 under ${gateMs} ms`, met: percentile(times, 0.95) < gateMs } }),
    });
  }
  record({ what: `their ${SPRINKLERS} records by the bare driver`, value: callsText(bare) });
}

async function versionOf(stand: Stand, token: string, url: string): Promise<string> {
  const reply = await fetch(`${stand.url}/v1${url}`, { headers: { authorization: token } });
  return ((await reply.json()) as { version: string }).version;
}

/** One unit in fifty says something new: a call after which nothing had changed would cost less than people see. */
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
        stand.sql.query(
          "select id, uid, name, serial_number, mac, lat, lng, settings from device where farm_id = $1 and kind = 'sprinkler'",
          [farmId],
        ),
      ),
    );
  return times.slice(20);
}

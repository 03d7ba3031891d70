import { callsText } from './calls.ts';
import { median, percentile, timed } from './numbers.ts';
import { record } from './report.ts';
import type { Stand } from './stand.ts';
import type { BenchGateway } from './world.ts';

const TIMES = 40;
const [LINES, MINUTES] = [100, 28];

/** Each sprinkler that isn't a spare in one of the lines. */
const addLines = [
  `insert into device_group (farm_id, uid, name)
    select $1::int, lpad(to_hex($1::int * 1000 + n), 24, 'a'), 'Line ' || n from generate_series(1, ${LINES}) n`,
  `insert into device_group_member (farm_id, group_id, device_id)
    select d.farm_id, g.id, d.id from device d join device_group g on g.farm_id = d.farm_id and g.name = 'Line ' || d.id % ${LINES} + 1
    where d.farm_id = $1::int and d.kind = 'sprinkler' and d.settings->>'isSpareUnit' = 'false'`,
];

/** A set is worked out for the whole farm, stored and judged, as the page of a template does it; the bare rows beside it. */
export async function benchCreateSet(stand: Stand, token: string, farm: BenchGateway): Promise<void> {
  for (const statement of addLines) await stand.sql.query(statement, [farm.farmId]);
  await stand.sql.query('vacuum analyze');
  const { rows } = await stand.sql.query<{ uid: string }>(
    `select uid from device_group where farm_id = $1 and name like 'Line %' order by id`,
    [farm.farmId],
  );
  const post = async (path: string, body: object) => {
    const reply = await fetch(`${stand.url}/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: token },
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text.slice(0, 500)}`);
    return JSON.parse(text) as { schedules: unknown[] };
  };
  const template = { farmUID: farm.farmUid, groups: rows, settings: { duration: MINUTES } };
  const computed = await post('/schedule-template/compute', { ...template, name: 'Bench' });
  const stored: number[] = [];
  for (let nth = 0; nth < TIMES; nth += 1)
    stored.push(await timed(() => post('/schedules/create', { ...computed, name: `Bench ${nth}` })));
  const bare: number[] = [];
  for (let nth = 0; nth < TIMES; nth += 1) bare.push(await timed(() => bareSet(stand, farm)));
  record({
    what: `a set of ${computed.schedules.length} sprinklers stored`,
    value: callsText(stored),
    ratio: `${(median(stored) / median(bare)).toFixed(2)} of its bare rows`,
    target: { text: 'p95 at most 500 ms', met: percentile(stored, 0.95) <= 500 },
  });
}

/** As many rows as the set has, with the table's keys, and back again. */
async function bareSet({ sql }: Stand, { farmId }: BenchGateway): Promise<void> {
  const client = await sql.connect();
  await client.query('begin');
  await client.query(
    `with s as (insert into schedule_set (farm_id, uid, name, settings)
        values ($1, repeat('b', 24), 'Bare', '{"cycleLen": 2880}') returning id)
      insert into schedule_set_unit (farm_id, set_id, device_id, schedule_group, entries)
        select farm_id, (select id from s), id, 'Line 1', '[{"start": 0, "duration": 28, "cycle": 1}]'
        from device where farm_id = $1 and kind = 'sprinkler' and settings->>'isSpareUnit' = 'false'`,
    [farmId],
  );
  await client.query('rollback');
  client.release();
}

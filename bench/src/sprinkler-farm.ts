import type pg from 'pg';
import type { BenchGateway } from './world.ts';

const GROUPS = 20;

/**
 * Fills a farm with sprinklers as living ones are: seven values and three facts of each, two groups, and an entry in the
 * farm's current set of schedules. One in a hundred is a spare.
 */
export async function addSprinklers(
  client: pg.Client | pg.Pool,
  { farmId }: BenchGateway,
  count: number,
): Promise<void> {
  for (const statement of statements)
    await client.query(statement, statement.includes('$2') ? [farmId, count] : [farmId]);
  await client.query('vacuum analyze');
}

const statements = [
  `insert into device (farm_id, uid, kind, name, serial_number, mac, lat, lng, settings)
    select $1::int, lpad(to_hex($1::int * 100000 + n), 24, 'e'), 'sprinkler', chr(65 + n % 26) || lpad(n::text, 4, '0'),
      'IPC' || $1::int || '-' || n, '00158D' || lpad(upper(to_hex($1::int * 100000 + n)), 10, '0'),
      -43.7 + (n / 70) * 0.00036, 171.9 + (n % 70) * 0.0005,
      jsonb_build_object('farmId', '01:01', 'channel', 1 + n % 3, 'commsMode', 0, 'isSpareUnit', n % 100 = 99,
        'isPartSprinkler', false, 'isPOI', true)
    from generate_series(0, $2::int - 1) n`,
  `insert into series (farm_id, device_id, metric)
    select farm_id, id, metric from device,
      unnest(array['charge', 'clock', 'hops', 'valve', 'scheduleNum', 'cycleDay', 'cycleLen']) metric
    where farm_id = $1::int and kind = 'sprinkler'`,
  `insert into latest (farm_id, series_id, at, value, valid_at, valid_value)
    select farm_id, id, at, value, at, value from (select s.farm_id, s.id, now() - make_interval(mins => s.device_id % 600) as at,
      case metric when 'charge' then 60 + device_id % 40 when 'clock' then device_id % 5 when 'hops' then 1 + device_id % 4
        when 'valve' then 0 when 'cycleLen' then 2 else 1 end::float8 as value
      from series s where farm_id = $1::int and metric = any('{charge,clock,hops,valve,scheduleNum,cycleDay,cycleLen}')) v`,
  `insert into device_fact (farm_id, device_id, name, at, value)
    select farm_id, id, fact, now() - make_interval(mins => id % 600),
      case fact when 'ipcCrc' then '1A:2B' when 'mode' then 'Local' else to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end
    from device, unnest(array['ipcCrc', 'mode', 'polledAt']) fact where farm_id = $1::int and kind = 'sprinkler'`,
  `insert into device_group (farm_id, uid, name)
    select $1::int, lpad(to_hex($1::int * 1000 + n), 24, 'd'), 'Block ' || n from generate_series(1, ${GROUPS}) n`,
  `insert into device_group_member (farm_id, group_id, device_id)
    select d.farm_id, g.id, d.id from device d join (select farm_id, id, row_number() over (order by id) as n from device_group) g
      on g.farm_id = d.farm_id and (d.id % ${GROUPS} = g.n % ${GROUPS} or d.id % 7 + 1 = g.n)
    where d.farm_id = $1::int and d.kind = 'sprinkler'`,
  `insert into schedule_set (farm_id, uid, name, settings) values ($1::int, lpad(to_hex($1::int), 24, 'c'), 'Summer', '{"cycleLen": 2880}')`,
  `insert into schedule_set_unit (farm_id, set_id, device_id, schedule_group, entries)
    select d.farm_id, s.id, d.id, 'Block ' || d.id % ${GROUPS},
      jsonb_build_array(jsonb_build_object('start', d.id % 24 * 60, 'duration', 110, 'cycle', 1 + d.id % 2))
    from device d join schedule_set s on s.farm_id = d.farm_id where d.farm_id = $1::int and d.kind = 'sprinkler'`,
  'update farm f set current_set_id = (select id from schedule_set s where s.farm_id = f.id) where f.id = $1::int',
];

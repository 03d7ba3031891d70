import type pg from 'pg';

/** A month or so of waterings of all sprinklers of a farm, up to now. */
export async function addWaterings(client: pg.Client | pg.Pool, farmId: number, days: number): Promise<void> {
  for (const statement of statements)
    await client.query(statement, statement.includes('$2') ? [farmId, days + 2] : [farmId]);
  await client.query('vacuum analyze');
}

/** Each holds one watering of 28 min a day, from midnight by its number, and watered by it unless it is one in fifty. */
const statements = [
  `insert into unit_held (farm_id, device_id, since, crc, entries, cycle_days, how)
    select farm_id, id, now() - interval '60 days', '1A:2B',
      jsonb_build_array(jsonb_build_object('start', id % 50 * 28, 'duration', 28, 'cycle', 1)), 1, 'said'
    from device where farm_id = $1 and kind = 'sprinkler'`,
  `insert into unit_program (farm_id, device_id, schedule_group, crc, entries, cycle_days, wanted_at)
    select farm_id, device_id, 'Block ' || device_id % 20, crc, entries, 1, since from unit_held where farm_id = $1`,
  `insert into watering_run (farm_id, device_id, opened_at, opened_how, open_until, closed_at, closed_how, lps, mm_per_min, is_part)
    select h.farm_id, h.device_id, o.at, 'said', o.at, o.at + interval '28 min', 'said', 4, 0.1724, false
    from unit_held h join farm f on f.id = h.farm_id
    cross join generate_series(0, $2::int) day
    cross join lateral (select (date_trunc('day', now() at time zone f.time_zone_id) - make_interval(days => day)
      + make_interval(mins => (h.entries->0->>'start')::int)) at time zone f.time_zone_id as at) o
    where h.farm_id = $1 and h.device_id % 50 <> day % 50 and o.at + interval '30 min' < now()`,
];

import type pg from 'pg';

/** Each holds what it is to hold, in lines of fifty, and watered by it each day of the week before. */
export async function holdAndWater(client: pg.Client | pg.Pool, farmId: number): Promise<void> {
  for (const statement of statements) await client.query(statement, [farmId]);
  await client.query('vacuum analyze');
}

const statements = [
  `insert into unit_program (farm_id, device_id, set_id, schedule_group, crc, entries, cycle_days, wanted_at)
    select d.farm_id, d.id, f.current_set_id, 'Line ' || d.id / 50, '1A:2B',
      jsonb_build_array(jsonb_build_object('start', d.id % 50 * 28, 'duration', 28, 'cycle', 1)), 1, now() - interval '30 days'
    from device d join farm f on f.id = d.farm_id where d.farm_id = $1::int and d.kind = 'sprinkler'`,
  `insert into unit_held (farm_id, device_id, since, crc, entries, cycle_days, how)
    select farm_id, device_id, wanted_at, crc, entries, 1, 'said' from unit_program where farm_id = $1::int`,
  `insert into watering_run (farm_id, device_id, opened_at, opened_how, open_until, closed_at, closed_how, lps, mm_per_min, is_part)
    select farm_id, device_id, o, 'said', o, o + interval '28 minutes', 'said', 4, 0.17, false from (
      select p.farm_id, p.device_id, date_trunc('day', now()) - make_interval(days => day)
        + make_interval(mins => (entries->0->>'start')::int) - interval '13 hours' as o
      from unit_program p, generate_series(1, 8) day where p.farm_id = $1::int) x`,
  `update latest l set value = 1, valid_value = 1 from series s
    where l.farm_id = $1::int and s.farm_id = l.farm_id and s.id = l.series_id and s.metric = 'cycleLen'`,
];

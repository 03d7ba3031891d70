import type { PoolClient } from 'pg';
import { booleanArray, numberArray } from '../../db/sql-arrays.ts';
import type { StoredRun } from './neighbours.ts';

const removeText = `delete from watering_run r using unnest($1::int[], $2::int[], $3::float8[]) as k (farm_id, device_id, ms)
  where r.farm_id = k.farm_id and r.device_id = k.device_id and r.opened_at = to_timestamp(k.ms / 1000)`;

/** Runs that begin at another time than they were thought to, or are part of another. */
export async function removeRuns(client: PoolClient, runs: readonly StoredRun[]): Promise<void> {
  if (runs.length === 0) return;
  await client.query({
    name: 'remove-watering-runs',
    text: removeText,
    values: [
      numberArray(runs.map(({ farmId }) => farmId)),
      numberArray(runs.map(({ deviceId }) => deviceId)),
      numberArray(runs.map(({ openedAt }) => openedAt)),
    ],
  });
}

const saveText = `insert into watering_run (farm_id, device_id, opened_at, opened_how, open_until, closed_at, closed_how,
    lps, mm_per_min, is_part)
  select farm_id, device_id, to_timestamp(opened_ms / 1000), opened_how, to_timestamp(until_ms / 1000),
    to_timestamp(closed_ms / 1000), closed_how, lps, mm, is_part
  from unnest($1::int[], $2::int[], $3::float8[], $4::text[], $5::float8[], $6::float8[], $7::text[],
      $8::float8[], $9::float8[], $10::boolean[])
    as k (farm_id, device_id, opened_ms, opened_how, until_ms, closed_ms, closed_how, lps, mm, is_part)
  on conflict (farm_id, device_id, opened_at) do update set opened_how = excluded.opened_how,
    open_until = excluded.open_until, closed_at = excluded.closed_at, closed_how = excluded.closed_how`;

/** New ones, and those that are known by when they opened: these keep what their sprinkler gave. */
export async function saveRuns(client: PoolClient, runs: readonly StoredRun[]): Promise<void> {
  if (runs.length === 0) return;
  await client.query({
    name: 'save-watering-runs',
    text: saveText,
    values: [
      numberArray(runs.map(({ farmId }) => farmId)),
      numberArray(runs.map(({ deviceId }) => deviceId)),
      numberArray(runs.map(({ openedAt }) => openedAt)),
      runs.map(({ openedHow }) => openedHow),
      numberArray(runs.map(({ openUntil }) => openUntil)),
      numberArray(runs.map(({ closedAt }) => closedAt)),
      runs.map(({ closedHow }) => closedHow),
      numberArray(runs.map(({ lps }) => lps)),
      numberArray(runs.map(({ mmPerMin }) => mmPerMin)),
      booleanArray(runs.map(({ isPart }) => isPart)),
    ],
  });
}

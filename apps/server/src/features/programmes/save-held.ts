import { numberArray } from '../../db/sql-arrays.ts';
import type { SqlClient } from '../../db/sql-client.ts';
import type { UnitKey } from '../../db/unit-keys.ts';
import type { Held } from './held-after.ts';

/** What a unit holds one after the other, the newest last. */
export type HeldChange = UnitKey & { readonly rows: readonly Held[] };

const endText = `update unit_held h set until = greatest(h.since, to_timestamp(k.ms / 1000))
  from unnest($1::int[], $2::int[], $3::float8[]) as k (farm_id, device_id, ms)
  where h.farm_id = k.farm_id and h.device_id = k.device_id and h.until is null`;

const saveText = `insert into unit_held (farm_id, device_id, since, until, crc, how, entries, cycle_days, stopped_at)
  select farm_id, device_id, to_timestamp(since / 1000), to_timestamp(until / 1000), crc, how, entries::jsonb, cycle_days,
    to_timestamp(stopped / 1000)
  from unnest($1::int[], $2::int[], $3::float8[], $4::float8[], $5::text[], $6::text[], $7::text[], $8::int[], $9::float8[])
    as k (farm_id, device_id, since, until, crc, how, entries, cycle_days, stopped)
  on conflict (farm_id, device_id, since) do update set until = excluded.until, crc = excluded.crc, how = excluded.how,
    entries = excluded.entries, cycle_days = excluded.cycle_days, stopped_at = excluded.stopped_at`;

/** Ends what these units held with the first of their new rows, and adds or changes those. */
export async function saveHeld(client: SqlClient, changes: readonly HeldChange[]): Promise<void> {
  if (changes.length === 0) return;
  await endHeld(
    client,
    changes.map(({ rows, ...unit }) => ({ ...unit, at: rows[0]?.since ?? 0 })),
  );
  const rows = changes.flatMap(({ farmId, deviceId, rows: held }) =>
    bySince(held).map((row, index, all) => ({ farmId, deviceId, row, until: all[index + 1]?.since ?? null })),
  );
  await client.query({
    text: saveText,
    values: [
      numberArray(rows.map(({ farmId }) => farmId)),
      numberArray(rows.map(({ deviceId }) => deviceId)),
      numberArray(rows.map(({ row }) => row.since)),
      numberArray(rows.map(({ until }) => until)),
      rows.map(({ row }) => row.crc),
      rows.map(({ row }) => row.how),
      rows.map(({ row: { programme } }) => programme && JSON.stringify(programme.entries)),
      numberArray(rows.map(({ row: { programme } }) => programme && programme.cycleDays)),
      numberArray(rows.map(({ row }) => row.stoppedAt)),
    ],
  });
}

/** Of two that begin at the same moment the later word counts: a row is known by when it began. */
const bySince = (held: readonly Held[]) => [...new Map(held.map((row) => [row.since, row])).values()];

/** From `at` (epoch ms) on nobody knows what these units hold. */
export async function endHeld(
  client: SqlClient,
  units: readonly (UnitKey & { readonly at: number })[],
): Promise<void> {
  await client.query({
    text: endText,
    values: [
      numberArray(units.map(({ farmId }) => farmId)),
      numberArray(units.map(({ deviceId }) => deviceId)),
      numberArray(units.map(({ at }) => at)),
    ],
  });
}

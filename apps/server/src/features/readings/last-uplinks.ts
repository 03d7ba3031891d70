import type { PoolClient } from 'pg';
import type { KnownDevice } from './device-directory.ts';
import type { ReadPayload } from './read-payload.ts';
import { numberArray } from '../../db/sql-arrays.ts';

/** What a sensor sent last, so that its codec and mapping can be tried on it. */
export interface LastUplink extends Pick<ReadPayload, 'object' | 'codec' | 'warnings' | 'problems'> {
  readonly device: KnownDevice;
  /** Epoch ms. */
  readonly at: number;
  readonly fPort: number;
  readonly fCnt: number;
  readonly bytes: Uint8Array | null;
  /** How long its codec took, ms. */
  readonly tookMs: number | null;
}

/** A decoded object longer than this as JSON isn't kept. */
const OBJECT_CHARACTERS = 64 * 1024;
const PROBLEMS = 20;

const writeText = `insert into last_uplink as u
    (farm_id, device_id, at, f_port, f_cnt, bytes, object, codec, warnings, problems, took_ms)
  select farm_id, device_id, to_timestamp(ms / 1000), f_port, f_cnt, bytes, object::json, codec, warnings::json, problems::json,
    took_ms
  from unnest($1::int[], $2::int[], $3::float8[], $4::int[], $5::float8[], $6::bytea[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::int[]) as k (farm_id, device_id, ms, f_port, f_cnt, bytes, object, codec, warnings, problems,
    took_ms)
  order by farm_id, device_id
  on conflict (farm_id, device_id) do update set at = excluded.at, f_port = excluded.f_port, f_cnt = excluded.f_cnt,
    bytes = excluded.bytes, object = excluded.object, codec = excluded.codec, warnings = excluded.warnings,
    problems = excluded.problems, took_ms = excluded.took_ms
  where u.at <= excluded.at`;

/** Keeps the newest of each sensor. */
export async function writeLastUplinks(client: PoolClient, uplinks: readonly LastUplink[]): Promise<void> {
  const newest = new Map<number, LastUplink>();
  for (const uplink of uplinks) {
    const known = newest.get(uplink.device.id);
    if (!known || uplink.at >= known.at) newest.set(uplink.device.id, uplink);
  }
  if (newest.size === 0) return;
  const rows = [...newest.values()];
  await client.query({
    name: 'write-last-uplinks',
    text: writeText,
    values: [
      numberArray(rows.map(({ device }) => device.farmId)),
      numberArray(rows.map(({ device }) => device.id)),
      numberArray(rows.map(({ at }) => at)),
      numberArray(rows.map(({ fPort }) => fPort)),
      numberArray(rows.map(({ fCnt }) => fCnt)),
      rows.map(({ bytes }) => (bytes ? Buffer.from(bytes) : null)),
      rows.map(({ object }) => kept(object)),
      rows.map(({ codec }) => codec),
      rows.map(({ warnings }) => JSON.stringify(warnings)),
      rows.map(({ problems }) => JSON.stringify(problems.slice(0, PROBLEMS))),
      numberArray(rows.map(({ tookMs }) => tookMs)),
    ],
  });
}

function kept(object: object | null): string | null {
  const json = object && JSON.stringify(object);
  return json && json.length <= OBJECT_CHARACTERS ? json : null;
}

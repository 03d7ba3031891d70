import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { booleanArray, numberArray } from '../../db/sql-arrays.ts';

/** What a network server sent of a known sensor, as it came. */
export interface RawUplink {
  readonly farmId: number;
  readonly deviceId: number;
  /** The network's time, epoch ms. */
  readonly at: number;
  readonly receivedAt: Date;
  readonly topic: string;
  /** Of the integration key; null through an outside broker. */
  readonly keyId: number | null;
  readonly payload: Buffer;
  /** Its sensor's codec has to decode it. */
  readonly isDue: boolean;
  /** It was not decoded and shall be, also where it is stored already. */
  readonly isAgain: boolean;
}

/** An uplink that was stored and waits for its codec. */
export interface DueUplink {
  readonly farmId: number;
  readonly uplinkId: string;
  readonly deviceId: number;
  /** Decoded once more, see decode-anew. */
  readonly anew: boolean;
  readonly run: number;
  readonly bytes: number;
}

/** What a farm's uplinks amount to. */
export interface UplinkCount {
  readonly farmId: number;
  readonly kept: number;
  readonly keptBytes: number;
  readonly waiting: number;
  readonly waitingBytes: number;
}

/** The same message sent again changes nothing: its sender didn't hear that it was stored. */
const keepText = `with given as (
    select distinct on (farm_id, device_id, digest) * from unnest($1::int[], $2::int[], $3::float8[], $4::float8[], $5::text[],
      $6::int[], $7::bytea[], $8::bytea[], $9::boolean[], $10::boolean[]) with ordinality
      as k (farm_id, device_id, ms, received_ms, topic, key_id, digest, payload, is_due, is_again, n)
    order by farm_id, device_id, digest, n
  ), added as (
    insert into uplink (farm_id, device_id, at, received_at, topic, key_id, digest, payload)
    select farm_id, device_id, to_timestamp(ms / 1000), to_timestamp(received_ms / 1000), topic, key_id, digest, payload
    from given order by n
    on conflict do nothing returning farm_id, id, device_id, digest, octet_length(payload) as bytes
  ), due as (
    select a.farm_id, a.id, a.device_id, a.bytes from added a join given g using (farm_id, device_id, digest) where g.is_due
    union all
    select u.farm_id, u.id, u.device_id, octet_length(u.payload) from given g join uplink u
      on u.farm_id = g.farm_id and u.device_id = g.device_id and u.at = to_timestamp(g.ms / 1000) and u.digest = g.digest
    where g.is_due and g.is_again
  ), waiting as (
    insert into uplink_due (farm_id, anew, uplink_id, device_id) select farm_id, false, id, device_id from due
    on conflict do nothing returning farm_id, uplink_id
  )
  select farm_id as "farmId", sum(kept)::int as kept, sum(kept_bytes)::float8 as "keptBytes", sum(waiting)::int as waiting,
    sum(waiting_bytes)::float8 as "waitingBytes"
  from (
    select farm_id, 1 as kept, bytes as kept_bytes, 0 as waiting, 0 as waiting_bytes from added
    union all
    select d.farm_id, 0, 0, 1, d.bytes from due d join waiting w on w.farm_id = d.farm_id and w.uplink_id = d.id
  ) n
  group by farm_id`;

/** Stores what wasn't yet; returns by how much farms have more. */
export async function keepUplinks(
  client: PoolClient,
  uplinks: readonly RawUplink[],
): Promise<readonly UplinkCount[]> {
  if (uplinks.length === 0) return [];
  const result = await client.query<UplinkCount>({
    name: 'keep-uplinks',
    text: keepText,
    values: [
      numberArray(uplinks.map(({ farmId }) => farmId)),
      numberArray(uplinks.map(({ deviceId }) => deviceId)),
      numberArray(uplinks.map(({ at }) => at)),
      numberArray(uplinks.map(({ receivedAt }) => receivedAt.getTime())),
      uplinks.map(({ topic }) => topic),
      numberArray(uplinks.map(({ keyId }) => keyId)),
      uplinks.map(({ payload }) => digestOf(payload)),
      uplinks.map(({ payload }) => payload),
      booleanArray(uplinks.map(({ isDue }) => isDue)),
      booleanArray(uplinks.map(({ isAgain }) => isAgain)),
    ],
  });
  return result.rows;
}

const digestOf = (payload: Buffer) => createHash('sha256').update(payload).digest().subarray(0, 16);

const doneText = `delete from uplink_due d using unnest($1::int[], $2::boolean[], $3::bigint[], $4::int[])
    as k (farm_id, anew, uplink_id, run)
  where d.farm_id = k.farm_id and d.anew = k.anew and d.uplink_id = k.uplink_id and d.run = k.run
  returning d.uplink_id as "uplinkId"`;

/** They wait no more. Returns those that did: others were decoded by another server meanwhile, or are asked for anew. */
export async function endWaiting(client: PoolClient, due: readonly DueUplink[]): Promise<Set<string>> {
  if (due.length === 0) return new Set();
  const result = await client.query<{ uplinkId: string }>({
    name: 'end-waiting',
    text: doneText,
    values: [
      numberArray(due.map(({ farmId }) => farmId)),
      booleanArray(due.map(({ anew }) => anew)),
      due.map(({ uplinkId }) => uplinkId),
      numberArray(due.map(({ run }) => run)),
    ],
  });
  return new Set(result.rows.map(({ uplinkId }) => uplinkId));
}

const countText = `insert into uplink_count as c (farm_id, kept, kept_bytes, waiting, waiting_bytes)
  select farm_id, sum(kept), sum(kept_bytes), sum(waiting), sum(waiting_bytes)
  from unnest($1::int[], $2::int[], $3::float8[], $4::int[], $5::float8[]) as k (farm_id, kept, kept_bytes, waiting, waiting_bytes)
  group by farm_id order by farm_id
  on conflict (farm_id) do update set kept = c.kept + excluded.kept, kept_bytes = c.kept_bytes + excluded.kept_bytes,
    waiting = c.waiting + excluded.waiting, waiting_bytes = c.waiting_bytes + excluded.waiting_bytes
  returning farm_id as "farmId", kept, kept_bytes::float8 as "keptBytes", waiting, waiting_bytes::float8 as "waitingBytes"`;

/**
 * Adds up what farms have more, and less of `due` that wait no longer; returns what these farms have now. Last in a transaction: all
 * others of the farm wait for it from here on.
 */
export async function countUplinks(
  client: PoolClient,
  more: readonly UplinkCount[],
  due: readonly DueUplink[],
): Promise<readonly UplinkCount[]> {
  const less = due
    .filter(({ anew }) => !anew)
    .map(({ farmId, bytes }) => ({ farmId, kept: 0, keptBytes: 0, waiting: -1, waitingBytes: -bytes }));
  const changes = [...more, ...less];
  if (changes.length === 0) return [];
  const result = await client.query<UplinkCount>({
    name: 'count-uplinks',
    text: countText,
    values: [
      numberArray(changes.map(({ farmId }) => farmId)),
      numberArray(changes.map(({ kept }) => kept)),
      numberArray(changes.map(({ keptBytes }) => keptBytes)),
      numberArray(changes.map(({ waiting }) => waiting)),
      numberArray(changes.map(({ waitingBytes }) => waitingBytes)),
    ],
  });
  return result.rows;
}

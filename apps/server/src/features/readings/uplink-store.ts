import type { Pool } from 'pg';
import { UPLINKS_KEPT, UPLINKS_WAITING } from '@headrace/contract/limits';
import type { IngestLog } from './ingest-options.ts';
import type { UplinkCount } from './raw-uplinks.ts';

/** Minds that no farm's uplinks become too many. */
export interface UplinkStore {
  /** Whether more of the farm's uplinks may wait for their codecs. */
  hasRoom(farmId: number): boolean;
  /** What farms have after a commit that added some. */
  stored(counts: readonly UplinkCount[]): void;
  /** Resolves when what was too much is gone. */
  done(): Promise<void>;
}

/** Of what is deleted in one statement. */
const STEP = 2000;

/** `onWaiting`: there is something to decode. */
export function createUplinkStore(options: {
  pool: Pool;
  log: IngestLog;
  onWaiting: () => void;
  kept?: { count: number; bytes: number };
  waiting?: { count: number; bytes: number };
}): UplinkStore {
  const { pool, log, onWaiting, kept = UPLINKS_KEPT, waiting = UPLINKS_WAITING } = options;
  const full = new Set<number>();
  const trimming = new Map<number, Promise<void>>();

  function trim(farmId: number): void {
    if (trimming.has(farmId)) return;
    const job = trimFarm(pool, farmId, kept)
      .catch((error: unknown) => log.warn({ err: error, farmId }, 'old uplinks not removed'))
      .finally(() => trimming.delete(farmId));
    trimming.set(farmId, job);
  }

  return {
    hasRoom: (farmId) => !full.has(farmId),
    stored(counts) {
      for (const count of counts) {
        const isFull = count.waiting >= waiting.count || count.waitingBytes >= waiting.bytes;
        if (isFull) full.add(count.farmId);
        else full.delete(count.farmId);
        if (count.kept > kept.count || count.keptBytes > kept.bytes) trim(count.farmId);
      }
      if (counts.some((count) => count.waiting > 0)) onWaiting();
    },
    done: async () => void (await Promise.all(trimming.values())),
  };
}

const isDecoded = `not exists (select from uplink_due d where d.farm_id = u.farm_id and not d.anew and d.uplink_id = u.id)
    and not exists (select from uplink_due d where d.farm_id = u.farm_id and d.anew and d.uplink_id = u.id)`;

/** The oldest that don't wait to be decoded, whichever sensor they are of; the farm's count goes with them. */
const trimText = `with old as (
    select u.farm_id, u.id from uplink u where u.farm_id = $1 and ${isDecoded} order by u.id limit $2
  ), gone as (
    delete from uplink u using old where u.farm_id = old.farm_id and u.id = old.id
    returning u.farm_id, octet_length(u.payload) as bytes
  )
  update uplink_count c set kept = c.kept - g.n, kept_bytes = c.kept_bytes - g.bytes
  from (select count(*) as n, coalesce(sum(bytes), 0) as bytes from gone) g
  where c.farm_id = $1
  returning c.kept, c.kept_bytes::float8 as "keptBytes", g.n::int as gone`;

async function trimFarm(pool: Pool, farmId: number, most: { count: number; bytes: number }): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ kept: number; keptBytes: number; gone: number }>({
      name: 'trim-uplinks',
      text: trimText,
      values: [farmId, STEP],
    });
    const [left] = rows;
    if (!left || left.gone === 0 || (left.kept <= most.count && left.keptBytes <= most.bytes)) return;
  }
}

const expireText = `with old as (
    select u.farm_id, u.id from uplink u where u.received_at < $1 and ${isDecoded} order by u.received_at limit $2
  ), gone as (
    delete from uplink u using old where u.farm_id = old.farm_id and u.id = old.id
    returning u.farm_id, octet_length(u.payload) as bytes
  ), fewer as (
    update uplink_count c set kept = c.kept - g.n, kept_bytes = c.kept_bytes - g.bytes
    from (select farm_id, count(*) as n, sum(bytes) as bytes from gone group by farm_id order by farm_id) g
    where c.farm_id = g.farm_id
  )
  select count(*)::int as n from gone`;

/** Removes what was received longer ago than uplinks are kept; what still waits to be decoded stays. Returns how many. */
export async function expireUplinks(pool: Pool, now: Date): Promise<number> {
  const before = new Date(now.getTime() - UPLINKS_KEPT.days * 86_400_000);
  for (let total = 0; ; ) {
    const { rows } = await pool.query<{ n: number }>(expireText, [before, STEP]);
    const gone = rows[0]?.n ?? 0;
    total += gone;
    if (gone < STEP) return total;
  }
}

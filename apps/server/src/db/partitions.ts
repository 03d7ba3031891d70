import type { ClientBase, Pool, PoolClient } from 'pg';

const known = new WeakMap<Pool, Set<string>>();

/** `2026-11` of a time (epoch ms), UTC. */
const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7);

/**
 * Makes sure that history has a partition for each month in which one of these times (epoch ms) lies. Remembers what
 * it has made; late readings and backfill open old months on demand.
 */
export async function ensurePartitions(pool: Pool, times: Iterable<number>): Promise<void> {
  let months = known.get(pool);
  if (!months) known.set(pool, (months = new Set()));
  const missing = new Set<string>();
  for (const at of times) {
    const month = monthOf(at);
    if (!months.has(month)) missing.add(month);
  }
  for (const month of [...missing].toSorted()) {
    await inTransaction(pool, (client) => openMonth(client, month));
    months.add(month);
  }
}

/**
 * Makes the partition of `month` (`2026-11`) in the client's transaction, unless it is there. Under a lock of its own, so
 * that two servers opening the same month don't meet.
 */
export async function openMonth(client: ClientBase, month: string): Promise<void> {
  const name = `reading_${month.replace('-', '_')}`;
  const from = `${month}-01`;
  const [year, number] = month.split('-').map(Number) as [number, number];
  const to = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
  await client.query("select pg_advisory_xact_lock(hashtext('headrace partitions'))");
  const there = await client.query('select 1 from pg_class where relname = $1', [name]);
  if (there.rowCount) return;
  await client.query(`create table ${name} partition of reading for values from ('${from} 00:00+00') to ('${to} 00:00+00')
    with (autovacuum_vacuum_insert_scale_factor = 0.02)`);
}

/** Runs `work` in one transaction; rolls back and rethrows when it fails. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (rollbackError: Error) => client.release(rollbackError),
    );
    throw error;
  }
}

import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../db/client.ts';

/**
 * How large the database is, for whoever compares it with its disk: of a database on another machine PostgreSQL tells this and,
 * once it is so, that there is no room; what is free only that machine knows. Of the last time that somebody asked: a database
 * that is away doesn't keep the other figures from being read.
 */
export function measureDatabase(registry: Registry, db: Db): void {
  const gauge = new Gauge({
    name: 'headrace_database_bytes',
    help: 'Size of the database, without its journal',
    registers: [],
    collect: () => void measure().catch(() => {}),
  });
  async function measure(): Promise<void> {
    const size = sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`;
    const { rows } = await size.execute(db);
    gauge.set(Number(rows[0]?.bytes));
  }
  registry.registerMetric(gauge);
  void measure().catch(() => {});
}

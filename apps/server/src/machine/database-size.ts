import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../db/client.ts';
import { inGigabytes } from './gigabytes.ts';
import type { OperatorNotices } from './operator-notices.ts';

export interface DatabaseSize {
  /** Asks, and tells the operator where it is due; as it does by itself each minute. */
  look(): Promise<void>;
  /** For /readyz: `ok`, or `warning: …`. */
  check(): string;
  metrics(registry: Registry): void;
  stop(): void;
}

interface Options {
  db: Db;
  /** How large the operator lets it grow, bytes; 0: nobody said. */
  maxBytes: number;
  /** Less left than this is told; of a small limit a tenth. Bytes. */
  warnBytes: number;
  notices: OperatorNotices;
}

const EVERY_MS = 60_000;

/**
 * The size of the database, to compare with its disk. PostgreSQL reports its size and, when it is too late, that the disk is full; only
 * its machine knows how much is free. If the operator has set a maximum, he is warned before that. `bytes` is the last known figure, so
 * that other figures can be read while the database is away.
 */
export function watchDatabaseSize({ db, maxBytes, warnBytes, notices }: Options): DatabaseSize {
  let bytes: number | null = null;

  async function look(): Promise<void> {
    const size = sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`;
    const { rows } = await size.execute(db);
    bytes = Number(rows[0]?.bytes);
    const sentence = judgeSize(bytes, maxBytes, warnBytes);
    if (sentence) await notices.tell('the database is nearly as large as it may be', [sentence, WHAT_TO_DO]);
  }

  const ask = () => void look().catch(() => {});
  const timer = setInterval(ask, EVERY_MS);
  timer.unref();
  return {
    look,
    check() {
      const sentence = judgeSize(bytes ?? 0, maxBytes, warnBytes);
      return sentence === null ? 'ok' : `warning: ${sentence}`;
    },
    metrics(registry) {
      registry.registerMetric(
        new Gauge({
          name: 'headrace_database_bytes',
          help: 'Size of the database, without its journal',
          registers: [],
          collect() {
            ask();
            if (bytes !== null) this.set(bytes);
          },
        }),
      );
      ask();
    },
    stop: () => clearInterval(timer),
  };
}

const WHAT_TO_DO =
  'Give it more room and raise DATABASE_MAX_MB, or keep readings for less long (RAW_RETENTION_DAYS). When its disk is full nothing can be stored.';

/** Null: there is room, or nobody said how much there is. */
export function judgeSize(bytes: number, maxBytes: number, warnBytes: number): string | null {
  if (maxBytes === 0 || maxBytes - bytes >= Math.min(warnBytes, maxBytes / 10)) return null;
  const sizes = `${inGigabytes(bytes)} of ${inGigabytes(maxBytes)} (DATABASE_MAX_MB)`;
  return bytes >= maxBytes
    ? `the database is larger than it may be: ${sizes}`
    : `the database is nearly as large as it may be: ${sizes}`;
}

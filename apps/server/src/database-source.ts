import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import { startEmbeddedPostgres } from './db/embedded/start-embedded-postgres.ts';

export interface DatabaseSource {
  readonly url: string;
  stop(): Promise<void>;
}

export interface DatabaseSourceNews {
  /** Ours has been launched, though it isn't ready yet. */
  onLaunched?: () => void;
  /** Ours would not run any more. */
  onGaveUp?: (error: Error) => void;
}

/** The operator's PostgreSQL, or our own started now. `stop` ends only what we started. */
export async function openDatabaseSource(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: FastifyBaseLogger,
  news: DatabaseSourceNews = {},
): Promise<DatabaseSource> {
  if (config.databaseUrl) return { url: config.databaseUrl, stop: async () => {} };
  return startEmbeddedPostgres({ dataDir: config.dataDir, log, ...news });
}

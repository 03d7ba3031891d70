import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import { startEmbeddedPostgres } from './db/embedded/start-embedded-postgres.ts';

export interface DatabaseSource {
  readonly url: string;
  stop(): Promise<void>;
}

/** The operator's PostgreSQL, or our own started now. `stop` ends only what we started; `onGaveUp` hears when ours would not run any more. */
export async function openDatabaseSource(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: FastifyBaseLogger,
  onGaveUp: (error: Error) => void = () => {},
): Promise<DatabaseSource> {
  if (config.databaseUrl) return { url: config.databaseUrl, stop: async () => {} };
  return startEmbeddedPostgres({ dataDir: config.dataDir, log, onGaveUp });
}

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface DatabaseWatch {
  /** What is wrong at this moment, as far as it is known after `WITHIN_MS`; null when it answers. */
  check(): Promise<string | null>;
  /** It refuses connections, or was silent when asked twice: whoever asks it would wait in vain. */
  isAway(): boolean;
  stop(): Promise<void>;
}

interface WatchOptions {
  url: string;
  log: { warn(details: object, message: string): void; info(details: object, message: string): void };
  everyMs?: number;
}

const EVERY_MS = 1000;
/** An answer to nothing takes some ms; the machine may be busy. */
const WITHIN_MS = 2000;
/** Once may be our own doing: a process that was held up hears its timers before it hears what came meanwhile. */
const SILENCES = 2;

/** Asks the database again and again whether it is there, on a connection of its own that nobody can take from it. */
export function watchDatabase({ url, log, everyMs = EVERY_MS }: WatchOptions): DatabaseWatch {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    application_name: 'headrace watch',
    connectionTimeoutMillis: WITHIN_MS,
    query_timeout: WITHIN_MS,
    keepAlive: true,
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const stopping = new AbortController();
  let silences = 0;
  let isRefused = false;
  let wasAway = false;
  let asking: Promise<string | null> | undefined;

  async function ask(): Promise<string | null> {
    try {
      await pool.query('select 1');
      silences = 0;
      isRefused = false;
      return null;
    } catch (error) {
      isRefused = !isSilence(error);
      silences += 1;
      return isRefused ? 'not reachable' : `no answer within ${WITHIN_MS / 1000} s`;
    } finally {
      asking = undefined;
      tell();
    }
  }

  /** Whoever asks meanwhile hears the same answer. */
  const check = () => (asking ??= ask());
  const isAway = () => isRefused || silences >= SILENCES;

  function tell(): void {
    if (isAway() === wasAway) return;
    wasAway = !wasAway;
    if (wasAway) log.warn({}, 'the database is away: calls are answered with 503 until it is back');
    else log.info({}, 'the database is back');
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await check();
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const watching = watch();
  return {
    check,
    isAway,
    async stop() {
      stopping.abort();
      await watching;
      await pool.end();
    },
  };
}

/** It took the connection or the question, and was not heard of: it may be busy, or frozen. */
const isSilence = (error: unknown) =>
  error instanceof Error && /timeout/i.test(error.message) && !('code' in error);

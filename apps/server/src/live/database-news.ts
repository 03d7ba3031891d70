import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from '../db/client.ts';
import type { LiveListener, News } from './live-bus.ts';
import { readNews } from './news-schema.ts';

const CHANNEL = 'headrace_news';
const RECONNECT_MS = 2000;

/** Every server hears it when `db`'s transaction commits; also from a program that is no server, as the operator's command. */
export async function tellServers(db: Db, news: News): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(news)})`.execute(db);
}

/**
 * Hears what tellServers says, on a connection of its own that comes back when it breaks; `listening` resolves when it hears for the
 * first time.
 */
export function listenToDatabase(
  databaseUrl: string,
  listener: LiveListener,
  log: { warn(details: object, message: string): void },
): { listening: Promise<void>; stop(): Promise<void> } {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Also where the database was away from the start: pages may be open already. */
  let hasMissed = false;
  let stopped = false;
  let listens = () => {};
  const listening = new Promise<void>((resolve) => (listens = resolve));

  async function open(): Promise<void> {
    const next = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'headrace news',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    client = next;
    next.on('error', () => {});
    next.once('end', again);
    next.on('notification', ({ payload }) => hear(payload));
    await next.connect();
    await next.query(`listen ${CHANNEL}`);
    if (hasMissed) listener.onGap();
    hasMissed = false;
    listens();
  }

  function hear(payload = ''): void {
    const news = readNews(payload);
    if (news) void listener.onNews(news);
    else log.warn({ bytes: payload.length }, 'news from the database not read');
  }

  function again(): void {
    if (stopped) return;
    hasMissed = true;
    clearTimeout(timer);
    timer = setTimeout(connect, RECONNECT_MS);
  }

  function connect(): void {
    opening = open().catch((error: unknown) => {
      log.warn({ err: error }, 'news from the database not heard');
      again();
    });
  }

  let opening: Promise<void> = Promise.resolve();
  connect();
  return {
    listening,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await opening;
      await client?.end().catch(() => {});
    },
  };
}

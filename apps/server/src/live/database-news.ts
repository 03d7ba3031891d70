import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from '../db/client.ts';
import type { LiveListener, News } from './live-bus.ts';
import { readNews } from './news-schema.ts';

const CHANNEL = 'headrace_news';
/** Filled by triggers (migrations 0078 and 0176). */
const ACCESS_CHANNEL = 'headrace_access';
const ACCESS_TRIGGERS = 11;
const JOBS_CHANNEL = 'headrace_jobs';
const RECONNECT_MS = 2000;
/** A connection that is silent for this long while it is asked something is given up, ms. */
const SILENT_MS = 5000;
/** Its types don't know the driver's own limit of a single query. */
const NOTHING: pg.QueryConfig & { query_timeout: number } = { text: '', query_timeout: SILENT_MS };

/** Hears of changes of who may do what, whoever made them. */
export interface AccessListener {
  /** Every change is heard from now on. `caughtUp` resolves when those that were committed before it was called have been, and rejects where that isn't known. */
  onHearing(caughtUp: () => Promise<unknown>): void;
  /** Whose rights are others now: `account 7`, or `farm 12` with its devices. */
  onChanged(whose: string): void;
  /** Changes may go unheard from now on. */
  onDeaf(): void;
}

/** Every server hears it when `db`'s transaction commits; also from a program that is no server, as the operator's command. */
export async function tellServers(db: Db, news: News): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(news)})`.execute(db);
}

/** Every server looks for long jobs when `db`'s transaction commits. */
export async function wakeLongJobs(db: Db): Promise<void> {
  await sql`select pg_notify(${JOBS_CHANNEL}, '')`.execute(db);
}

/**
 * Hears what tellServers, wakeLongJobs and the triggers of access say, on a connection of its own that comes back when it breaks;
 * `listening` resolves when it hears for the first time.
 */
export function listenToDatabase(
  databaseUrl: string,
  listener: LiveListener,
  log: { warn(details: object, message: string): void },
  access?: AccessListener,
  onLongJob?: () => void,
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
    next.on('error', () => access?.onDeaf());
    next.once('end', again);
    next.on('notification', ({ channel, payload = '' }) => {
      if (channel === ACCESS_CHANNEL) access?.onChanged(payload);
      else if (channel === JOBS_CHANNEL) onLongJob?.();
      else hear(payload);
    });
    await next.connect();
    await next.query(`listen ${CHANNEL}; listen ${ACCESS_CHANNEL}; listen ${JOBS_CHANNEL}`);
    if (access && (await hasAccessTriggers(next))) access.onHearing(() => caughtUp(next));
    if (hasMissed) listener.onGap();
    hasMissed = false;
    listens();
  }

  /** PostgreSQL hands over what was committed before it answers, however little it is asked. */
  async function caughtUp(asked: pg.Client): Promise<void> {
    try {
      await asked.query(NOTHING);
    } catch (error) {
      access?.onDeaf();
      void asked.end().catch(() => {});
      throw error;
    }
  }

  function hear(payload: string): void {
    const news = readNews(payload);
    if (news) void listener.onNews(news);
    else log.warn({ bytes: payload.length }, 'news from the database not read');
  }

  function again(): void {
    access?.onDeaf();
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

/** Not where a restore or an administrator left triggers out. */
async function hasAccessTriggers(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_trigger where tgname like 'tell\\_access\\_%' and tgenabled in ('O', 'A')`,
  );
  return rows[0]?.count === ACCESS_TRIGGERS;
}

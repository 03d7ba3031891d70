import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface RegistryOptions {
  databaseUrl: string;
  /** The name under which the broker keeps this server's session. */
  clientId: string;
  log: { info(details: object, message: string): void; warn(details: object, message: string): void };
  timing?: Partial<typeof TIMING>;
}

export interface RegistryDuties {
  /** One server at a time listens to the states of gateways: this one from now on, or no longer. */
  onLead(leads: boolean): void;
  /** Stores what the broker keeps for a server that is gone; true when nothing is left there. */
  adopt(clientId: string): Promise<boolean>;
}

export interface ServerRegistry {
  watch(duties: RegistryDuties): void;
  /** What an operator should know; null when all is well. */
  trouble(): string | null;
  stop(): Promise<void>;
}

const TIMING = {
  /** How often a server says that it is there, and looks after the others. */
  tickMs: 5_000,
  /** A server that has not said so for this long is gone. */
  goneAfterMs: 15_000,
  /** How long a starting server waits for its name: a server that was killed, or one that empties its session, may hold it. */
  waitMs: 20_000,
};
/** A dead machine's locks are given up after about 25 s; by PostgreSQL's defaults it would take hours. */
const KEEP_ALIVE = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';
const LEAD = 'headrace gateway states';

/**
 * The servers behind one broker, in the database that they share. Each holds a lock on its name, so that no two use one
 * session of the broker. A broker goes on giving a server that is gone its share of messages (Mosquitto does for days), so
 * the others empty its session and take it out of the sharing; one of them listens to the states of gateways.
 */
export async function joinServers(options: RegistryOptions): Promise<ServerRegistry> {
  const { clientId, log } = options;
  const timing = { ...TIMING, ...options.timing };
  let client: pg.Client | undefined = await open();
  let leads = false;
  let duties: RegistryDuties | undefined;
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();
  let stopped = false;

  if (!(await lockName(client, timing.waitMs))) {
    await client.end();
    throw new Error(
      `Another Headrace server uses the name ${clientId} at the broker. Give every server its own SERVER_NAME, or stop the other.`,
    );
  }
  await sayHere(client);

  async function open(): Promise<pg.Client> {
    const own = new pg.Client({
      connectionString: options.databaseUrl,
      application_name: 'headrace-registry',
      connectionTimeoutMillis: 10_000,
      query_timeout: 30_000,
      keepAlive: true,
      options: KEEP_ALIVE,
    });
    own.on('error', () => lose(own));
    own.on('end', () => lose(own));
    await own.connect();
    return own;
  }

  function lose(own: pg.Client): void {
    if (client !== own) return;
    client = undefined;
    setLead(false);
  }

  /** A connection that failed once may hold the name or not: only a new one is sure. */
  function startAnew(): void {
    const own = client;
    if (own === undefined) return;
    lose(own);
    void own.end().catch(() => undefined);
  }

  function setLead(now: boolean): void {
    if (leads === now) return;
    leads = now;
    duties?.onLead(now);
  }

  async function lockName(own: pg.Client, waitMs: number): Promise<boolean> {
    for (const until = performance.now() + waitMs; ; await sleep(250)) {
      if (await tryLock(own, sessionLock(clientId))) return true;
      if (performance.now() >= until) return false;
    }
  }

  async function sayHere(own: pg.Client): Promise<void> {
    await own.query(
      'insert into broker_session (client_id, seen_at) values ($1, now()) on conflict (client_id) do update set seen_at = now()',
      [clientId],
    );
  }

  async function lookAfter(): Promise<void> {
    const own = client ?? (await rejoin());
    if (own === undefined) return;
    await sayHere(own);
    if (!leads && (await tryLock(own, LEAD))) setLead(true);
    const { rows } = await own.query<{ clientId: string; seenAt: string }>(
      `select client_id as "clientId", seen_at::text as "seenAt" from broker_session
       where client_id <> $1 and seen_at < now() - make_interval(secs => $2) order by client_id`,
      [clientId, timing.goneAfterMs / 1000],
    );
    for (const gone of rows) if (!stopped) await takeOver(own, gone);
  }

  /** After the database was away. Without its name this server goes on working, and tries again at the next turn. */
  async function rejoin(): Promise<pg.Client | undefined> {
    const own = await open();
    client = own;
    if (await lockName(own, 0)) return own;
    log.warn({ clientId }, 'another server holds the name of this one');
    client = undefined;
    await own.end();
    return undefined;
  }

  async function takeOver(own: pg.Client, gone: { clientId: string; seenAt: string }): Promise<void> {
    const lock = sessionLock(gone.clientId);
    if (duties === undefined || !(await tryLock(own, lock))) return;
    try {
      const isEmpty = await duties.adopt(gone.clientId);
      log.info(
        { clientId: gone.clientId, isEmpty },
        'took over what the broker kept for a server that is gone',
      );
      if (isEmpty)
        await own.query('delete from broker_session where client_id = $1 and seen_at = $2::timestamptz', [
          gone.clientId,
          gone.seenAt,
        ]);
    } finally {
      await own.query('select pg_advisory_unlock(hashtext($1))', [lock]);
    }
  }

  function next(): void {
    turn = lookAfter()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'the registry of servers was not reached');
        startAnew();
      })
      .finally(() => {
        if (!stopped) timer = setTimeout(next, timing.tickMs);
      });
  }

  return {
    watch(given) {
      duties = given;
      next();
    },

    trouble: () =>
      client === undefined ? `the database lock on the name ${clientId} is not held at present` : null,

    async stop() {
      stopped = true;
      clearTimeout(timer);
      await turn;
      setLead(false);
      const own = client;
      client = undefined;
      // The others need not wait: they take over at their next turn, unless this server is back by then.
      await own
        ?.query("update broker_session set seen_at = '-infinity' where client_id = $1", [clientId])
        .catch(() => undefined);
      await own?.end().catch(() => undefined);
    },
  };
}

const sessionLock = (clientId: string) => `headrace broker session ${clientId}`;

async function tryLock(client: pg.Client, key: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock(hashtext($1)) as locked',
    [key],
  );
  return rows[0]?.locked === true;
}

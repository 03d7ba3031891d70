import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface RegistryOptions {
  databaseUrl: string;
  /** The name of this server at the broker. */
  clientId: string;
  log: { info(details: object, message: string): void; warn(details: object, message: string): void };
  timing?: Partial<typeof TIMING>;
}

export interface RegistryDuties {
  /** One server at a time receives messages from devices. Called with whether it is this one, once that is known and on each change. */
  onLead(leads: boolean): void;
  /** It has not been able to for a while: another server may be nearer to the broker. */
  isStuck(): boolean;
}

export interface ServerRegistry {
  watch(duties: RegistryDuties): void;
  /** What an operator should know; null when all is well. */
  trouble(): string | null;
  stop(): Promise<void>;
}

const TIMING = {
  /** How often a server looks whether it is its turn. */
  tickMs: 2_000,
  /** How long a starting server waits for its name: one that was killed may hold it. */
  waitMs: 20_000,
};
/** A dead machine's locks are given up after about 25 s; by PostgreSQL's defaults it would take hours. */
const KEEP_ALIVE = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';
const LEAD = 'headrace uplinks';

/**
 * The servers behind one broker, in the database that they share. Each holds a lock on its name, which a broker gives to
 * one connection only, and one of them the lock on what devices say: the lock goes with its holder, and the next takes over.
 */
export async function joinServers(options: RegistryOptions): Promise<ServerRegistry> {
  const { clientId, log } = options;
  const timing = { ...TIMING, ...options.timing };
  let client: pg.Client | undefined = await open();
  /** Undefined: not known yet. */
  let leads: boolean | undefined;
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
      if (await tryLock(own, `headrace broker session ${clientId}`)) return true;
      if (performance.now() >= until) return false;
    }
  }

  async function look(): Promise<void> {
    const own = client ?? (await rejoin());
    if (own === undefined) return;
    if (!leads) return setLead(await tryLock(own, LEAD));
    if (!duties?.isStuck()) return;
    log.warn({ clientId }, 'the broker is out of reach: another server may take what devices say');
    setLead(false);
    await own.query('select pg_advisory_unlock(hashtext($1))', [LEAD]);
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

  function next(): void {
    turn = look()
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
      await own?.end().catch(() => undefined);
    },
  };
}

async function tryLock(client: pg.Client, key: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock(hashtext($1)) as locked',
    [key],
  );
  return rows[0]?.locked === true;
}

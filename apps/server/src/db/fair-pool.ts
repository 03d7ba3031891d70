import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { type DatabaseFault, databaseFaultOf, isQueryTimeout, NO_CONNECTION_FREE } from './database-fault.ts';
import { nameOfStatement } from './prepared.ts';

/** For whom the work at hand is done, as `farm 7`; unset for work of the server itself. */
const onBehalf = new AsyncLocalStorage<string>();

/** Everything that `work` asks of a FairPool, however deep, counts for `whom`. */
export const onBehalfOf = <T>(whom: string, work: () => T): T => onBehalf.run(whom, work);

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

interface Share {
  held: number;
  readonly waiting: (() => void)[];
}

/**
 * A pool of which nobody holds more than half: one farm's slow queries leave the other half to all others. Who has their half
 * waits for one of their own to come back, as long as for any connection.
 */
export class FairPool extends pg.Pool {
  readonly #shares = new Map<string, Share>();
  readonly #most: number;
  readonly #waitMs: number;

  /** Hears what the database failed with, as long as it was its own fault. */
  onFault: (fault: DatabaseFault) => void = () => {};

  constructor(config: pg.PoolConfig & { max: number; connectionTimeoutMillis: number }) {
    super(config);
    this.#most = Math.max(1, Math.floor(config.max / 2));
    this.#waitMs = config.connectionTimeoutMillis;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (!callback) return this.#connect();
    void this.#connectFor(callback);
  }

  async #connectFor(callback: Connected): Promise<void> {
    let client: pg.PoolClient;
    try {
      client = await this.#connect();
    } catch (error) {
      callback(error as Error, undefined, () => {});
      return;
    }
    callback(undefined, client, () => client.release());
  }

  async #connect(): Promise<pg.PoolClient> {
    const whom = onBehalf.getStore();
    if (whom === undefined) return this.#watched(await super.connect());
    const share = this.#shareOf(whom);
    await this.#room(share);
    try {
      return this.#watched(await super.connect(), () => this.#giveBack(whom, share));
    } catch (error) {
      this.#giveBack(whom, share);
      throw error;
    }
  }

  #shareOf(whom: string): Share {
    const share = this.#shares.get(whom) ?? { held: 0, waiting: [] };
    this.#shares.set(whom, share);
    return share;
  }

  /** Counts it as held. Throws, as the pool does, when none came back in time. */
  async #room(share: Share): Promise<void> {
    if (share.held < this.#most) {
      share.held += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        share.waiting.splice(share.waiting.indexOf(turn), 1);
        reject(new Error(NO_CONNECTION_FREE));
      }, this.#waitMs);
      share.waiting.push(turn);
    });
  }

  /** To who has waited longest, or back. */
  #giveBack(whom: string, share: Share): void {
    const next = share.waiting.shift();
    if (next) return next();
    share.held -= 1;
    if (share.held === 0) this.#shares.delete(whom);
  }

  /**
   * A query that nothing was heard of keeps its connection busy, and the pool would hand it out again: the next query would
   * wait behind it. Such a connection ends when it is given back.
   */
  #watched(client: pg.PoolClient, onRelease = () => {}): pg.PoolClient {
    const { query, release } = client;
    let isStuck = false;
    const failed = (error: unknown) => {
      isStuck ||= isQueryTimeout(error);
      const fault = databaseFaultOf(error);
      if (fault) this.onFault(fault);
    };
    const watched = (...args: unknown[]) => {
      const result: unknown = Reflect.apply(query, client, named(args));
      if (result instanceof Promise) result.catch(failed);
      return result;
    };
    return Object.assign(client, {
      query: watched,
      release(broken?: Error | boolean) {
        onRelease();
        client.query = query;
        release(broken ?? isStuck);
      },
    });
  }
}

/** The driver takes a statement's name only in this form. */
function named(args: unknown[]): unknown[] {
  const [text, values] = args;
  const name = typeof text === 'string' ? nameOfStatement(text) : undefined;
  return name === undefined ? args : [{ name, text, values }];
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { EmbeddedPostgresLog } from './embedded-postgres-log.ts';
import { explainFailure, isPassing } from './explain-failure.ts';
import { findFreePort } from './free-port.ts';
import type { Launch } from './launch.ts';
import { Postmaster } from './postmaster.ts';
import { endPreviousPostgres } from './previous-postgres.ts';
import { settingArguments } from './settings.ts';

/** ms before each restart of a crashed database; when none is left it stays down. */
const RESTART_DELAYS = [100, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000];
/** A run of this many ms makes the next crash count as the first. */
const HEALTHY_AFTER = 60_000;
const FIRST_START_ATTEMPTS = 5;

export interface SupervisorOptions {
  dataDir: string;
  clusterDir: string;
  postgres: Launch;
  settings: Record<string, string> | undefined;
  log: EmbeddedPostgresLog;
  restartDelays: number[] | undefined;
  onLaunched: (() => void) | undefined;
  onGaveUp: ((error: EmbeddedPostgresError) => void) | undefined;
}

/** Keeps one PostgreSQL running on one port until it is stopped. */
export class Supervisor {
  port = 0;
  #current: Postmaster | undefined;
  #watching: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();

  constructor(private readonly options: SupervisorOptions) {}

  /** Of the running process; a restart changes it. */
  get pid(): number {
    return this.#current?.pid ?? 0;
  }

  /** @throws EmbeddedPostgresError that says why PostgreSQL ended before it was ready */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      this.port = await findFreePort();
      const postmaster = await this.#run();
      if (!postmaster.isGone) {
        this.#watching = this.#watch(postmaster);
        return;
      }
      const printed = postmaster.lastLines;
      if (attempt === FIRST_START_ATTEMPTS || !isPassing(printed)) throw this.#explain(printed);
      await sleep(200);
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#current?.stop();
    await this.#watching;
  }

  async #run(): Promise<Postmaster> {
    const { postgres, clusterDir, log, settings } = this.options;
    const postmaster = new Postmaster(postgres, settingArguments(this.port, settings), clusterDir, log);
    this.#current = postmaster;
    this.options.onLaunched?.();
    await postmaster.becomesReady();
    return postmaster;
  }

  async #watch(first: Postmaster): Promise<void> {
    const { log } = this.options;
    const delays = this.options.restartDelays ?? RESTART_DELAYS;
    let postmaster = first;
    let runningSince = performance.now();
    let crashes = 0;
    for (;;) {
      await postmaster.exited;
      if (this.#isStopping) return;
      if (performance.now() - runningSince > HEALTHY_AFTER) crashes = 0;
      const delay = delays[crashes++] ?? this.#whileDiskIsFull(postmaster, delays);
      if (delay === undefined) {
        this.#giveUp(postmaster);
        return;
      }
      log.error({ delay, lastLines: postmaster.lastLines }, 'The database ended by itself: restarting it');
      const restarted = await this.#restart(delay);
      if (!restarted) return;
      postmaster = restarted;
      runningSince = performance.now();
    }
  }

  /** The next run on the same port, ready or ended again; undefined when it was stopped meanwhile. */
  async #restart(delay: number): Promise<Postmaster | undefined> {
    const { clusterDir, log } = this.options;
    await sleep(delay, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    if (this.#isStopping) return undefined;
    await endPreviousPostgres(clusterDir, log).catch((error: unknown) => {
      log.error({ error }, 'What the crashed database left behind could not be ended');
    });
    if (this.#isStopping) return undefined;
    const postmaster = await this.#run();
    if (!postmaster.isGone) log.info({ pid: postmaster.pid, port: this.port }, 'The database runs again');
    return postmaster;
  }

  /** A disk is emptied sooner or later, and nobody may be there to start us then. */
  #whileDiskIsFull({ lastLines }: Postmaster, delays: readonly number[]): number | undefined {
    return this.#explain(lastLines).code === 'disk-full' ? delays.at(-1) : undefined;
  }

  #giveUp(postmaster: Postmaster): void {
    const error = this.#explain(postmaster.lastLines);
    this.options.log.error({ code: error.code, lastLines: error.detail }, error.message);
    this.options.onGaveUp?.(error);
  }

  #explain(printed: string): EmbeddedPostgresError {
    return explainFailure(printed, { dataDir: this.options.dataDir });
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }
}

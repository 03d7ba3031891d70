import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedPostgresLog } from './embedded-postgres-log.ts';
import { readIfThere } from './files.ts';
import type { Launch } from './launch.ts';
import { LogTail } from './log-tail.ts';
import { parsePostmasterPid } from './postmaster-pid.ts';
import { waitUntil } from './wait.ts';

const FAST_SHUTDOWN_LIMIT = 20_000;
const IMMEDIATE_SHUTDOWN_LIMIT = 8_000;

/**
 * One run of PostgreSQL's main process, a direct child, so that its exit is seen and reaped. Start it from the main
 * thread: Linux ends it with the thread that started it.
 */
export class Postmaster {
  readonly pid: number;
  /** When the process is gone and its last words were read; never rejects. */
  readonly exited: Promise<void>;
  readonly #child: ChildProcess;
  readonly #tail: LogTail;
  #gone = false;

  constructor(
    launch: Launch,
    args: string[],
    private readonly clusterDir: string,
    private readonly log: EmbeddedPostgresLog,
  ) {
    this.#tail = new LogTail((line) => this.#report(line));
    this.#child = spawn(launch.command, [...launch.prefix, '-D', clusterDir, ...args], {
      ...launch.options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#tail.push(text));
    this.#child.on('error', () => {}); // Failing to start ends it too; #watch says why.
    this.pid = this.#child.pid ?? 0;
    this.exited = this.#watch();
  }

  get isGone(): boolean {
    return this.#gone;
  }

  /** Its last 40 lines. */
  get lastLines(): string {
    return this.#tail.text();
  }

  /**
   * True when it accepts connections, false when it ended first. It may take minutes: after a crash PostgreSQL first
   * replays its journal. Judged by its own postmaster.pid, since anybody might answer on the port.
   */
  async becomesReady(): Promise<boolean> {
    let nextNote = performance.now() + 10_000;
    const settled = async (): Promise<boolean> => {
      if (performance.now() > nextNote) {
        nextNote += 10_000;
        this.log.info({ lines: this.lastLines }, 'The database is still starting');
      }
      return this.#gone || (await this.#isReady());
    };
    await waitUntil(settled, Number.POSITIVE_INFINITY, 15);
    if (this.#gone) await this.exited;
    return !this.#gone;
  }

  /** Fast shutdown; from 20 s on an immediate one, which loses nothing but makes the next start replay the journal. */
  async stop(): Promise<void> {
    this.#child.kill('SIGINT');
    if (await this.#isGoneWithin(FAST_SHUTDOWN_LIMIT)) return;
    this.log.warn({ pid: this.pid }, 'The database is slow to stop: stopping it at once');
    this.#child.kill('SIGQUIT');
    if (await this.#isGoneWithin(IMMEDIATE_SHUTDOWN_LIMIT)) return;
    this.#child.kill('SIGKILL');
    await this.exited;
  }

  async #isReady(): Promise<boolean> {
    const text = await readIfThere(join(this.clusterDir, 'postmaster.pid')).catch(() => undefined);
    const found = parsePostmasterPid(text ?? '');
    return found?.pid === this.pid && found.dataDir === this.clusterDir && found.status === 'ready';
  }

  async #isGoneWithin(limit: number): Promise<boolean> {
    const timer = new AbortController();
    const late = sleep(limit, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([this.exited, late]);
    timer.abort();
    return this.#gone;
  }

  async #watch(): Promise<void> {
    // Where the kernel doesn't end it with us, at least a plain process.exit() does.
    const endWithUs = () => this.#child.kill('SIGINT');
    process.once('exit', endWithUs);
    const closed = once(this.#child, 'close').catch(() => undefined);
    await once(this.#child, 'exit').catch((error: unknown) => this.#tail.push(`${String(error)}\n`));
    this.#gone = true;
    process.off('exit', endWithUs);
    // Children that outlive it hold its stderr open: what it said itself has arrived by then.
    await Promise.race([closed, sleep(500, undefined, { ref: false })]);
  }

  #report(line: string): void {
    if (/^PANIC|No space left on device|Check free disk space/.test(line))
      this.log.error({ line }, 'The database reports');
    else if (/^WARNING|was terminated by/.test(line)) this.log.warn({ line }, 'The database reports');
  }
}

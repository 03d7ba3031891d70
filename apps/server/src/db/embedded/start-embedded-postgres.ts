import { mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type PostgresBinaries, findBinaries } from './binaries.ts';
import { type Launcher, chooseLauncher } from './choose-launcher.ts';
import {
  type ClusterState,
  createCluster,
  inspectCluster,
  removeHalfMadeClusters,
  secureCluster,
} from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { EmbeddedPostgresLog } from './embedded-postgres-log.ts';
import { explainFailure } from './explain-failure.ts';
import { makePassword, readPassword, replacePassword } from './password.ts';
import { endPreviousPostgres } from './previous-postgres.ts';
import { DATABASE, provision } from './provision.ts';
import { type ServerLock, takeServerLock } from './server-lock.ts';
import { Supervisor } from './supervisor.ts';

export interface EmbeddedPostgresOptions {
  /** The server's data folder; the cluster is made in its `postgres`. */
  dataDir: string;
  log: EmbeddedPostgresLog;
  /** PostgreSQL settings over our own. `fsync: 'off'` also makes the first start quicker: for tests only. */
  settings?: Record<string, string>;
  /** Called when PostgreSQL was launched: it may go on to recover for seconds, in processes of its own. */
  onLaunched?: () => void;
  /** Called once when a crashed database would not restart. Queries fail from then on: the server should end. */
  onGaveUp?: (error: EmbeddedPostgresError) => void;
  /** ms before each restart after a crash. */
  restartDelays?: number[];
  /** PostgreSQL's folder with bin, lib and share, when it isn't the installed package. */
  nativeDir?: string;
}

export interface EmbeddedPostgres {
  /** Stays the same when the database is restarted after a crash. */
  url: string;
  /** Of the main process now; a restart changes it. */
  readonly pid: number;
  /** Fast shutdown. May be called twice, and while a restart is under way. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that comes with Headrace, first making its cluster where there is none, and keeps it running.
 * Call it from the main thread.
 *
 * @throws EmbeddedPostgresError in every case, with a sentence for the person who runs the server
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  try {
    await mkdir(dataDir, { recursive: true });
    const lock = await takeServerLock(dataDir);
    try {
      return await startLocked(dataDir, lock, options);
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw error instanceof EmbeddedPostgresError ? error : explainFailure(String(error), { dataDir }, error);
  }
}

async function startLocked(
  dataDir: string,
  lock: ServerLock,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { log, settings, restartDelays, onGaveUp } = options;
  const began = performance.now();
  const binaries = await findBinaries(options.nativeDir);
  const state = await inspectCluster(join(dataDir, 'postgres'), binaries.major);
  const launcher = await chooseLauncher(binaries.postgres, state.owner);
  const { clusterDir, password } = await prepareCluster({ dataDir, binaries, launcher, state, options });
  const postgres = launcher.launch(binaries.postgres);
  const supervisor = new Supervisor({
    dataDir,
    clusterDir,
    postgres,
    settings,
    log,
    restartDelays,
    onLaunched: options.onLaunched,
    onGaveUp,
  });
  await supervisor.start();
  const { port } = supervisor;
  try {
    await provision({ dataDir, clusterDir, port, password });
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  const took = Math.round(performance.now() - began);
  log.info({ clusterDir, port, pid: supervisor.pid, launcher: launcher.name, took }, 'The database is ready');
  return handle(supervisor, lock, urlOf(port, password));
}

interface Preparation {
  dataDir: string;
  binaries: PostgresBinaries;
  launcher: Launcher;
  state: ClusterState;
  options: EmbeddedPostgresOptions;
}

/** A cluster that nobody runs on and whose password we know. */
async function prepareCluster(work: Preparation): Promise<{ clusterDir: string; password: string }> {
  const { dataDir, binaries, launcher, state, options } = work;
  const named = join(dataDir, 'postgres');
  await removeHalfMadeClusters(dataDir);
  const known = await readPassword(dataDir);
  if (!state.exists) {
    const password = known ?? (await makePassword(dataDir));
    options.log.info({ clusterDir: named }, 'Making a new database');
    const quick = options.settings?.['fsync'] === 'off';
    await createCluster(dataDir, named, password, binaries, launcher, quick);
    return { clusterDir: await realpath(named), password };
  }
  const clusterDir = await realpath(named); // As PostgreSQL and the system name it.
  await endPreviousPostgres(clusterDir, options.log);
  await secureCluster(clusterDir, state, launcher.owner);
  if (known !== undefined) return { clusterDir, password: known };
  options.log.warn({ dataDir }, 'The database password file is gone: setting a new password');
  const postgres = launcher.launch(binaries.postgres);
  return { clusterDir, password: await replacePassword(dataDir, clusterDir, postgres) };
}

function handle(supervisor: Supervisor, lock: ServerLock, url: string): EmbeddedPostgres {
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    await lock.release();
  };
  return {
    url,
    get pid() {
      return supervisor.pid;
    },
    stop: () => (stopped ??= stop()),
  };
}

function urlOf(port: number, password: string): string {
  return `postgres://${DATABASE}:${encodeURIComponent(password)}@127.0.0.1:${port}/${DATABASE}`;
}

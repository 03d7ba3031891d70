import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../db/embedded/start-embedded-postgres.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
/** Tests don't survive a power cut; everything else is as in production. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '100' };

export interface TestPostgres {
  url: string;
  stop(): Promise<void>;
}

/** The embedded PostgreSQL, or with TEST_DATABASE=system the one that Debian packages. */
export function startTestPostgres(folder: string): Promise<TestPostgres> {
  if (process.env.TEST_DATABASE === 'system') return startSystemPostgres(folder);
  return startEmbeddedPostgres({ dataDir: folder, log: quiet, settings });
}

/** Debian's where it is installed. */
export const hasSystemPostgres = existsSync('/usr/lib/postgresql');

/** Debian's server, in a folder of its own; it may be stopped and started again. As root it runs as a mapped user, since PostgreSQL refuses root. */
export async function startSystemPostgres(
  folder: string,
  superuser = 'headrace',
): Promise<TestPostgres & { start(): Promise<void> }> {
  const versions = await readdir('/usr/lib/postgresql');
  const bin = join('/usr/lib/postgresql', versions.toSorted().at(-1) ?? '15', 'bin');
  const wrap = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : [];
  const data = join(folder, 'system');
  const [initdb, ...initArgs] = [
    ...wrap,
    join(bin, 'initdb'),
    '-D',
    data,
    '-U',
    superuser,
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '-N',
  ];
  await run(initdb, initArgs);
  const port = await freePort();
  const options = Object.entries({
    ...settings,
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
  });
  const [command = '', ...args] = [
    ...wrap,
    join(bin, 'postgres'),
    '-D',
    data,
    ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const url = `postgres://${superuser}@127.0.0.1:${port}/postgres`;
  let child: ChildProcess;
  const start = async () => {
    const started = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    let log = '';
    started.stderr.on('data', (chunk: Buffer) => (log = `${log}${chunk.toString()}`.slice(-2000)));
    await waitUntilReady(url, () => {
      if (started.exitCode !== null) throw new Error(`The system's PostgreSQL ended: ${log}`);
    });
  };
  const stop = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    await gone;
  };
  await start();
  return { url, stop, start };
}

/** `check` throws when waiting has become pointless. */
async function waitUntilReady(url: string, check: () => void): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    check();
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(100);
    }
  }
  throw new Error("The system's PostgreSQL did not start within 30 s");
}

import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { hasSystemPostgres, startSystemPostgres } from '../../../testing/test-postgres.ts';
import { runningPostgresUrl } from '../../../db/embedded/running-postgres.ts';
import { waitUntil } from '../../../db/embedded/wait.ts';
import { readBackup } from './read-backup.ts';
import { fingerprint } from './testing/fingerprint.ts';

/** What `npm run build` makes. */
const dist = new URL('../../../../dist/', import.meta.url).pathname;
const PASSWORD = 'a good password';

let folder: string;
/** Of a PostgreSQL of the operator's; else each data folder has its own. */
let databaseUrl = '';
const servers: ChildProcess[] = [];
beforeAll(() => {
  if (!existsSync(join(dist, 'main.js')))
    throw new Error('The server is not built: run `npm run build` first.');
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headrace-backup-'));
  return async () => {
    for (const server of servers.splice(0)) await end(server);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
});

const dataDir = (name: string) => join(folder, name);
const environment = (name: string) => ({
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  PATH: process.env.PATH,
  DATA_DIR: dataDir(name),
  INIT_CWD: folder,
  PORT: '0',
  MQTT_PORT: '0',
  LOG_LEVEL: 'error',
});

/** `npm run admin -- …` on one of the data folders; names of files are relative to the test's folder. */
async function admin(name: string, ...args: string[]): Promise<string> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [join(dist, 'admin.js'), ...args], {
    env: environment(name),
  });
  return stdout;
}

/** Resolves with its address when it serves. */
async function startServer(name: string, ...args: string[]): Promise<{ url: string; server: ChildProcess }> {
  const server = fork(join(dist, 'main.js'), args, { execArgv: [], env: environment(name) });
  servers.push(server);
  const exited = once(server, 'exit').then(([code]) => {
    throw new Error(`the server ended with ${String(code)} before it served`);
  });
  const [message] = (await Promise.race([once(server, 'message'), exited])) as [{ url: string }];
  exited.catch(() => {});
  return { url: message.url, server };
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  await exited;
}

/** Runs SQL on the database of the server that runs there. */
async function query<T extends pg.QueryResultRow>(name: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: (await runningPostgresUrl(dataDir(name))) ?? '' });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

const print = async (name: string) => fingerprint((await runningPostgresUrl(dataDir(name))) ?? '');

/** The rows of each table of a backup, as text. */
async function contents(file: string): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>();
  await readBackup(join(folder, file), async ({ name }, parts) => {
    let text = '';
    for await (const part of parts) text += part.toString('latin1');
    tables.set(name, text.split('\n').toSorted());
  });
  return tables;
}

it('moves a farm to a new machine: the backup of a running server, restored, serves the same', async () => {
  const { server } = await startServer('old', '--demo');
  await admin('old', 'create-account', 'owner@example.com', PASSWORD, 'Ana');
  await admin('old', 'create-farm', 'owner@example.com', '-43.75', '171.95', 'Home', 'Block');
  expect(await admin('old', 'backup', 'whole.tar.gz')).toMatch(
    /Wrote and checked .*whole\.tar\.gz .*\n[^]*farm +4/,
  );
  await end(server);

  expect(await admin('new', 'restore', 'whole.tar.gz')).toMatch(/Restored .*[^]*account +5/);
  const secret = (name: string) => readFile(join(dataDir(name), 'demo-secret'), 'utf8');
  expect(await secret('new')).toBe(await secret('old'));
  // Not by what the servers serve: they go on, and each writes what it finds.
  await admin('new', 'backup', 'again.tar.gz');
  const [whole, again] = [await contents('whole.tar.gz'), await contents('again.tar.gz')];
  expect([...again.keys()]).toEqual([...whole.keys()]);
  const { audit, ...others } = Object.fromEntries(whole);
  for (const [table, rows] of Object.entries(others))
    expect([table, again.get(table)]).toEqual([table, rows]);
  // Who restored it is written down where it was restored to.
  expect(again.get('audit')).toEqual(expect.arrayContaining(audit ?? []));
  expect(again.get('audit')?.join('\n')).toMatch(/\trestore\twhole\.tar\.gz\tdone/);
  const { url } = await startServer('new');
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'owner@example.com', password: PASSWORD });
  const signedIn = await fetch(`${url}/v1/account/auth`, { method: 'POST', headers, body });
  const { token } = (await signedIn.json()) as { token: string };
  const farms = await fetch(`${url}/v1/farms-card`, { headers: { authorization: token } });
  expect(await farms.json()).toMatchObject([{ name: 'Home Block' }]);
});

it('restores nothing while the server runs', async () => {
  await startServer('here');
  await admin('here', 'create-account', 'owner@example.com', PASSWORD, 'Ana');
  await admin('here', 'backup', 'whole.tar.gz');
  const tables = async () => ({ ...(await print('here')).tables, audit: '' });
  const before = await tables();
  await expect(admin('here', 'restore', 'whole.tar.gz', '--replace')).rejects.toMatchObject({
    code: 1,
    stderr: 'The server is running: stop it, restore, and start it again.\n',
  });
  expect(await tables()).toEqual(before);
  expect(await query('here', "select outcome from audit where command = 'restore'")).toEqual([
    { outcome: 'failed' },
  ]);
});

it('killed while it writes, leaves no file that looks whole, and the next one works', async () => {
  await startServer('here');
  await query(
    'here',
    'create table filler as select repeat(md5(n::text), 40) as text from generate_series(1, 60000) n',
  );
  await mkdir(join(folder, 'backups'));
  const child = fork(join(dist, 'admin.js'), ['backup', '--keep', '2', 'backups'], {
    execArgv: [],
    env: environment('here'),
    stdio: 'ignore',
  });
  const names = () => readdir(join(folder, 'backups'));
  expect(await waitUntil(async () => (await names()).length > 0, 30_000, 2)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const [left = ''] = await names();
  expect(left).toMatch(/\.tar\.gz\.partial$/);
  await expect(admin('here', 'verify-backup', join('backups', left))).rejects.toMatchObject({
    stderr: expect.stringContaining('damaged or cut short') as string,
  });
  await query('here', 'drop table filler');
  await admin('here', 'backup', '--keep', '2', 'backups');
  expect((await names()).filter((name) => name.endsWith('.tar.gz'))).toHaveLength(1);
});

it('keeps the newest backups of a folder, and every other file in it', async () => {
  const backups = join(folder, 'backups');
  await expect(admin('here', 'backup', '--keep', '2', 'backups')).rejects.toMatchObject({
    stderr: expect.stringContaining(`There is no folder ${backups}: make it, or mount the disk`) as string,
  });
  await mkdir(backups);
  await startServer('here');
  const names = ['headrace-20260101T000000Z.tar.gz', 'headrace-20260102T000000Z.tar.gz', 'holiday.jpg'];
  for (const name of names) await writeFile(join(backups, name), 'old');
  const partial = join(backups, 'headrace-20260103T000000Z.tar.gz.partial');
  await writeFile(partial, 'killed');
  await utimes(partial, new Date(0), new Date(0));
  expect(await admin('here', 'backup', '--keep', '2', 'backups')).toMatch(
    /Deleted headrace-20260101T000000Z\.tar\.gz$/m,
  );
  const kept = (await readdir(backups)).toSorted();
  expect(kept).toEqual([
    names[1],
    expect.stringMatching(/^headrace-20\d{6}T\d{6}Z\.tar\.gz$/),
    'holiday.jpg',
  ]);
  expect(await admin('here', 'verify-backup', join('backups', kept[1] ?? ''))).toMatch(/is whole, made /);
});

it('drills the newest backup beside a running server, which tells how that went', async () => {
  const { url } = await startServer('here', '--demo');
  const readyz = async () =>
    ((await (await fetch(`${url}/readyz`)).json()) as { checks: { backups: string } }).checks.backups;
  await expect.poll(readyz).toBe('warning: no backup of this server was ever made');
  await mkdir(join(folder, 'backups'));
  await admin('here', 'backup', '--keep', '2', 'backups');
  const text = await admin('here', 'drill-backup', 'backups');
  expect(text).toMatch(/^headrace-\d{8}T\d{6}Z\.tar\.gz can be restored: made /);
  expect(text).toMatch(/ signs in and has /);
  expect(await admin('here', 'backup-status')).toMatch(/^Good: the backups are made/m);
});

it.runIf(hasSystemPostgres)(
  "drills beside a PostgreSQL of the operator's, whose user has to be allowed to",
  async () => {
    const postgres = await startSystemPostgres(folder);
    try {
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      await client.query('create role headrace_app login');
      await client.query('create database headrace owner headrace_app');
      databaseUrl = postgres.url.replace('//headrace@', '//headrace_app@').replace(/postgres$/, 'headrace');
      const { server } = await startServer('outside', '--demo');
      await admin('outside', 'backup', 'whole.tar.gz');
      await expect(admin('outside', 'drill-backup', 'whole.tar.gz')).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining("The database's user may not make databases: allow it") as string,
      });
      await client.query('alter role headrace_app createdb');
      expect(await admin('outside', 'drill-backup', 'whole.tar.gz')).toMatch(/ signs in and has /);
      const { rows } = await client.query("select 1 from pg_database where datname like '%drill'");
      expect(rows).toEqual([]);
      await client.end();
      await end(server);
    } finally {
      databaseUrl = '';
      await postgres.stop();
    }
  },
);

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startEmbeddedPostgres } from './start-embedded-postgres.ts';
import { startOtherServer } from './testing/other-server.ts';
import {
  ask,
  folderWithData,
  isRoot,
  isThere,
  onLinux,
  recordingLog,
  start,
  temporaryFolder,
} from './testing/workspace.ts';

const lanAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe('on an empty data folder', () => {
  test('a durable UTF-8 database with checksums answers to a role that is no superuser', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const log = recordingLog();
    const database = await startEmbeddedPostgres({ dataDir, log });
    try {
      expect(database.url).toMatch(/^postgres:\/\/headrace:[\w-]{32}@127\.0\.0\.1:\d+\/headrace$/);
      const setting = (name: string) => ask(database.url, `show ${name}`);
      expect(await setting('server_encoding')).toBe('UTF8');
      expect(await setting('data_checksums')).toBe('on');
      expect(await setting('fsync')).toBe('on');
      expect(await setting('synchronous_commit')).toBe('on');
      if (onLinux) expect(await setting('recovery_init_sync_method')).toBe('syncfs');
      expect(await setting('TimeZone')).toBe('UTC');
      expect(await setting('lc_messages')).toBe('C');
      expect(await setting('password_encryption')).toBe('scram-sha-256');
      expect(await ask(database.url, "select upper('ā')")).toBe('Ā');
      expect(await ask(database.url, "select 'Z' < 'a'")).toBe(true);
      expect(await ask(database.url, 'select rolsuper from pg_roles where rolname = current_user')).toBe(
        false,
      );
      expect(
        await ask(
          database.url,
          'select pg_get_userbyid(datdba) from pg_database where datname = current_database()',
        ),
      ).toBe('headrace');
      expect(await ask(database.url, 'create database another')).toBeUndefined();
      expect(log.lines.map(({ message }) => message)).toEqual([
        'Making a new database',
        'The database is ready',
      ]);
    } finally {
      await database.stop();
    }
    expect(isThere(join(dataDir, 'server.lock'))).toBe(false);
    expect(isThere(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('the password is needed, and only the owner can read it', async () => {
    const dataDir = temporaryFolder();
    const { url } = await start(dataDir);
    expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
    const guess = url.replace(/:[\w-]{32}@/, ':guess@');
    await expect(ask(guess, 'select 1')).rejects.toThrow(/password authentication failed/);
  });

  test.skipIf(lanAddress === undefined)('nobody on the network can connect', async () => {
    const dataDir = temporaryFolder();
    const { url } = await start(dataDir);
    const refused = new Promise<string>((resolve) => {
      const socket = connect({ host: lanAddress ?? '', port: Number(new URL(url).port) });
      socket.once('connect', () => resolve('connected'));
      socket.once('error', (error) => resolve('code' in error ? String(error.code) : ''));
    });
    expect(await refused).toBe('ECONNREFUSED');
    const postmasterPid = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    expect(postmasterPid.slice(4, 6)).toEqual(['', '127.0.0.1']); // No socket file either.
  });
});

describe('started again', () => {
  test('the data is there, under another start and the same password', async () => {
    const dataDir = temporaryFolder();
    const first = await start(dataDir);
    await ask(first.url, 'create table tank as select 42 as level');
    await Promise.all([first.stop(), first.stop()]);
    const second = await start(dataDir);
    expect(await ask(second.url, 'select level from tank')).toBe(42);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
  });

  test('a data folder that others may read is closed again', async () => {
    const dataDir = await folderWithData();
    chmodSync(join(dataDir, 'postgres'), 0o755);
    const { url } = await start(dataDir);
    expect(await ask(url, 'select 1')).toBe(1);
  });

  test('with the password file gone there is a new password and the same data', async () => {
    const dataDir = await folderWithData();
    const before = readFileSync(join(dataDir, 'postgres.password'), 'utf8');
    rmSync(join(dataDir, 'postgres.password'));
    const second = await start(dataDir);
    expect(await ask(second.url, 'select level from tank')).toBe(42);
    expect(new URL(second.url).password).not.toBe(before);
  });

  test("with another cluster's password the sentence names the file", async () => {
    const dataDir = await folderWithData();
    writeFileSync(join(dataDir, 'postgres.password'), 'from-another-farm');
    await expect(start(dataDir)).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('postgres.password') as string,
    });
    expect(isThere(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('an initdb that was interrupted is forgotten', async () => {
    const dataDir = temporaryFolder();
    const halfMade = join(dataDir, 'postgres.init-abc123', 'cluster');
    mkdirSync(halfMade, { recursive: true });
    writeFileSync(join(halfMade, 'PG_VERSION'), '18\n');
    const { url } = await start(dataDir);
    expect(await ask(url, 'select 1')).toBe(1);
    expect(isThere(halfMade)).toBe(false);
  });
});

describe.runIf(onLinux && isRoot)('as root', () => {
  test('a folder that only root may enter holds the database', async () => {
    const dataDir = join(temporaryFolder(), 'home', 'data');
    mkdirSync(dataDir, { recursive: true });
    chmodSync(join(dataDir, '..'), 0o700);
    const first = await start(dataDir);
    await ask(first.url, 'create table tank as select 42 as level');
    await first.stop();
    expect(await ask((await start(dataDir)).url, 'select level from tank')).toBe(42);
  });

  test('without user namespaces an unprivileged user runs it and owns it, then and later', async () => {
    const dataDir = await folderWithData();
    const asStranger = await withTools(['setpriv'], () => start(dataDir));
    expect(await ask(asStranger.url, 'select level from tank')).toBe(42);
    const owner = statSync(join(dataDir, 'postgres', 'PG_VERSION')).uid;
    expect(owner).not.toBe(0);
    expect(statSync(`/proc/${asStranger.pid}`).uid).toBe(owner);
    await asStranger.stop();
    const withEverything = await start(dataDir);
    expect(statSync(`/proc/${withEverything.pid}`).uid).toBe(owner);
  });

  test('where that user may not enter either, the sentence names DATABASE_URL', async () => {
    const dataDir = join(temporaryFolder(), 'home', 'data');
    mkdirSync(dataDir, { recursive: true });
    chmodSync(join(dataDir, '..'), 0o700);
    await expect(withTools([], () => start(dataDir))).rejects.toMatchObject({
      code: 'root',
      message: expect.stringContaining('DATABASE_URL') as string,
    });
  });

  test('an ordinary user needs none of this', async () => {
    const folder = temporaryFolder();
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    execFileSync('chown', ['65534:65534', dataDir]);
    const server = await startOtherServer(dataDir, { uid: 65_534 });
    expect(await ask(server.url, 'select 1')).toBe(1);
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(65_534);
    expect(readFileSync(`/proc/${server.postmaster}/status`, 'utf8')).toContain('Uid:\t65534');
  });
});

/** Runs with only these tools on the PATH. */
async function withTools<T>(tools: string[], work: () => Promise<T>): Promise<T> {
  const bin = temporaryFolder();
  for (const tool of tools) {
    const path = execFileSync('which', [tool], { encoding: 'utf8' }).trim();
    execFileSync('ln', ['-s', path, join(bin, tool)]);
  }
  const before = process.env['PATH'];
  process.env['PATH'] = bin;
  try {
    return await work();
  } finally {
    process.env['PATH'] = before;
  }
}

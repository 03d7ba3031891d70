import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRunning } from './process-state.ts';
import { spawnOtherServer, startOtherServer, tryOtherServer } from './testing/other-server.ts';
import {
  ask,
  cleanUpAfterwards,
  folderWithData,
  isThere,
  onLinux,
  recordingLog,
  start,
  temporaryFolder,
} from './testing/workspace.ts';
import { waitUntil } from './wait.ts';

const STALE = 'STALE\n/elsewhere\n1795233442\n24354\n\n127.0.0.1\n  5308418         3\nready   \n';

describe('after kill -9 of the server', () => {
  test('the next start works at once and nothing committed is lost, three times over', async () => {
    const dataDir = await folderWithData();
    for (let round = 1; round <= 3; round++) {
      const server = await startOtherServer(dataDir);
      await ask(server.url, `insert into tank values (${round})`);
      await server.kill();
      const database = await start(dataDir);
      expect(await ask(database.url, 'select count(*)::int from tank')).toBe(1 + round);
      expect(database.pid).not.toBe(server.postmaster);
      expect(await isRunning(server.postmaster)).toBe(false);
      await database.stop();
    }
  });

  test('only so much is done again, however much was written before', async () => {
    const { url } = await start(await folderWithData());
    const toDoAgain = () =>
      ask(
        url,
        'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::int / 1000000 from pg_control_checkpoint()',
      );
    const written = "sum(pg_logical_emit_message(false, 'test', repeat('x', 1000000)) - '0/0'::pg_lsn)";
    await ask(url, `select ${written} > 0 from generate_series(1, 300)`);
    await expect.poll(toDoAgain).toBeLessThan(144);
  });

  test('in the middle of making the database, the next start makes it anew', async () => {
    const dataDir = temporaryFolder();
    const server = spawnOtherServer(dataDir);
    const halfMade = () => readdirSync(dataDir).find((name) => name.startsWith('postgres.init-'));
    const isUnderWay = () => isThere(join(dataDir, halfMade() ?? 'none', 'cluster', 'base'));
    expect(await waitUntil(isUnderWay, 30_000, 5)).toBe(true);
    server.kill('SIGKILL');
    await once(server, 'exit');
    expect(isThere(join(dataDir, 'postgres'))).toBe(false);
    expect(await ask((await start(dataDir)).url, 'select 1')).toBe(1);
    expect(halfMade()).toBeUndefined();
  });

  test.runIf(onLinux)('the database goes with it', async () => {
    const server = await startOtherServer(await folderWithData());
    await server.kill();
    expect(await waitUntil(async () => !(await isRunning(server.postmaster)), 20_000)).toBe(true);
  });

  test.runIf(onLinux)('a database that outlived it, for want of setpriv, is stopped first', async () => {
    const dataDir = await folderWithData();
    const bin = temporaryFolder();
    symlinkSync(execFileSync('which', ['unshare'], { encoding: 'utf8' }).trim(), join(bin, 'unshare'));
    const server = await startOtherServer(dataDir, { path: bin });
    cleanUpAfterwards(() => endQuietly(server.postmaster));
    await server.kill();
    expect(await ask(server.url, 'select level from tank')).toBe(42); // The orphan answers.
    const log = recordingLog();
    const database = await start(dataDir, { log });
    expect(await isRunning(server.postmaster)).toBe(false);
    expect(await ask(database.url, 'select level from tank')).toBe(42);
    expect(log.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('left running') as string }),
    );
  });
});

describe('a postmaster.pid that was left', () => {
  test.each([
    ['by a dead process', () => deadPid()],
    ['whose id another program has now', () => sleepingPid()],
    ['that is empty', () => Promise.resolve(undefined)],
  ])('%s does not stop the start', async (_, pidOf) => {
    const dataDir = await folderWithData();
    const pid = await pidOf();
    writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), pid === undefined ? '' : stale(pid));
    const database = await start(dataDir);
    expect(await ask(database.url, 'select level from tank')).toBe(42);
    if (pid !== undefined) expect(await isRunning(pid)).toBe(pid === sleeping);
  });

  test.runIf(onLinux)('by one that is dead and not reaped does not stop it either', async () => {
    const dataDir = await folderWithData();
    writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), stale(await zombiePid()));
    expect(await ask((await start(dataDir)).url, 'select level from tank')).toBe(42);
  });
});

describe('another server on the same folder', () => {
  test('the second is told whose it is, and the first keeps its database', async () => {
    const dataDir = await folderWithData();
    const server = await startOtherServer(dataDir);
    await expect(start(dataDir)).rejects.toMatchObject({
      code: 'in-use',
      message: `Another Headrace server (pid ${server.pid}) is using ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
    });
    expect(await ask(server.url, 'select 1')).toBe(1);
  });

  test('of two that start at once exactly one wins', async () => {
    const dataDir = await folderWithData();
    writeFileSync(join(dataDir, 'server.lock'), `${await deadPid()}\nlong ago\n`);
    const both = await Promise.all([tryOtherServer(dataDir), tryOtherServer(dataDir)]);
    const codes = both.map(({ answer }) => answer['code'] ?? 'started');
    expect(new Set(codes)).toEqual(new Set(['in-use', 'started']));
  });

  test('a lock whose pid now belongs to another program is taken over', async () => {
    const dataDir = await folderWithData();
    writeFileSync(join(dataDir, 'server.lock'), `${await sleepingPid()}\nanother boot:1\n`);
    expect(await ask((await start(dataDir)).url, 'select 1')).toBe(1);
  });
});

describe('a database that crashes while we run', () => {
  test('comes back on the same address with its data', async () => {
    const log = recordingLog();
    const database = await start(await folderWithData(), { log });
    const crashed = database.pid;
    process.kill(crashed, 'SIGKILL');
    expect(await waitUntil(() => log.lines.some(({ message }) => /runs again/.test(message)), 15_000)).toBe(
      true,
    );
    expect(database.pid).not.toBe(crashed);
    expect(await ask(database.url, 'select level from tank')).toBe(42);
  });

  test('one that cannot come back is given up with its reason', async () => {
    const dataDir = await folderWithData();
    const reasons: string[] = [];
    const database = await start(dataDir, {
      restartDelays: [10, 10],
      onGaveUp: (error) => reasons.push(error.code),
    });
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '9\n');
    process.kill(database.pid, 'SIGKILL');
    expect(await waitUntil(() => reasons.length > 0, 15_000)).toBe(true);
    expect(reasons).toEqual(['wrong-version']);
    await database.stop();
  });

  test('stopping while it waits to restart leaves nothing running', async () => {
    const dataDir = await folderWithData();
    const log = recordingLog();
    const database = await start(dataDir, { log, restartDelays: [60_000] });
    process.kill(database.pid, 'SIGKILL');
    expect(await waitUntil(() => log.lines.some(({ level }) => level === 'error'), 20_000)).toBe(true);
    await database.stop();
    await expect(ask(database.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
    expect(await ask((await start(dataDir)).url, 'select 1')).toBe(1); // And the folder is free again.
  });
});

let sleeping = 0;

function sleepingPid(): Promise<number> {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  cleanUpAfterwards(() => child.kill());
  sleeping = child.pid ?? 0;
  return Promise.resolve(sleeping);
}

async function deadPid(): Promise<number> {
  const child = spawn('true', { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

/** A child of a process that never asks how it ended. */
async function zombiePid(): Promise<number> {
  const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  cleanUpAfterwards(() => parent.kill());
  const [text] = (await once(parent.stdout.setEncoding('utf8'), 'data')) as [string];
  const pid = Number(text);
  // As long as the parent is a shell it may ask.
  const name = () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim();
  expect(await waitUntil(async () => name() === 'sleep', 20_000)).toBe(true);
  process.kill(pid, 'SIGKILL');
  expect(await waitUntil(async () => !(await isRunning(pid)), 20_000)).toBe(true);
  expect(() => process.kill(pid, 0)).not.toThrow();
  return pid;
}

function stale(pid: number): string {
  return STALE.replace('STALE', String(pid));
}

function endQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone, as it should be.
  }
}

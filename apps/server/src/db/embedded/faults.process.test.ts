import { appendFileSync, chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  ask,
  folderWithData,
  smallDisk,
  start,
  temporaryFolder,
  unpackedNative,
} from './testing/workspace.ts';

const sentenceWith = (text: string): string => expect.stringContaining(text) as string;

describe("PostgreSQL's files", () => {
  test('library links that npm did not make are made', async () => {
    const nativeDir = await unpackedNative();
    const { url } = await start(temporaryFolder(), { nativeDir });
    expect(await ask(url, 'select 1')).toBe(1);
  });

  test('where they cannot be made the sentence says so', async (context) => {
    const disk = smallDisk('200m');
    if (!disk) {
      context.skip('mounting a read-only folder is not allowed here');
      return;
    }
    const nativeDir = join(disk.folder, 'native');
    cpSync(await unpackedNative(), nativeDir, { recursive: true });
    disk.remount('ro');
    await expect(start(temporaryFolder(), { nativeDir })).rejects.toMatchObject({
      code: 'no-binary',
      message: sentenceWith(`links are missing in ${nativeDir}`),
    });
  });

  test('a missing program names DATABASE_URL', async () => {
    await expect(start(temporaryFolder(), { nativeDir: temporaryFolder() })).rejects.toMatchObject({
      code: 'no-binary',
      message: sentenceWith('DATABASE_URL'),
    });
  });
});

describe('the data folder', () => {
  test('of another major version is refused and left as it is', async () => {
    const dataDir = await folderWithData();
    const version = join(dataDir, 'postgres', 'PG_VERSION');
    writeFileSync(version, '17\n');
    await expect(start(dataDir)).rejects.toMatchObject({
      code: 'wrong-version',
      message: sentenceWith('made by PostgreSQL 17 and this Headrace runs PostgreSQL 18'),
    });
    expect(readFileSync(version, 'utf8')).toBe('17\n');
    writeFileSync(version, '18\n');
    expect(await ask((await start(dataDir)).url, 'select 1')).toBe(1);
  });

  test('with files that are no cluster is never overwritten', async () => {
    const dataDir = temporaryFolder();
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres', 'precious.txt'), 'keep');
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'unreadable' });
    expect(await readdir(dataDir, { recursive: true })).toEqual(['postgres', 'postgres/precious.txt']);
  });

  test('that cannot be made names DATA_DIR', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    await expect(start(join(file, 'data'))).rejects.toMatchObject({
      code: 'unreadable',
      message: sentenceWith('DATA_DIR'),
    });
  });

  test('that lost its control file is called damaged, with what PostgreSQL said', async () => {
    const dataDir = await folderWithData();
    rmSync(join(dataDir, 'postgres', 'global', 'pg_control'));
    await expect(start(dataDir)).rejects.toMatchObject({
      code: 'unreadable',
      message: sentenceWith('is damaged'),
      detail: sentenceWith('pg_control'),
    });
  });

  test('a setting that PostgreSQL does not know is quoted', async () => {
    const settings = { fsync: 'off', shared_bufers: '1GB' };
    await expect(start(await folderWithData(), { settings })).rejects.toMatchObject({
      code: 'start-failed',
      message: sentenceWith('shared_bufers'),
    });
  });
});

describe('a full disk', () => {
  test('while the database is made leaves nothing half-made', async (context) => {
    const disk = smallDisk('20m');
    if (!disk) {
      context.skip('mounting a small disk is not allowed here: see the next test');
      return;
    }
    const dataDir = join(disk.folder, 'data');
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'disk-full', message: sentenceWith(dataDir) });
    expect(await readdir(dataDir)).toEqual(['postgres.password']);
    disk.remount('size=200m');
    expect(await ask((await start(dataDir)).url, 'select 1')).toBe(1);
  });

  test('as initdb reports it is recognised', async () => {
    const nativeDir = await fakePostgres(
      'echo "initdb: error: could not write file: No space left on device" >&2; exit 1',
    );
    await expect(start(temporaryFolder(), { nativeDir })).rejects.toMatchObject({ code: 'disk-full' });
  });

  test('at a later start loses nothing', async (context) => {
    const disk = smallDisk('100m');
    if (!disk) {
      context.skip('mounting a small disk is not allowed here');
      return;
    }
    const dataDir = await folderWithData(disk.folder);
    const ballast = join(disk.folder, 'ballast');
    fill(ballast);
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'disk-full' });
    rmSync(ballast);
    expect(await ask((await start(dataDir)).url, 'select level from tank')).toBe(42);
  });
});

/** A PostgreSQL folder whose initdb is this script. */
async function fakePostgres(initdb: string): Promise<string> {
  const nativeDir = join(temporaryFolder(), 'native');
  const bin = join(nativeDir, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'postgres'), '#!/bin/sh\necho "postgres (PostgreSQL) 18.4"\n');
  writeFileSync(join(bin, 'initdb'), `#!/bin/sh\n${initdb}\n`);
  for (const program of await readdir(bin)) chmodSync(join(bin, program), 0o755);
  return nativeDir;
}

/** Writes to this file until the disk is full. */
function fill(file: string): void {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(65_536));
  } catch {
    // Full, as wanted.
  }
}

import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectDatabase } from '../../../db/client.ts';
import { smallDisk } from '../../../db/embedded/testing/workspace.ts';
import { migrate, migrationNames } from '../../../db/migrate.ts';
import { tryKeepServersOut } from '../../../db/servers-lock.ts';
import { holdServerLock } from '../../../single-server-lock.ts';
import { buildAccount, buildFarm, buildTank } from '../../../testing/factories.ts';
import { everyMinutes, recordReadings } from '../../../testing/record-readings.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts';
import { readBackup } from './read-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { tarEnd, tarEntry } from './tar.ts';
import { type Fingerprint, fingerprint } from './testing/fingerprint.ts';
import { writeBackup } from './write-backup.ts';

/** What COPY's text has to escape, and what a careless reader of it would take for something else. */
const ODD_TEXT = 'tab\there, newline\nhere, return\r, back\\slash, \\N, \\., “Māori” 🚿';
const now = new Date('2026-11-20T21:00:00Z');

let source: TestDatabase;
let folder: string;
let path: string;
let whole: Fingerprint;
beforeAll(async () => {
  source = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'headrace-backup-'));
  path = join(folder, 'whole.tar.gz');
  await fillDatabase(source);
  await writeFile(join(folder, 'demo-secret'), 'a secret');
  await backUp(path);
  whole = await fingerprint(source.url);
});
afterAll(async () => {
  await source.close();
  await rm(folder, { recursive: true, force: true });
});

let target: TestDatabase;
beforeEach(async () => {
  target = await createTestDatabase();
  return () => target.close();
});

/** A farm with two tanks whose readings cross the border of two months, and a row of every awkward type. */
async function fillDatabase(database: TestDatabase): Promise<void> {
  const { db } = database;
  const account = await buildAccount(db, { name: ODD_TEXT });
  const farm = await buildFarm(db, account.id);
  for (const tank of [await buildTank(db, farm.id), await buildTank(db, farm.id)]) {
    const reports = everyMinutes(10, '2026-10-31T20:00:00Z', 60, (index) => ({
      levelMm: index % 7 === 0 ? null : 1000 + index / 3,
    }));
    await recordReadings(database, farm, tank, reports);
  }
  const gone = await buildTank(db, farm.id);
  await db.deleteFrom('device').where('id', '=', gone.id).execute();
  await db
    .insertInto('dead_letter')
    .values({
      at: new Date('2026-11-01T00:00:00.123Z'),
      reason: ODD_TEXT,
      topic: '',
      sender: 'gateway',
      farm_id: null,
      bytes: 3,
      payload: Buffer.from([0, 10, 92, 255]),
    })
    .execute();
}

const backUp = (to: string, databaseUrl = source.url) =>
  writeBackup({ databaseUrl, dataDir: folder, path: to, now });

async function restore(options: { from?: string; replace?: boolean; dataDir?: string } = {}): Promise<void> {
  const { from = path, replace = false, dataDir = join(folder, 'restored') } = options;
  const backup = await readBackup(from);
  await restoreBackup({ databaseUrl: target.url, dataDir, path: from, backup, replace, now });
}

it('brings every row of every table back, and counters go on where they stood', async () => {
  await restore();
  const here = await fingerprint(target.url);
  expect(here).toEqual(whole);
  expect(Object.keys(here.tables)).toEqual(
    expect.arrayContaining(['account', 'reading', 'reading_2026_10', 'reading_2026_11', 'dead_letter']),
  );
  const last = await source.pool.query('select max(id) as id from device');
  const next = await buildTank(
    target.db,
    (await target.db.selectFrom('farm').select('id').executeTakeFirstOrThrow()).id,
  );
  expect(next.id).toBe((last.rows[0] as { id: number }).id + 2); // The deleted device's number is not given again.
});

it('restores into a database that was never migrated, and its secret beside it', async () => {
  await target.pool.query('drop schema public cascade; create schema public');
  const dataDir = join(folder, 'new-machine');
  await restore({ dataDir });
  expect(await fingerprint(target.url)).toEqual(whole);
  expect(await readFile(join(dataDir, 'demo-secret'), 'utf8')).toBe('a secret');
});

it('is readable by its owner alone', async () => {
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('holds one moment: what is committed while it is written is not in it, in no table', async () => {
  const blocker = new pg.Client({ connectionString: source.url });
  await blocker.connect();
  await blocker.query('begin; lock table dead_letter in access exclusive mode');
  const during = join(folder, 'during.tar.gz');
  const written = backUp(during);
  await waitForLock();
  const account = await buildAccount(source.db, { email: 'late@example.com' });
  await blocker.query('commit');
  await blocker.end();
  await written;
  await source.db.deleteFrom('account').where('id', '=', account.id).execute();
  await restore({ from: during });
  const emails = await target.db.selectFrom('account').select('email').execute();
  expect(emails).toHaveLength(1);
  expect(emails[0]?.email).not.toBe('late@example.com');
});

/** Resolves when the backup has its snapshot and waits for a table. */
async function waitForLock(): Promise<void> {
  for (;;) {
    const { rowCount } = await source.pool.query(
      "select from pg_stat_activity where application_name = 'headrace-backup' and wait_event_type = 'Lock'",
    );
    if (rowCount) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

it('keeps history open for new months and new rows while it is written', async () => {
  const client = new pg.Client({ connectionString: source.url });
  await client.connect();
  const during = join(folder, 'open.tar.gz');
  await client.query('begin; lock table dead_letter in access exclusive mode');
  const written = backUp(during);
  await waitForLock();
  const other = new pg.Client({ connectionString: source.url, statement_timeout: 5000 });
  await other.connect();
  await other.query(
    "create table reading_2027_03 partition of reading for values from ('2027-03-01') to ('2027-04-01')",
  );
  await other.query('drop table reading_2027_03');
  await other.end();
  await client.query('commit');
  await client.end();
  await written;
});

it('refuses a database with rows, and with --replace puts the backup in their place', async () => {
  await buildAccount(target.db, { email: 'stays@example.com' });
  const before = await fingerprint(target.url);
  await expect(restore()).rejects.toThrow(/not empty \(account have rows\): give --replace/);
  expect(await fingerprint(target.url)).toEqual(before);
  await restore({ replace: true });
  expect(await fingerprint(target.url)).toEqual(whole);
});

it('refuses a database that a server uses, with and without its own broker', async () => {
  for (const alone of [true, false]) {
    const lock = await holdServerLock(target.url, { alone });
    await expect(restore()).rejects.toThrow(/A Headrace server uses this database: stop it/);
    await lock.release();
  }
  await restore();
});

it('keeps a server from starting while it restores', async () => {
  const client = new pg.Client({ connectionString: target.url });
  await client.connect();
  await client.query('begin');
  expect(await tryKeepServersOut(client)).toBe(true);
  await expect(holdServerLock(target.url, { alone: false })).rejects.toThrow(/A backup is being restored/);
  await client.end();
  await (await holdServerLock(target.url, { alone: false })).release();
});

it('brings an older schema up to date after its rows are in', async () => {
  const old = await createTestDatabase();
  const olderPath = join(folder, 'older.tar.gz');
  await old.pool.query('drop schema public cascade; create schema public');
  const client = connectDatabase(old.url);
  await migrate(client.db, { to: '0002-device-facts' });
  const account = await buildAccount(client.db, { email: 'early@example.com' });
  await client.close();
  await backUp(olderPath, old.url);
  await old.close();
  expect((await readBackup(olderPath)).head.migrations).toEqual(['0001-spine', '0002-device-facts']);
  await restore({ from: olderPath });
  const { rows } = await target.pool.query('select name from kysely_migration order by name');
  expect(rows.map(({ name }: { name: string }) => name)).toEqual(migrationNames);
  expect(await target.db.selectFrom('account').select(['id', 'email']).execute()).toEqual([
    { id: account.id, email: 'early@example.com' },
  ]);
});

it.each([
  ['a later format', (head: Head) => ({ ...head, formatVersion: 2 })],
  ['a later schema', (head: Head) => ({ ...head, migrations: [...head.migrations, '9999-later'] })],
])('refuses %s in one sentence', async (_, change) => {
  const later = join(folder, 'later.tar.gz');
  await rewrite(later, (name, body) =>
    name === 'headrace-backup.json'
      ? Buffer.from(JSON.stringify(change({ ...(JSON.parse(body.toString()) as Head), appVersion: '9.1.0' })))
      : body,
  );
  await expect(restore({ from: later })).rejects.toThrow(
    'This backup was made by Headrace 9.1.0, which knows more than this one: install that version or a later one, and restore it there.',
  );
});

it('names the table whose rows were altered', async () => {
  const altered = join(folder, 'altered.tar.gz');
  await rewrite(altered, (name, body) =>
    name === 'tables/reading_2026_11/000001.copy' ? Buffer.from(body.toString().replace('1', '2')) : body,
  );
  await expect(readBackup(altered)).rejects.toThrow(
    /altered\.tar\.gz can't be used: it is damaged or cut short at the table reading_2026_11/,
  );
});

it.each(['tables/reading_2026_10/seal.json', 'tables/farm/000001.copy', 'end.json'])(
  'refuses a backup without %s',
  async (left) => {
    const short = join(folder, 'short.tar.gz');
    await rewrite(short, (name, body) => (name === left ? null : body));
    await expect(readBackup(short)).rejects.toThrow(/can't be used/);
  },
);

it('refuses a file that was cut anywhere, or has one byte changed anywhere', async () => {
  const good = await readFile(path);
  const broken = join(folder, 'broken.tar.gz');
  const step = Math.ceil(good.length / 60);
  for (let at = 12; at < good.length; at += step) {
    await writeFile(broken, good.subarray(0, at));
    await expect(readBackup(broken), `cut at ${at}`).rejects.toThrow(/damaged or cut short at/);
    const changed = Buffer.from(good);
    changed[at] = (changed[at] ?? 0) ^ 0x20;
    if (unpacksTo(changed, gunzipSync(good))) continue;
    await writeFile(broken, changed);
    await expect(readBackup(broken), `changed at ${at}`).rejects.toThrow(
      /can't be used|knows more than this one/,
    );
  }
});

/** Some bits of a compressed file don't matter: a run of zeros may be copied from here or from there. */
function unpacksTo(file: Buffer, content: Buffer): boolean {
  try {
    return gunzipSync(file).equals(content);
  } catch {
    return false;
  }
}

it('leaves the database as it was when the file turns bad half-way', async () => {
  const turning = join(folder, 'turning.tar.gz');
  const good = await readFile(path);
  await writeFile(turning, good);
  const backup = await readBackup(turning);
  await buildAccount(target.db, { email: 'stays@example.com' });
  const before = await fingerprint(target.url);
  await writeFile(turning, good.subarray(0, Math.floor(good.length * 0.8)));
  const request = { now, databaseUrl: target.url, dataDir: folder, path: turning, backup, replace: true };
  await expect(restoreBackup(request)).rejects.toThrow(/damaged or cut short at the table/);
  expect(await fingerprint(target.url)).toEqual(before);
});

it('writes nothing over a file, and leaves no file when the database goes away', async () => {
  await expect(backUp(path)).rejects.toThrow(/is there already/);
  await expect(backUp(join(folder, 'none', 'x.tar.gz'))).rejects.toThrow(/There is no folder/);
  const lost = join(folder, 'lost.tar.gz');
  const blocker = new pg.Client({ connectionString: source.url });
  await blocker.connect();
  await blocker.query('begin; lock table dead_letter in access exclusive mode');
  const written = backUp(lost);
  await waitForLock();
  await source.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'headrace-backup' and datname = current_database()",
  );
  await expect(written).rejects.toThrow(/terminat/);
  await blocker.end();
  await expect(stat(lost)).rejects.toThrow(/ENOENT/);
  await expect(stat(`${lost}.partial`)).rejects.toThrow(/ENOENT/);
});

it('says that the disk is full, and leaves nothing on it', async ({ skip }) => {
  const full = smallDisk('128k')?.folder ?? skip('mounting is not allowed here');
  const letter = { reason: '', topic: '', sender: '', farm_id: null, bytes: 400_000 };
  await target.db
    .insertInto('dead_letter')
    .values({ ...letter, payload: randomBytes(letter.bytes) })
    .execute();
  await expect(backUp(join(full, 'big.tar.gz'), target.url)).rejects.toThrow(
    `The disk that holds ${full} is full: delete old backups there`,
  );
  expect(await readdir(full)).toEqual([]);
});

interface Head {
  formatVersion: number;
  migrations: string[];
  appVersion: string;
}

/** The backup with each entry changed, or left out where `change` says null. */
async function rewrite(to: string, change: (name: string, body: Buffer) => Buffer | null): Promise<void> {
  const blocks: Buffer[] = [];
  for (const [name, body] of entriesOf(gunzipSync(await readFile(path)))) {
    const changed = change(name, body);
    if (changed) blocks.push(...tarEntry(name, changed, now));
  }
  await writeFile(to, gzipSync(Buffer.concat([...blocks, tarEnd])));
}

function* entriesOf(archive: Buffer): Generator<[string, Buffer]> {
  for (let at = 0; archive[at] !== 0; ) {
    const name = archive.toString('latin1', at, at + 100).replaceAll('\u0000', '');
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 135), 8);
    yield [name, archive.subarray(at + 512, at + 512 + size)];
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

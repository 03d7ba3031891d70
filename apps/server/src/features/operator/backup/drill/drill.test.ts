import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openRestoredServer } from '../../../../restored-server.ts';
import {
  buildAccount,
  buildFarm,
  buildGateway,
  buildQueuedCommand,
  buildTank,
} from '../../../../testing/factories.ts';
import { buildSprinkler } from '../../../../testing/irrigation-factories.ts';
import { everyMinutes, recordReadings } from '../../../../testing/record-readings.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/test-database.ts';
import { runBackupAudited } from '../audited-backup.ts';
import { backupCommands } from '../backup-commands.ts';
import type { BackupContext } from '../backup-context.ts';
import { noteRun } from '../backup-runs.ts';
import { readBackup } from '../read-backup.ts';
import { restoreBackup } from '../restore-backup.ts';
import { compareTables } from './compare-tables.ts';

const now = new Date('2026-11-20T21:00:00Z');

let source: TestDatabase;
let folder: string;
let warnings: string[];
beforeEach(() => {
  warnings = [];
});
beforeAll(async () => {
  source = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'headrace-drill-'));
  const { db } = source;
  const account = await buildAccount(db);
  const farm = await buildFarm(db, account.id, { name: 'Home\tBlock' });
  const left = await buildFarm(db, account.id, { name: 'Gone' });
  await db.updateTable('farm').set({ deleted_at: now }).where('id', '=', left.id).execute();
  // Under way when the backup is made: a restore ends it.
  await buildQueuedCommand(db, await buildGateway(db, farm.id), now);
  for (const _ of [1, 2, 3]) await buildSprinkler(db, farm.id);
  const gone = await buildSprinkler(db, farm.id);
  await db.updateTable('device').set({ deleted_at: now }).where('id', '=', gone.id).execute();
  const tank = await buildTank(db, farm.id);
  await recordReadings(
    source,
    farm,
    tank,
    everyMinutes(10, '2026-11-01T00:00:00Z', 60, (index) => ({ levelMm: 1000 + index })),
  );
  await run('backup', '--keep', '2', folder);
});
afterAll(async () => {
  await source.close();
  await rm(folder, { recursive: true, force: true });
});

function run(name: string, ...args: string[]): Promise<string> {
  return runWith({}, name, ...args);
}

async function runWith(changes: Partial<BackupContext>, name: string, ...args: string[]): Promise<string> {
  const command = backupCommands[name];
  if (!command) throw new Error(`no command ${name}`);
  const context: BackupContext = {
    dataDir: folder,
    folder,
    now,
    openDatabase: async () => ({ url: source.url, stop: async () => {} }),
    hasDatabase: async () => true,
    isServerRunning: async () => false,
    room: async () => null,
    openServer: (url) => openRestoredServer(url, () => now),
    warn: (sentence) => warnings.push(sentence),
    ...changes,
  };
  return runBackupAudited(name, command, context, args, 'ana@office');
}

const drill = (changes: Partial<BackupContext> = {}) => runWith(changes, 'drill-backup', folder);

async function newestDrill() {
  return source.db
    .selectFrom('backup_run')
    .select(['kind', 'fault', 'path', 'made_at', 'is_scheduled'])
    .where('kind', '=', 'drill')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

/** As a drill that went well is noted: one itself takes seconds. */
const wentWell = () =>
  noteRun(source.url, {
    kind: 'drill',
    at: now,
    isScheduled: true,
    path: folder,
    bytes: 1,
    madeAt: now,
    tookMs: 1,
    fault: '',
  });

/** Databases that a drill has made and not dropped. */
async function left(): Promise<unknown[]> {
  const { rows } = await source.pool.query(
    "select 1 from pg_database where datname = current_database() || '_backup_drill'",
  );
  return rows;
}

it('restores the newest backup beside the real database, asks the services, leaves nothing and notes it', async () => {
  const text = await runWith({}, 'drill-backup', folder, '--scheduled');
  expect(text).toMatch(/^headrace-20261120T210000Z\.tar\.gz can be restored: made 2026-11-20T21:00:00\.000Z/);
  const lines = text.split('\n').map((line) => line.trim());
  expect(lines[1]).toMatch(/^\d\d tables have the rows that were written, byte for byte$/);
  expect(lines.slice(2, -1)).toEqual(
    [
      'the owner of Home\tBlock signs in and has that farm',
      'Home\tBlock has its 1 gateway, 3 sprinklers, 1 sensor',
      'Home\tBlock: a sensor has its newest readings',
      'Home\tBlock: its chart of a year has 1 days',
    ].map((line) => line.trim()),
  );
  expect(await newestDrill()).toEqual({
    kind: 'drill',
    fault: '',
    path: join(folder, 'headrace-20261120T210000Z.tar.gz'),
    made_at: now,
    is_scheduled: true,
  });
  expect(await left()).toEqual([]);
});

it('writes down who drilled, verified and backed up and how it ended, but on a machine without a database', async () => {
  const audited = async () =>
    source.db
      .selectFrom('audit')
      .select(['operator', 'command', 'arguments', 'outcome'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
  const file = 'headrace-20261120T210000Z.tar.gz';
  await runWith({}, 'verify-backup', file);
  await expect(runWith({}, 'verify-backup', 'none.tar.gz')).rejects.toThrow();
  const lines = [
    { operator: 'ana@office', command: 'verify-backup', arguments: 'none.tar.gz', outcome: 'failed' },
    { operator: 'ana@office', command: 'verify-backup', arguments: file, outcome: 'done' },
  ];
  expect(await audited()).toEqual(lines);
  await runWith({ hasDatabase: async () => false }, 'verify-backup', file);
  await runWith({}, 'backup-status');
  expect(await audited()).toEqual(lines);
});

it('fails where a service of the restored server says something else than the backup, and notes it', async () => {
  const forgetful: BackupContext['openServer'] = async (url) => {
    const server = await openRestoredServer(url, () => now);
    await server.db.updateTable('device').set({ deleted_at: now }).where('kind', '=', 'gateway').execute();
    return server;
  };
  await expect(drill({ openServer: forgetful })).rejects.toThrow(
    /^The trial restore of .*Home\tBlock has 0 of kind gateway after the restore, and 1 in the backup\.$/,
  );
  expect((await newestDrill())?.fault).toMatch(/0 of kind gateway/);
  expect(await left()).toEqual([]);
});

it('fails where no owner can sign in any more', async () => {
  const strict: BackupContext['openServer'] = async (url) => {
    const server = await openRestoredServer(url, () => now);
    await server.db.updateTable('account').set({ approved: false }).execute();
    return server;
  };
  await expect(drill({ openServer: strict })).rejects.toThrow(
    "An owner of a farm can't sign in after the restore.",
  );
});

it.each([
  ['a row is missing', 'delete from series', 'series'],
  ['a row is another', "update farm set name = name || '!'", 'farm'],
])('compares every row: %s', async (_name, statement, table) => {
  const target = await createTestDatabase();
  try {
    const path = join(folder, 'headrace-20261120T210000Z.tar.gz');
    const backup = await readBackup(path);
    const dataDir = join(folder, 'restored');
    const check = async (client: pg.Client) => {
      expect(await compareTables(client, backup)).toBe(backup.head.tables.length);
      await client.query(statement);
      await compareTables(client, backup);
    };
    const restored = restoreBackup({
      databaseUrl: target.url,
      dataDir,
      path,
      backup,
      replace: true,
      now,
      check,
    });
    await expect(restored).rejects.toThrow(`The rows of the table ${table} are not those of the backup`);
  } finally {
    await target.close();
  }
});

it('refuses a damaged backup, a folder without any, and one that there is no room for, before it makes a database', async () => {
  const damaged = join(folder, 'damaged.tar.gz');
  await writeFile(damaged, 'not a backup');
  await expect(run('drill-backup', damaged)).rejects.toThrow('it is damaged or cut short');
  const empty = await mkdtemp(join(folder, 'empty-'));
  await expect(run('drill-backup', empty)).rejects.toThrow(`There is no backup in ${empty}.`);
  await expect(drill({ room: async () => 1000 })).rejects.toThrow(
    /The drill needs about \d+ MB for a while, and there are 1 MB: make room/,
  );
});

it('drops what a killed drill has left, also before it was marked, and no database of somebody else', async () => {
  const url = new URL(source.url);
  const name = `${url.pathname.slice(1)}_backup_drill`;
  url.pathname = `/${name}`;
  const inIt = async (statement: string) => {
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  const refusal = `There is a database ${name}, which no drill has made`;
  await source.pool.query(`create database ${name} template template0`);
  expect(await drill()).toContain('can be restored');
  expect(await left()).toEqual([]);

  await source.pool.query(`create database ${name} template template0`);
  await inIt('create table precious ()');
  await expect(drill()).rejects.toThrow(refusal);
  await inIt('drop table precious');
  await source.pool.query(`comment on database ${name} is 'mine'`);
  await expect(drill()).rejects.toThrow(refusal);
  expect(await left()).toHaveLength(1);

  await source.pool.query(
    `comment on database ${name} is 'Headrace: a backup restored on trial, to be dropped'`,
  );
  await inIt('create table half_restored ()');
  expect(await drill()).toContain('can be restored');
  expect(await left()).toEqual([]);
});

it('is the only one at a time; a second one says nothing of the backup', async () => {
  await wentWell();
  const client = new pg.Client({ connectionString: source.url });
  await client.connect();
  await client.query("select pg_advisory_lock(hashtext('headrace backup drill'))");
  for (const more of [[], ['--scheduled']])
    await expect(runWith({}, 'drill-backup', folder, ...more)).rejects.toThrow(
      /was not begun\. Another drill is under way: wait for its end\.$/,
    );
  await client.end();
  expect((await newestDrill())?.fault).toBe('');
});

it.each<[string, Partial<BackupContext>, string[], RegExp]>([
  ['a mistyped path', {}, ['drill-backup', 'mistyped.tar.gz'], /There is no file .*mistyped\.tar\.gz\.$/],
  ['too little room', { room: async () => 1000 }, ['drill-backup', '.'], /needs about \d+ MB for a while/],
  ['a name that is taken', {}, ['backup', 'headrace-20261120T210000Z.tar.gz'], /is there already/],
  ['a folder that is not there', {}, ['backup', 'mistyped/one.tar.gz'], /There is no folder .*mistyped/],
])(
  'what a person was refused is no fault of the backups: %s',
  async (_name, changes, [name = '', ...args], said) => {
    await wentWell();
    await expect(runWith(changes, name, ...args)).rejects.toThrow(said);
    expect(await run('backup-status')).toMatch(/^Good: /m);
  },
);

it('what a timer was refused is told, since nobody reads it', async () => {
  const tried = runWith({ room: async () => 1000 }, 'drill-backup', folder, '--scheduled');
  await expect(tried).rejects.toThrow(/was not begun\. The drill needs about/);
  await expect(run('backup-status')).rejects.toThrow(
    /Not good: the trial restore of 2026-11-20 21:00 UTC failed: The drill needs about/,
  );
  await wentWell();
});

it('a backup and a drill that went well but could not be noted did go well, and old backups go', async () => {
  const backups = await mkdtemp(join(folder, 'unnoted-'));
  await run('backup', '--keep', '1', backups);
  await source.pool.query("alter table backup_run add constraint full_disk check (path = '') not valid");
  try {
    const later = { now: new Date('2026-11-21T21:00:00Z') };
    const text = await runWith(later, 'backup', '--keep', '1', backups);
    expect(text).toMatch(/^Wrote and checked .*\n[^]*\nDeleted headrace-20261120T210000Z\.tar\.gz$/);
    expect(await readdir(backups)).toEqual(['headrace-20261121T210000Z.tar.gz']);
    expect(await drill()).toContain('can be restored');
    expect(warnings).toEqual(
      Array.from(
        { length: 2 },
        () =>
          expect.stringMatching(
            /^It went well, but that can't be noted, so the server doesn't know of it: .*full_disk/,
          ) as string,
      ),
    );
  } finally {
    await source.pool.query('alter table backup_run drop constraint full_disk');
    await source.db.deleteFrom('backup_run').where('path', 'like', `${backups}%`).execute();
  }
});

it('backup-status says that nothing is known where a version before this one had the database last', async () => {
  await source.pool.query('alter table backup_run rename to of_later');
  await expect(run('backup-status')).rejects.toThrow(
    'Nothing is known yet: the database is one of an older version, or empty. Start this version once, and make a backup.',
  );
  await source.pool.query('alter table of_later rename to backup_run');
});

it('backup-status says how old the newest backup is, how the last drill went, and what is in the folder', async () => {
  await drill();
  const lines = (await run('backup-status')).split('\n');
  expect(lines).toEqual([
    expect.stringMatching(
      /^Newest backup: .*headrace-20261120T210000Z\.tar\.gz, 0\.\d MB, 2026-11-20T21:00:00\.000Z, 0 h ago$/,
    ),
    expect.stringMatching(/^Newest that was restored on trial: .*0 h ago, restored in \d+\.\d s$/),
    expect.stringMatching(/^In .*: 1 named by time, 0\.\d MB; \d+\.\d GiB free$/),
    'Good: the backups are made, and the last trial restore went well.',
  ]);
  const later = { now: new Date('2026-11-24T21:00:00Z') };
  await expect(runWith(later, 'backup-status')).rejects.toThrow(
    /Not good: the newest backup is 4 days old\.$/,
  );
});

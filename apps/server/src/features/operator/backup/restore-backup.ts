import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Db } from '../../../db/client.ts';
import { writeWhole } from '../../../db/embedded/files.ts';
import { sqlClient } from '../../../db/sql-client.ts';
import { migrate, migrationNames } from '../../../db/migrate.ts';
import { openMonth } from '../../../db/partitions.ts';
import type { Database } from '../../../db/schema.ts';
import { tryKeepServersOut } from '../../../db/servers-lock.ts';
import { afterRestore } from '../../commands/after-restore.ts';
import { withBackupClient } from './backup-client.ts';
import { BackupError, type BackupHead, type BackupTable, newerThanThis } from './backup-format.ts';
import { allTables, readCatalog } from './catalog.ts';
import { type Backup, readBackup } from './read-backup.ts';

export interface RestoreRequest {
  databaseUrl: string;
  dataDir: string;
  path: string;
  /** What `readBackup` found there: nothing is touched before the whole file is known to be good. */
  backup: Backup;
  now: Date;
  /** Delete what the database holds. Without it a database with rows is refused. */
  replace: boolean;
  /** Looks at the rows as they were loaded, before migrations and what a restore ends; by throwing it ends the restore. */
  check?: (client: Client) => Promise<void>;
}

/**
 * Puts a backup in the place of everything in the database: its own schema first, its rows, then the migrations that are
 * newer. What was under way then goes to no device any more. One transaction: interrupted or refused at any moment, the database is what it was.
 *
 * @throws BackupError
 */
export async function restoreBackup(request: RestoreRequest): Promise<void> {
  const { databaseUrl, dataDir, path, backup, replace, now, check } = request;
  refuseNewer(backup.head);
  await withBackupClient(databaseUrl, async (client) => {
    await client.query('begin');
    await makeRoom(client, replace);
    const db = kyselyOver(client);
    await migrate(db, { to: backup.head.migrations.at(-1) ?? '', inTransaction: true });
    await prepareTables(client, backup.head);
    await setTriggers(client, backup.head, 'disable');
    const loaded = await readBackup(path, (table, parts) => loadTable(client, backup, table, parts));
    if (!isSame(loaded, backup)) throw new BackupError(`${path} changed while it was read: try again.`);
    await check?.(client);
    await setTriggers(client, backup.head, 'enable');
    await setCounters(client, backup);
    await migrate(db, { inTransaction: true });
    await afterRestore(sqlClient(db), now);
    await client.query('commit');
    await client.query('analyze');
  });
  await mkdir(dataDir, { recursive: true });
  for (const [name, content] of backup.files) await writeWhole(join(dataDir, name), content.toString('utf8'));
}

/** A backup of a later version with the schema of this one fits, so that going back a patch is possible. */
export function refuseNewer(head: BackupHead): void {
  const known = migrationNames.slice(0, head.migrations.length);
  if (JSON.stringify(known) !== JSON.stringify(head.migrations)) throw newerThanThis(head.appVersion);
}

async function makeRoom(client: Client, replace: boolean): Promise<void> {
  if (!(await tryKeepServersOut(client))) {
    throw new BackupError('A Headrace server uses this database: stop it, restore, and start it again.');
  }
  const full = await tablesWithRows(client);
  if (full.length > 0 && !replace) {
    throw new BackupError(
      `The database is not empty (${full.slice(0, 5).join(', ')}${full.length > 5 ? ' …' : ''} have rows): give --replace to delete all of it for the backup, after a backup of what is there.`,
    );
  }
  const tables = (await allTables(client)).map((name) => client.escapeIdentifier(name));
  if (tables.length > 0) await client.query(`drop table ${tables.join(', ')} cascade`);
}

async function tablesWithRows(client: Client): Promise<string[]> {
  const full: string[] = [];
  for (const { name } of await readCatalog(client)) {
    const { rowCount } = await client.query(`select from ${client.escapeIdentifier(name)} limit 1`);
    if (rowCount) full.push(name);
  }
  return full;
}

/** The tables that the backup's rows came from, empty: also of what a migration may have put there. */
async function prepareTables(client: Client, head: BackupHead): Promise<void> {
  for (const { month } of head.tables) if (month) await openMonth(client, month);
  const made = await readCatalog(client);
  if (JSON.stringify(sorted(made)) !== JSON.stringify(sorted(head.tables))) {
    throw new BackupError(
      `The backup's tables are not those of its schema (${head.migrations.at(-1)}): it can't be restored by this version.`,
    );
  }
  await client.query(`truncate ${made.map(({ name }) => client.escapeIdentifier(name)).join(', ')}`);
}

/** What triggers once wrote is in the backup: while its rows are loaded they would write it again. */
async function setTriggers(
  client: Client,
  { tables }: BackupHead,
  state: 'enable' | 'disable',
): Promise<void> {
  for (const { name } of tables)
    await client.query(`alter table ${client.escapeIdentifier(name)} ${state} trigger user`);
}

const sorted = (tables: BackupTable[]) =>
  tables
    .map(({ name, columns, month, identity }) => [name, columns, month ?? '', identity ?? ''])
    .toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));

async function loadTable(
  client: Client,
  backup: Backup,
  table: BackupTable,
  parts: AsyncIterable<Buffer>,
): Promise<void> {
  const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const copy = client.query(copyFrom(`copy ${client.escapeIdentifier(table.name)} (${columns}) from stdin`));
  await pipeline(parts, copy);
  if (copy.rowCount !== backup.seals.get(table.name)?.rows) {
    throw new BackupError(
      `The database took ${copy.rowCount} rows of ${table.name}, not all: nothing was changed.`,
    );
  }
}

async function setCounters(client: Client, { head, seals }: Backup): Promise<void> {
  for (const { name, identity } of head.tables) {
    const counter = seals.get(name)?.counter;
    if (!identity || !counter) continue;
    await client.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3::bigint, $4)', [
      name,
      identity,
      counter.value,
      counter.isUsed,
    ]);
  }
}

function isSame(one: Backup, other: Backup): boolean {
  const text = ({ head, seals }: Backup) => JSON.stringify([head, [...seals]]);
  return text(one) === text(other);
}

/** Queries of migrations on the connection whose transaction this is. */
function kyselyOver(client: Client): Db {
  const connection = { query: client.query.bind(client) as PostgresPoolClient['query'], release: () => {} };
  const pool = { connect: async () => connection, end: async () => {} };
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

import { DatabaseError, type Client } from 'pg';
import { withBackupClient } from '../backup-client.ts';
import { BackupError } from '../backup-format.ts';

/** Only a database that says so of itself is ever dropped. */
const MARK = 'Headrace: a backup restored on trial, to be dropped';
const NAME_MAX = 63;
const SUFFIX = '_backup_drill';
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * An empty database beside the real one, dropped when `work` has ended. One drill at a time: what a killed one has left goes first.
 *
 * @throws BackupError where another drill is under way, or this user may make no databases
 */
export const inTrialDatabase = <T>(databaseUrl: string, work: (url: string) => Promise<T>): Promise<T> =>
  withBackupClient(databaseUrl, async (client) => {
    await beAlone(client);
    const name = await nameBeside(client);
    await drop(client, name);
    await make(client, name);
    try {
      return await work(withDatabase(databaseUrl, name));
    } finally {
      await drop(client, name);
    }
  });

/** As long as the connection lives. */
async function beAlone(client: Client): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>(
    "select pg_try_advisory_lock(hashtext('headrace backup drill')) as free",
  );
  if (rows[0]?.free !== true) throw new BackupError('Another drill is under way: wait for its end.');
}

async function nameBeside(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  return `${(rows[0]?.name ?? '').slice(0, NAME_MAX - SUFFIX.length)}${SUFFIX}`;
}

async function drop(client: Client, name: string): Promise<void> {
  const { rows } = await client.query<{ mark: string | null }>(
    "select shobj_description(oid, 'pg_database') as mark from pg_database where datname = $1",
    [name],
  );
  if (!rows[0]) return;
  if (rows[0].mark !== MARK)
    throw new BackupError(
      `There is a database ${name}, which no drill has made: rename or drop it, since a drill needs that name.`,
    );
  await client.query(`drop database ${client.escapeIdentifier(name)} with (force)`);
}

async function make(client: Client, name: string): Promise<void> {
  const quoted = client.escapeIdentifier(name);
  const { rows } = await client.query<{ encoding: string; collate: string; ctype: string }>(
    `select pg_encoding_to_char(encoding) as encoding, datcollate as collate, datctype as ctype
     from pg_database where datname = current_database()`,
  );
  const of = rows[0];
  if (!of) throw new Error('The database is gone.');
  const text = (value: string) => client.escapeLiteral(value);
  try {
    await client.query(
      `create database ${quoted} template template0 encoding ${text(of.encoding)} lc_collate ${text(of.collate)} lc_ctype ${text(of.ctype)}`,
    );
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === INSUFFICIENT_PRIVILEGE)) throw error;
    throw new BackupError(
      "The database's user may not make databases: allow it (alter role … createdb), so that a backup can be restored on trial.",
    );
  }
  await client.query(`comment on database ${quoted} is ${text(MARK)}`);
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(name)}`;
  return changed.href;
}

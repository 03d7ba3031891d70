import type { Client } from 'pg';
import { withBackupClient } from '../backup-client.ts';
import { NotTriedError } from '../backup-format.ts';
import { dropUsed, INSUFFICIENT_PRIVILEGE, isError, OBJECT_IN_USE } from './drop-used.ts';

/** Only a database that says so of itself is ever dropped. */
const MARK = 'Headrace: a backup restored on trial, to be dropped';
const NAME_MAX = 63;
const SUFFIX = '_backup_drill';

/**
 * An empty database beside the real one, dropped when `work` has ended. One drill at a time: what a killed one has left goes first.
 *
 * @throws BackupError where another drill is under way, or this user may make no databases
 */
export const inTrialDatabase = <T>(databaseUrl: string, work: (url: string) => Promise<T>): Promise<T> =>
  withBackupClient(databaseUrl, async (client) => {
    await beAlone(client);
    const name = await nameBeside(client);
    const url = withDatabase(databaseUrl, name);
    await drop(client, name, url);
    await make(client, name);
    try {
      return await work(url);
    } finally {
      await drop(client, name, url);
    }
  });

/** As long as the connection lives. */
async function beAlone(client: Client): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>(
    "select pg_try_advisory_lock(hashtext('headrace backup drill')) as free",
  );
  if (rows[0]?.free !== true)
    throw new NotTriedError('Another drill is under way: wait for its end.', { isBusy: true });
}

async function nameBeside(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  return `${(rows[0]?.name ?? '').slice(0, NAME_MAX - SUFFIX.length)}${SUFFIX}`;
}

async function drop(client: Client, name: string, url: string): Promise<void> {
  const { rows } = await client.query<{ mark: string | null; isOwn: boolean }>(
    `select shobj_description(oid, 'pg_database') as mark, pg_get_userbyid(datdba) = current_user as "isOwn"
     from pg_database where datname = $1`,
    [name],
  );
  const [found] = rows;
  if (!found) return;
  const statement = `drop database ${client.escapeIdentifier(name)}`;
  if (found.mark === MARK) await dropUsed(client, statement);
  else if (found.mark === null && found.isOwn && (await isEmpty(url)))
    // By a drill that was killed before it could mark it. Somebody else's is kept where they are at it.
    await client.query(statement).catch((error: unknown) => {
      throw isError(error, OBJECT_IN_USE) ? taken(name) : error;
    });
  else throw taken(name);
}

const taken = (name: string) =>
  new NotTriedError(
    `There is a database ${name}, which no drill has made: rename or drop it, since a drill needs that name.`,
  );

/** PostgreSQL's own objects have numbers below 16384 (FirstNormalObjectId in its access/transam.h). */
const isEmpty = (url: string) =>
  withBackupClient(url, async (client) => {
    const { rows } = await client.query<{ isEmpty: boolean }>(
      `select not exists (select from pg_class where oid >= 16384)
         and not exists (select from pg_namespace where oid >= 16384)
         and not exists (select from pg_proc where oid >= 16384)
         and not exists (select from pg_extension where oid >= 16384)
         and not exists (select from pg_largeobject_metadata) as "isEmpty"`,
    );
    return rows[0]?.isEmpty === true;
  });

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
    if (!isError(error, INSUFFICIENT_PRIVILEGE)) throw error;
    throw new NotTriedError(
      "The database's user may not make databases: allow it (alter role … createdb), so that a backup can be restored on trial.",
    );
  }
  try {
    await client.query(`comment on database ${quoted} is ${text(MARK)}`);
  } catch (error) {
    await client.query(`drop database ${quoted}`).catch(() => {});
    throw error;
  }
}

/** Encoded as pg decodes it. */
function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURI(name)}`;
  return changed.href;
}

import { Client } from 'pg';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode } from './files.ts';
import { passwordFile } from './password.ts';

export const DATABASE = 'headrace';

const WRONG_PASSWORD = '28P01';

export interface RunningCluster {
  dataDir: string;
  clusterDir: string;
  port: number;
  password: string;
}

/**
 * Makes the role and the database where they are missing. The role is no superuser; it may make databases, for trial restores of backups and for tests.
 *
 * @throws EmbeddedPostgresError 'unreadable' for a password that isn't this cluster's, 'start-failed' for a wrong server
 */
export async function provision(cluster: RunningCluster): Promise<void> {
  const client = new Client({
    host: '127.0.0.1',
    port: cluster.port,
    user: 'postgres',
    password: cluster.password,
    database: 'postgres',
    ssl: false, // The bundled OpenSSL is old; this never leaves the machine.
    connectionTimeoutMillis: 30_000,
  });
  // A connection that breaks also fails the query under way, and that is reported.
  client.on('error', () => {});
  try {
    await client.connect();
    await checkDataDirectory(client, cluster);
    await makeRole(client, cluster.password);
    await makeDatabase(client);
  } catch (error) {
    throw errorCode(error) === WRONG_PASSWORD ? wrongPassword(cluster.dataDir) : error;
  } finally {
    await client.end().catch(() => {});
  }
}

async function checkDataDirectory(client: Client, { clusterDir, port }: RunningCluster): Promise<void> {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  if (rows[0]?.data_directory === clusterDir) return;
  throw new EmbeddedPostgresError(
    'start-failed',
    `Port ${port} is answered by another database (${rows[0]?.data_directory ?? 'unknown'}) than the one in ${clusterDir}: start again.`,
  );
}

async function makeRole(client: Client, password: string): Promise<void> {
  const found = await client.query('select from pg_roles where rolname = $1', [DATABASE]);
  if (found.rowCount !== 0) return;
  await client.query(`create role ${DATABASE} login createdb password ${client.escapeLiteral(password)}`);
}

async function makeDatabase(client: Client): Promise<void> {
  const found = await client.query('select from pg_database where datname = $1', [DATABASE]);
  if (found.rowCount !== 0) return;
  await client.query(`create database ${DATABASE} owner ${DATABASE}`);
}

function wrongPassword(dataDir: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'unreadable',
    `The password in ${passwordFile(dataDir)} is not that of the database beside it: delete the file and start again, and a new password is set.`,
  );
}

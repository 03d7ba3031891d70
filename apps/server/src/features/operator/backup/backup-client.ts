import pg from 'pg';

/**
 * One connection for a backup or a restore, without the limits in time that requests have. Text is the same whatever the
 * database's own settings are.
 */
export async function withBackupClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'headrace-backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // A connection that breaks also fails the query under way, and that is reported.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = '60s';
       set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
       set extra_float_digits = 1; set client_encoding = 'UTF8'`,
    );
    return await work(client);
  } finally {
    await client.end(); // What wasn't committed is rolled back.
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A server that was killed may hold the lock until the database notices, ms. */
const WAIT_MS = 5000;

/**
 * The embedded broker lives inside one server: a second server on the same database would hear only half of the
 * devices. Holds a database lock for as long as the connection lives; throws when another server has it.
 */
export async function holdSingleServerLock(databaseUrl: string): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'headrace-lock',
    keepAlive: true,
  });
  client.on('error', () => {});
  await client.connect();
  if (!(await tryLock(client))) {
    await client.end();
    throw new Error(
      'Another Headrace server with its own broker is using this database. Give both servers one broker with MQTT_URL, or stop the other.',
    );
  }
  return { release: () => client.end() };
}

async function tryLock(client: pg.Client): Promise<boolean> {
  for (const until = Date.now() + WAIT_MS; ; await sleep(250)) {
    const { rows } = await client.query<{ locked: boolean }>(
      "select pg_try_advisory_lock(hashtext('headrace embedded broker')) as locked",
    );
    if (rows[0]?.locked) return true;
    if (Date.now() > until) return false;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { tryJoinServers } from './db/servers-lock.ts';
import { StartError } from './db/start-error.ts';

/** A server that was killed may hold the lock until the database notices, ms. */
const WAIT_MS = 5000;

/**
 * Says in the database that a server uses it, for as long as the connection lives. The embedded broker lives inside one
 * server: a second server on the same database would hear only half of the devices, so with `alone` there is one only.
 */
export async function holdServerLock(
  databaseUrl: string,
  { alone }: { alone: boolean },
): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'headrace-lock',
    keepAlive: true,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await insist(
      () => tryJoinServers(client),
      'A backup is being restored into this database. Start the server when that is done.',
    );
    if (alone) {
      await insist(
        () => tryBeAlone(client),
        'Another Headrace server with its own broker is using this database. Give both servers one broker with MQTT_URL, or stop the other.',
      );
    }
  } catch (error) {
    await client.end();
    throw error;
  }
  return { release: () => client.end() };
}

async function tryBeAlone(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    "select pg_try_advisory_lock(hashtext('headrace embedded broker')) as locked",
  );
  return rows[0]?.locked === true;
}

async function insist(isDone: () => Promise<boolean>, otherwise: string): Promise<void> {
  for (const until = Date.now() + WAIT_MS; !(await isDone()); await sleep(250)) {
    if (Date.now() > until) throw new StartError(otherwise);
  }
}

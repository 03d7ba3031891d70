import type { ClientBase } from 'pg';

/** Held by every server while it runs, shared; by a restore alone. */
const SERVERS = "hashtext('headrace servers')";

/** False while a backup is being restored into this database. Lasts as long as the connection. */
export async function tryJoinServers(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_lock_shared(${SERVERS}) as locked`,
  );
  return rows[0]?.locked === true;
}

/** False while a server uses this database. Lasts as long as the transaction. */
export async function tryKeepServersOut(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(${SERVERS}) as locked`,
  );
  return rows[0]?.locked === true;
}

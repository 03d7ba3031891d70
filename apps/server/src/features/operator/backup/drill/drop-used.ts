import { type Client, DatabaseError } from 'pg';

export const INSUFFICIENT_PRIVILEGE = '42501';
export const OBJECT_IN_USE = '55006';

export const isError = (error: unknown, code: string): boolean =>
  error instanceof DatabaseError && error.code === code;

const TRIES = 5;

/**
 * Drops a database though sessions that a killed program left are in it. Without `force` first: only so does PostgreSQL end its own
 * autovacuum, which may not be ended by anybody but a superuser and which works in each database that has just been filled.
 *
 * @param statement `drop database …`
 */
export async function dropUsed(client: Pick<Client, 'query'>, statement: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await client.query(statement);
      return;
    } catch (error) {
      if (!isError(error, OBJECT_IN_USE)) throw error;
    }
    try {
      await client.query(`${statement} with (force)`);
      return;
    } catch (error) {
      // Autovacuum has come again.
      if (!isError(error, INSUFFICIENT_PRIVILEGE) || tried === TRIES) throw error;
    }
  }
}

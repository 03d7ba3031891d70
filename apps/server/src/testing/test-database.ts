import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { connectDatabase, type DatabaseClient } from '../db/client.ts';
import { TEMPLATE, withDatabase } from './global-setup.ts';

export interface TestDatabase extends DatabaseClient {
  url: string;
}

/** A migrated database of this suite's own; `close` drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('databaseUrl');
  const name = `suite_${randomBytes(6).toString('hex')}`;
  // Files are copied: by the log, as is usual, it takes four times as long.
  await adminQuery(adminUrl, `create database ${name} template ${TEMPLATE} strategy file_copy`);
  const url = withDatabase(adminUrl, name);
  const client = connectDatabase(url);
  return {
    ...client,
    url,
    close: async () => {
      await client.close();
      await adminQuery(adminUrl, `drop database ${name} with (force)`);
    },
  };
}

/** Template copies exclude one another, and PostgreSQL's own vacuum can't be put out: both are over soon. */
const passing = /being accessed by other users|permission denied to terminate process/;

async function adminQuery(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (let tries = 0; ; tries += 1) {
      try {
        await client.query(statement);
        return;
      } catch (error) {
        if (tries > 200 || !passing.test(String(error))) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  } finally {
    await client.end();
  }
}

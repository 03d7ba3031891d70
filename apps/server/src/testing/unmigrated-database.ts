import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { connectDatabase, type DatabaseClient } from '../db/client.ts';
import { withDatabase } from './global-setup.ts';

/** A database of the test file's own that no migration has seen; ask for it within a test. */
export function useUnmigratedDatabase(name: string): () => DatabaseClient {
  let admin: pg.Client;
  let database: DatabaseClient;
  beforeAll(async () => {
    admin = new pg.Client({ connectionString: inject('databaseUrl') });
    await admin.connect();
    await admin.query(`create database ${name}`);
    database = connectDatabase(withDatabase(inject('databaseUrl'), name));
  });
  afterAll(async () => {
    await database.close();
    // By force it may not: what tidies tables up by itself, and is asked to leave without, is not ours to end.
    await admin.query(`drop database ${name}`);
    await admin.end();
  });
  return () => database;
}

import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { fillPath, splitKey } from '@headrace/contract/endpoint';
import { type App, createApp } from '../app.ts';
import type { AppOptions } from '../app-options.ts';
import { closedApp } from '../closed-app.ts';
import type { AccountRow } from '../db/schema.ts';
import { createSandbox } from '../features/codecs/sandbox/sandbox.ts';
import type { Job } from '../jobs/run-every.ts';
import { expectReply } from './expect-reply.ts';
import { OPERATOR_TOKEN } from './operator.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { openSession } from './open-session.ts';

export interface TestServer extends App {
  database: TestDatabase;
  /** The clock: moves only when a test sets it. */
  clock: { now: Date };
  /** A session without the password's cost; the headers to send. */
  signIn(account: AccountRow): Promise<Record<string, string>>;
  /** `call('GET /farm', { headers, query: { uid } })` */
  call(key: string, options?: CallOptions): Promise<LightMyRequestResponse>;
  /** One turn of the job with that name. */
  runJob(name: string): Promise<void>;
}

export interface CallOptions {
  headers?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  /** Where the call comes from; this machine unless said. */
  address?: string;
}

/** The whole app on a database of its own, or beside another server on that one's, without broker; time stands still. */
export async function createTestServer(
  changes: Partial<AppOptions> = {},
  beside?: Pick<TestServer, 'database'>,
): Promise<TestServer> {
  const database = beside ? beside.database : await createTestDatabase();
  const clock = { now: new Date('2026-11-20T21:00:00Z') };
  const trySandbox = createSandbox();
  const app = await createApp({
    ...closedApp(database, trySandbox, () => clock.now),
    publicUrl: 'https://headrace.test',
    webFolder: '/nowhere',
    operatorToken: OPERATOR_TOKEN,
    ...changes,
  });
  return {
    ...app,
    database,
    clock,
    signIn: async ({ id }) => {
      const authorization = await openSession(database.db, id, { now: clock.now });
      return { authorization, deviceuid: 'test' };
    },
    call: (key, options) => inject(app.http, key, options),
    runJob: async (name) => void (await jobOf(app, name).run()),
    close: async () => {
      await app.close();
      await trySandbox.close();
      if (!beside) await database.close();
    },
  };
}

function jobOf({ jobs }: App, name: string): Job {
  const job = jobs.find((one) => one.name === name);
  if (!job) throw new Error(`No job is named "${name}".`);
  return job;
}

async function inject(
  http: FastifyInstance,
  key: string,
  options: CallOptions = {},
): Promise<LightMyRequestResponse> {
  const { method, path: pattern } = splitKey(key);
  const { path, query } = fillPath(pattern, options.query);
  const response = await http.inject({
    method,
    url: `/v1${path}`,
    headers: options.headers ?? {},
    ...(options.address && { remoteAddress: options.address }),
    ...(options.query && { query: query as Record<string, string> }),
    ...(options.body && { payload: options.body }),
  });
  expectReply(key, response);
  return response;
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { connectDatabase, type DatabaseClient } from '../db/client.ts';
import { migrate } from '../db/migrate.ts';
import { KEY } from '../mqtt/testing/transport-kit.ts';
import { type Mosquitto, type MosquittoOptions, startMosquitto } from '../mqtt/testing/mosquitto.ts';
import { asOperator, OPERATOR_TOKEN } from './operator.ts';
import {
  hasSystemPostgres,
  startSystemPostgres,
  startTestPostgres,
  type TestPostgres,
} from './test-postgres.ts';

/** What `npm run build` makes. */
const main = new URL('../../dist/main.js', import.meta.url).pathname;

/** One server as an operator runs it beside others: a process of the built program. */
export class ServerProcess {
  readonly name: string;
  readonly #env: Record<string, string>;
  #process: ChildProcess | undefined;
  url = '';
  /** What it wrote to its log. */
  log = '';

  constructor(name: string, env: Record<string, string>) {
    this.name = name;
    this.#env = env;
  }

  async start(): Promise<void> {
    const child = fork(main, [], {
      execArgv: [],
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        LOG_LEVEL: 'warn',
        SERVER_NAME: this.name,
        OPERATOR_TOKEN,
        ...this.#env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#process = child;
    child.stdout?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    const exited = once(child, 'exit').then(() => {
      throw new Error(`server ${this.name} ended before it listened: ${this.log}`);
    });
    const [{ url }] = (await Promise.race([once(child, 'message'), exited])) as [{ url: string }];
    exited.catch(() => undefined);
    this.url = url;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.kill(name);
  }

  async readiness(): Promise<{ status: number; checks: Record<string, string> }> {
    const reply = await fetch(`${this.url}/readyz`);
    const { checks } = (await reply.json()) as { checks: Record<string, string> };
    return { status: reply.status, checks };
  }

  async metric(line: string): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`, { headers: asOperator })).text();
    const found = text.split('\n').find((one) => one.startsWith(`${line} `));
    return Number(found?.slice(line.length));
  }
}

export interface Site {
  database: DatabaseClient;
  mosquitto: Mosquitto;
  /** Only Debian's PostgreSQL can be stopped and started again. */
  postgres: TestPostgres & { start?: () => Promise<void> };
  /** Not started yet. */
  server(name: string): ServerProcess;
}

/** One PostgreSQL (Debian's where there is one) and one Mosquitto with the shipped configuration, for the time of a test. */
export async function openSite(options: MosquittoOptions = {}): Promise<Site> {
  if (!existsSync(main)) throw new Error('The server is not built: run `npm run build` first.');
  const folder = await mkdtemp(join(tmpdir(), 'headrace-servers-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const postgres: Site['postgres'] = await (hasSystemPostgres ? startSystemPostgres : startTestPostgres)(
    folder,
  );
  onTestFinished(() => postgres.stop());
  const database = connectDatabase(postgres.url);
  onTestFinished(() => database.close());
  await migrate(database.db);
  const mosquitto = await startMosquitto(options);
  const env = {
    DATABASE_URL: postgres.url,
    MQTT_URL: `mqtt://headrace:${KEY}@127.0.0.1:${mosquitto.serverPort}`,
    DATA_DIR: folder,
  };
  return {
    database,
    mosquitto,
    postgres,
    server(name) {
      const server = new ServerProcess(name, env);
      onTestFinished(() => server.end('SIGKILL'));
      return server;
    },
  };
}

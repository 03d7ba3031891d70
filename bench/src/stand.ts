import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { runningPostgresUrl } from '@headrace/server/dist/db/embedded/running-postgres.js';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** As scripts/lib/server-flags.mjs and deploy/ have them. */
const SERVER_FLAGS = ['--max-semi-space-size=64'];

const OPERATOR_TOKEN = 'the-token-of-the-bench';

/** What the server counts, as monitoring reads it. */
export async function metricsOf(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  return (await fetch(`${url}/metrics`, { headers })).text();
}

/** What it has used; and how long its event loop stood still at most since this was read the last time. */
export async function serverOf({ url }: Pick<Stand, 'url'>) {
  const text = await metricsOf(url);
  const of = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
  return {
    cpuS: of('process_cpu_seconds_total'),
    stallMs: of('nodejs_eventloop_lag_max_seconds') * 1000,
    residentMb: of('process_resident_memory_bytes') / 1024 / 1024,
  };
}

/** The built server as an operator runs it, on a folder of its own, and a way into its database. */
export interface Stand {
  /** Of the server's process. */
  pid: number;
  url: string;
  mqttPort: number;
  databaseUrl: string;
  sql: pg.Pool;
  stop(): Promise<void>;
}

interface Ready {
  ready: true;
  url: string;
  mqttPort: number;
}

export async function startStand(): Promise<Stand> {
  const folder = await mkdtemp(join(tmpdir(), 'headrace-bench-'));
  const server = await startServer({ DATA_DIR: folder });
  const { ready } = server;
  const databaseUrl = (await runningPostgresUrl(folder)) ?? '';
  const sql = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  return {
    pid: server.pid,
    url: ready.url,
    mqttPort: ready.mqttPort,
    databaseUrl,
    sql,
    async stop() {
      await sql.end();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface BenchServer {
  pid: number;
  ready: Ready;
  stop(): Promise<void>;
}

/** The built server with these settings, on free ports, which is starting. */
export function forkServer(env: Record<string, string>): ChildProcess {
  return fork(join(root, 'apps/server/dist/main.js'), [], {
    execArgv: [...process.execArgv, ...SERVER_FLAGS],
    env: { ...process.env, PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'warn', OPERATOR_TOKEN, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** The same once it runs. */
export async function startServer(env: Record<string, string>): Promise<BenchServer> {
  const server = forkServer(env);
  const ready = await readiness(server);
  return {
    pid: server.pid ?? 0,
    ready,
    async stop() {
      const gone = once(server, 'exit');
      server.kill('SIGTERM');
      await gone;
    },
  };
}

export async function readiness(server: ChildProcess): Promise<Ready> {
  return new Promise((resolve, reject) => {
    server.on('message', (message: Ready) => message.ready && resolve(message));
    server.once('exit', (code) =>
      reject(new Error(`The server ended with ${code}: run "npm run build" and look above.`)),
    );
  });
}

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { type Running, startProgram, temporaryFolder } from './processes.ts';

export interface Headrace {
  /** `http://127.0.0.1:<port>` */
  url: string;
  mqttPort: number;
  dataDir: string;
  /** Lets the operator in. */
  operatorToken: string;
  server: Running;
  /** As a power cut does it; its broker's port stays the same when it is started again. */
  killServer(): Promise<void>;
  restartServer(): Promise<void>;
  /** Ends the simulator, then the server, and deletes the data. */
  stop(): Promise<void>;
}

interface Ready {
  ready: true;
  url: string;
  mqttPort: number;
  demoSecretFile: string;
}

const isReady = (message: unknown): message is Ready =>
  typeof message === 'object' && message !== null && 'ready' in message && message.ready === true;

export interface HeadraceOptions {
  /** Demo farms with living devices and this many days of history; without: the demo's records and no reading. */
  historyDays?: number;
  /** What one try of the devices to reach a sprinkler by radio takes, ms; without loss then. */
  unitDelayMs?: number;
  /** false: a new installation, with no account in it. */
  isDemo?: boolean;
  /** Settings besides the usual ones. */
  env?: Readonly<Record<string, string>>;
}

/** The built server with the demo's farms, its own database and broker on free ports, and where asked the demo's devices. */
export async function startHeadrace(options: HeadraceOptions = {}): Promise<Headrace> {
  const { historyDays, unitDelayMs } = options;
  const data = await temporaryFolder();
  // Node's own copies lose the owner, whom PostgreSQL insists on.
  if (options.isDemo !== false)
    await promisify(execFile)('cp', ['-a', join(inject('preparedDemo'), '.'), data.path]);
  let { server, ready } = await startServer(data.path, options);
  const simulator =
    historyDays === undefined ? null : startSimulator(ready, data.path, historyDays, unitDelayMs);
  return {
    url: ready.url,
    mqttPort: ready.mqttPort,
    dataDir: data.path,
    operatorToken: await readFile(join(data.path, 'operator-token'), 'utf8'),
    get server() {
      return server;
    },
    async killServer() {
      await server.end('SIGKILL');
    },
    async restartServer() {
      const ports = { PORT: new URL(ready.url).port, MQTT_PORT: String(ready.mqttPort) };
      ({ server, ready } = await startServer(data.path, options, ports));
    },
    async stop() {
      await simulator?.end();
      await server.end();
      await data.remove();
    },
  };
}

async function startServer(
  dataDir: string,
  { isDemo = true, env: more = {} }: HeadraceOptions,
  ports: { PORT: string; MQTT_PORT: string } = { PORT: '0', MQTT_PORT: '0' },
): Promise<{ server: Running; ready: Ready }> {
  let settle: (ready: Ready) => void = () => {};
  const ready = new Promise<Ready>((resolve) => {
    settle = resolve;
  });
  const env = { ...ports, HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const server = startProgram(
    'apps/server/dist/main.js',
    isDemo ? ['--demo'] : [],
    { ...env, DATABASE_URL: '', MQTT_URL: '', ...more },
    (message) => {
      if (isReady(message)) settle(message);
    },
  );
  const failed = server.exited.then(({ code }) => {
    throw new Error(`The server ended with code ${code} before it was ready:\n${server.output()}`);
  });
  return { server, ready: await Promise.race([ready, failed]) };
}

function startSimulator(
  ready: Ready,
  dataDir: string,
  historyDays: number,
  unitDelayMs: number | undefined,
): Running {
  return startProgram(
    'apps/simulator/dist/main.js',
    [
      '--mqtt',
      `mqtt://127.0.0.1:${ready.mqttPort}`,
      '--secret-file',
      ready.demoSecretFile,
      '--state-dir',
      join(dataDir, 'simulator'),
      '--backfill-days',
      String(historyDays),
    ],
    unitDelayMs === undefined
      ? {}
      : { SIM_UNIT_DELAY_MS: String(unitDelayMs), SIM_ACK_DELAY_MS: '50', SIM_RADIO_LOSS: '0' },
  );
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brokerHash } from '@headrace/server/dist/features/device-connections/broker-hash.js';
import { root } from './stand.ts';

const PROGRAM = '/usr/sbin/mosquitto';
export const hasMosquitto = existsSync(PROGRAM);

export interface BenchMosquitto {
  devicePort: number;
  serverUrl: string;
  stop(): Promise<void>;
}

/** Mosquitto with the configuration that docs/deploy ships, on ports and in a folder of its own. */
export async function startMosquitto(users: Record<string, string>): Promise<BenchMosquitto> {
  const folder = await mkdtemp(join(tmpdir(), 'headrace-bench-mosquitto-'));
  const [devicePort, serverPort] = [await freePort(), await freePort()];
  const shipped = join(root, 'docs/deploy/mosquitto');
  const text = (await readFile(join(shipped, 'mosquitto.conf'), 'utf8'))
    .replace(/^listener 1883$/m, `listener ${devicePort} 127.0.0.1`)
    .replace(/^listener 1884 .*$/m, `listener ${serverPort} 127.0.0.1`)
    .replaceAll('/etc/mosquitto/', `${folder}/`)
    .replaceAll('/var/lib/mosquitto/', `${folder}/`);
  // As root it would change to a user that can't read this folder.
  await writeFile(join(folder, 'mosquitto.conf'), `${text}\nuser root\n`);
  await copyFile(join(shipped, 'headrace.acl'), join(folder, 'headrace.acl'));
  const lines = Object.entries({ ...users, headrace: 'bench' }).map(
    ([name, password]) => `${name}:${brokerHash(password)}\n`,
  );
  await writeFile(join(folder, 'headrace.passwd'), lines.join(''));
  const broker = spawn(PROGRAM, ['-c', join(folder, 'mosquitto.conf')], { stdio: 'ignore' });
  await sleep(500);
  if (broker.exitCode !== null) throw new Error('Mosquitto did not start.');
  return {
    devicePort,
    serverUrl: `mqtt://headrace:bench@127.0.0.1:${serverPort}`,
    async stop() {
      const gone = once(broker, 'exit');
      broker.kill('SIGTERM');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

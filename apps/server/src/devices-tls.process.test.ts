import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { gatewayTopic } from '@headrace/device/topics';
import mqttClient from 'mqtt';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { connectDatabase } from './db/client.ts';
import { runningPostgresUrl } from './db/embedded/running-postgres.ts';
import { makeAuthority } from './mqtt/testing/authority.ts';
import { hasMosquitto } from './mqtt/testing/mosquitto.ts';
import { buildAccount, buildFarm, buildGateway, buildTank } from './testing/factories.ts';
import { freePort } from './testing/free-port.ts';

/** What `npm run build` makes. */
const main = new URL('../dist/main.js', import.meta.url).pathname;
const run = promisify(execFile);
const HOST = '127.0.0.1';
/** The server looks at its files every ten seconds, and a busy machine takes many times that to start it. */
const PATIENCE_MS = 240_000;
/** Between two readings: enough come meanwhile, and the machine has other things to do. */
const REST_MS = 50;

beforeAll(() => {
  if (!existsSync(main)) throw new Error('The server is not built: run `npm run build` first.');
});

/** The whole server, as an operator starts it, with a certificate by its environment. */
async function startServer(folder: string, more: Record<string, string>): Promise<void> {
  const server: ChildProcess = fork(main, [], {
    execArgv: [],
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'error', ...more },
  });
  onTestFinished(async () => {
    const exited = once(server, 'exit');
    server.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  await once(server, 'message');
}

async function serialNumber(port: number, ca: string): Promise<string> {
  const socket = connectTls({ host: HOST, port, ca });
  await once(socket, 'secureConnect');
  const { serialNumber: number } = socket.getPeerCertificate();
  socket.destroy();
  return number;
}

it.skipIf(!hasMosquitto)(
  'a server takes readings by TLS with the files of its environment, and drops none when they are renewed',
  async () => {
    const authority = await makeAuthority();
    const { cert, key } = authority.sign('broker', `IP:${HOST}`);
    const folder = await mkdtemp(join(tmpdir(), 'headrace-tls-server-'));
    const port = await freePort();
    await startServer(folder, {
      MQTT_TLS_CERT_FILE: cert,
      MQTT_TLS_KEY_FILE: key,
      MQTT_TLS_PORT: String(port),
      MQTT_TLS_HOST: HOST,
    });
    const { db, close } = connectDatabase((await runningPostgresUrl(folder)) ?? '');
    onTestFinished(close);
    const farm = await buildFarm(db, (await buildAccount(db)).id);
    const { mac } = await buildGateway(db, farm.id, 'key');
    const tank = await buildTank(db, farm.id);
    const [topic, user] = [gatewayTopic(mac ?? '', 'sensor'), mac ?? ''];
    const first = Date.now() - 30 * 86_400_000;
    const at = (number: number) => new Date(first + number * 60_000);
    const reading = (number: number) =>
      JSON.stringify({
        items: [{ mac: tank.mac, at: at(number).toISOString(), values: { levelMm: 1000 + number } }],
      });
    const words = ['-h', HOST, '-p', String(port), '-u', user, '-P', 'key', '-q', '1', '-t', topic];
    await run('mosquitto_pub', [...words, '--cafile', authority.file, '-m', reading(0)]);

    const ca = await authority.pem();
    const gateway = await mqttClient.connectAsync(`mqtts://${HOST}:${port}`, {
      username: user,
      password: 'key',
      ca,
      protocolVersion: 4,
      reconnectPeriod: 0,
    });
    onTestFinished(() => gateway.endAsync(true));
    let closings = 0;
    gateway.on('close', () => (closings += 1));
    let sent = 1;
    const say = () => gateway.publishAsync(topic, reading(sent++), { qos: 1 });
    const before = await serialNumber(port, ca);
    authority.sign('broker', `IP:${HOST}`);
    while ((await serialNumber(port, ca)) === before) {
      await say();
      await sleep(REST_MS);
    }
    await say();

    // Acknowledged is stored.
    const stored = await db.selectFrom('reading').select(['value']).orderBy('at').execute();
    expect([stored.map(({ value }) => value), closings]).toEqual([
      Array.from({ length: sent }, (_none, number) => 1000 + number),
      0,
    ]);
    await run('mosquitto_pub', [...words, '--cafile', authority.file, '-m', reading(sent)]);
    await expect(run('mosquitto_pub', [...words, '-m', reading(sent)])).rejects.toThrow();
  },
  PATIENCE_MS,
);

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createExternalBroker } from './external-broker.ts';
import { eventually, Inbox, KEY, MAC, OTHER_MAC, signIn, startDoor, up } from './testing/door-kit.ts';

const MOSQUITTO = '/usr/sbin/mosquitto';
const SHIPPED = fileURLToPath(new URL('../../../../docs/deploy/mosquitto/', import.meta.url));
const isInstalled = existsSync(MOSQUITTO);
if (!isInstalled)
  console.warn(
    'mosquitto is not installed: the shipped mosquitto.conf is not tested here (apt-get install mosquitto)',
  );

/** Mosquitto with the configuration we ship; only its paths and port are this test's own. */
class Mosquitto {
  readonly port: number;
  readonly #folder: string;
  #process: ChildProcess | undefined;

  constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  async configure(): Promise<void> {
    const shipped = await readFile(join(SHIPPED, 'mosquitto.conf'), 'utf8');
    const own: [RegExp, string][] = [
      [/^listener 1883$/m, `listener ${this.port} 127.0.0.1`],
      [/^password_file .*$/m, `password_file ${join(this.#folder, 'passwd')}`],
      [/^acl_file .*$/m, `acl_file ${join(this.#folder, 'acl')}`],
      [/^persistence_location .*$/m, `persistence_location ${this.#folder}/`],
    ];
    const text = own.reduce((conf, [line, replacement]) => {
      expect(conf).toMatch(line);
      return conf.replace(line, replacement);
    }, shipped);
    // Started as root it would change to a user that can't read this folder.
    await writeFile(join(this.#folder, 'mosquitto.conf'), `${text}\nuser root\n`);
    await copyFile(join(SHIPPED, 'headrace.acl'), join(this.#folder, 'acl'));
    const passwords = join(this.#folder, 'passwd');
    await writeFile(passwords, ['headrace', MAC, OTHER_MAC].map((name) => `${name}:${KEY}\n`).join(''));
    execFileSync('mosquitto_passwd', ['-U', passwords], { stdio: 'ignore' });
  }

  async start(): Promise<void> {
    const child = spawn(MOSQUITTO, ['-c', join(this.#folder, 'mosquitto.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    let log = '';
    child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    await eventually(() => log.includes('running') || child.exitCode !== null);
    if (child.exitCode !== null) throw new Error(log);
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null) return;
    child.kill('SIGTERM');
    await eventually(() => child.exitCode !== null);
  }
}

async function startMosquitto(): Promise<Mosquitto> {
  const folder = await mkdtemp(join(tmpdir(), 'headrace-mosquitto-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const mosquitto = new Mosquitto(folder, await freePort());
  await mosquitto.configure();
  await mosquitto.start();
  onTestFinished(() => mosquitto.stop());
  return mosquitto;
}

function createDoor(port: number, inbox: Inbox) {
  return createExternalBroker({
    url: `mqtt://headrace:${KEY}@127.0.0.1:${port}`,
    clientId: 'headrace-1',
    subscriptions: [
      { filter: 'headrace/v1/+/up/#', shared: true },
      { filter: 'headrace/v1/+/state', shared: false },
    ],
    shareGroup: 'ingest',
    onOversize: inbox.takeOversize,
    reconnectMs: { min: 20, max: 100 },
    stopWithinMs: 500,
  });
}

async function openDoor(port: number, inbox: Inbox) {
  const door = createDoor(port, inbox);
  await startDoor(door, inbox);
  await eventually(() => door.status().connected);
  return door;
}

describe.skipIf(!isInstalled)('Mosquitto with the configuration we ship', () => {
  it('gives a gateway its own corner and no other', async () => {
    const mosquitto = await startMosquitto();
    const inbox = new Inbox();
    const door = await openDoor(mosquitto.port, inbox);
    const gateway = await signIn(mosquitto.port, MAC);
    const heard: string[] = [];
    gateway.on('message', (topic) => heard.push(topic));
    await gateway
      .subscribeAsync([`headrace/v1/${MAC}/down/#`, `headrace/v1/${OTHER_MAC}/down/#`], { qos: 1 })
      .catch(() => undefined);
    await gateway.publishAsync(up('sensor', OTHER_MAC), 'foreign', { qos: 1 });
    await gateway.publishAsync(up('sensor'), Buffer.alloc(300_000), { qos: 1 });
    await gateway.publishAsync(up('sensor'), 'own', { qos: 1 });
    await gateway.publishAsync(`headrace/v1/${MAC}/state`, 'on', { qos: 1, retain: true });
    await inbox.count(2);
    expect(inbox.texts.sort()).toEqual(['on', 'own']);
    await door.publish(`headrace/v1/${OTHER_MAC}/down/cmd`, 'not yours');
    await door.publish(`headrace/v1/${MAC}/down/cmd`, 'yours');
    await eventually(() => heard.length > 0);
    expect(heard).toEqual([`headrace/v1/${MAC}/down/cmd`]);
    await expect(signIn(mosquitto.port, MAC, { password: 'wrong' })).rejects.toThrow('Not authorized');
  });

  it('keeps 4,000 messages for a server that is away, and gives all of them', async () => {
    const mosquitto = await startMosquitto();
    const inbox = new Inbox();
    const before = await openDoor(mosquitto.port, inbox);
    await before.stop();
    const gateway = await signIn(mosquitto.port, MAC);
    await Promise.all(
      Array.from({ length: 4_000 }, (_, index) =>
        gateway.publishAsync(up('sensor'), String(index), { qos: 1 }),
      ),
    );
    await openDoor(mosquitto.port, inbox);
    await inbox.count(4_000);
    expect(new Set(inbox.texts).size).toBe(4_000);
  });

  it('gives again what was not acknowledged, many at a time, and the kept state as retained', async () => {
    const mosquitto = await startMosquitto();
    const inbox = new Inbox();
    inbox.isAutomatic = false;
    const before = await openDoor(mosquitto.port, inbox);
    const gateway = await signIn(mosquitto.port, MAC);
    await gateway.publishAsync(`headrace/v1/${MAC}/state`, 'on', { qos: 1, retain: true });
    for (let index = 0; index < 300; index++) gateway.publish(up('sensor'), String(index), { qos: 1 });
    const messages = await inbox.count(301);
    for (const { ack } of messages.slice(0, 101)) ack();
    await before.stop();
    const again = new Inbox();
    await openDoor(mosquitto.port, again);
    await again.count(201);
    expect(
      again.messages.filter(({ retained }) => retained).map(({ payload }) => payload.toString()),
    ).toEqual(['on']);
    const sensors = again.messages
      .filter(({ topic }) => topic === up('sensor'))
      .map(({ payload }) => Number(payload.toString()));
    expect(sensors.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 100));
  });

  it('survives its restart, with what waited in it', async () => {
    const mosquitto = await startMosquitto();
    const inbox = new Inbox();
    inbox.isAutomatic = false;
    const door = await openDoor(mosquitto.port, inbox);
    const gateway = await signIn(mosquitto.port, MAC);
    await gateway.publishAsync(up('sensor'), 'waited', { qos: 1 });
    await inbox.count(1);
    await mosquitto.stop();
    await eventually(() => !door.status().connected);
    const sent = door.publish(`headrace/v1/${MAC}/down/time`, '{}');
    inbox.isAutomatic = true;
    await mosquitto.start();
    await inbox.count(2);
    await sent;
    expect(inbox.texts).toEqual(['waited', 'waited']);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

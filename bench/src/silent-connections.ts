import { randomUUID } from 'node:crypto';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { MqttClient } from 'mqtt';
import type { Siege } from './silent-connections-load.ts';
import { percentile, timed } from './numbers.ts';
import { record } from './report.ts';
import type { Stand } from './stand.ts';
import { type BenchGateway, buildWorld, KEY } from './world.ts';

const SECONDS = 20;
const SILENT = 10_000;
const SLOW_BODIES = 5_000;
const OWNER = 'silent@bench.test';

/** What somebody else notices of it, ms. */
interface Noticed {
  /** From a gateway's publish to its PUBACK. */
  publish: number[];
  /** A gateway's connection from the first packet until it is let in. */
  signIn: number[];
  /** The list of farms, on a connection that is open. */
  page: number[];
  /** The same on a new one. */
  firstPage: number[];
  /** What was refused of all this, or broke. */
  failures: number;
}

/**
 * 10,000 silent MQTT connections and 5,000 requests whose body doesn't come, from two addresses within 20 s: what a gateway and
 * a browser at other addresses notice, against the same without.
 */
export async function benchSilentConnections(stand: Stand): Promise<void> {
  const passwordHash = await hashPassword('bench-password');
  const from = 60_000_000;
  const [gateway, other] = await buildWorld(stand.sql, {
    farms: 2,
    sensors: 5,
    from,
    ownerEmail: OWNER,
    passwordHash,
  });
  if (!gateway || !other) throw new Error('The world has no gateways');
  const live = (seconds: number) => observe(stand, { gateway, other, seconds });
  await isReady(stand.url);
  await live(5);
  const quiet = await live(SECONDS);
  const siege = besiege(stand);
  const besieged = await live(SECONDS);
  const { opened, open } = await siege;
  record({ what: `opened by two addresses in ${SECONDS} s; still open after`, value: `${opened}; ${open}` });
  record({ what: 'refused or broken, quiet; besieged', value: `${quiet.failures}; ${besieged.failures}` });
  tell('publish to PUBACK', quiet.publish, besieged.publish);
  tell('sign-in of a gateway', quiet.signIn, besieged.signIn);
  tell('list of farms', quiet.page, besieged.page);
  tell('list of farms, new connection', quiet.firstPage, besieged.firstPage);
}

/** A server that has just started may still be busy with that. */
async function isReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await sleep(500);
}

const p99 = (values: number[]) => percentile(values, 0.99);
const text = (values: number[]) =>
  `p50 ${percentile(values, 0.5).toFixed(1)} p99 ${p99(values).toFixed(1)} ms (${values.length})`;

function tell(what: string, quiet: number[], besieged: number[]): void {
  record({ what: `${what}, quiet`, value: text(quiet) });
  const ratio = p99(besieged) / p99(quiet);
  record({
    what: `${what}, besieged`,
    value: text(besieged),
    ratio: ratio.toFixed(2),
    target: { text: 'p99 at most twice the quiet one', met: ratio <= 2 },
  });
}

async function besiege({ url, mqttPort }: Stand): Promise<{ opened: number; open: number }> {
  const child = fork(fileURLToPath(new URL('./silent-connections-load.js', import.meta.url)));
  child.send({
    mqttPort,
    httpPort: Number(new URL(url).port),
    silent: { from: '127.0.0.2', count: SILENT },
    slowBodies: { from: '127.0.0.3', count: SLOW_BODIES },
    seconds: SECONDS,
  } satisfies Siege);
  const [result] = (await once(child, 'message')) as [{ opened: number; open: number }];
  return result;
}

interface Usual {
  gateway: BenchGateway;
  /** Comes anew again and again. */
  other: BenchGateway;
  seconds: number;
}

/** Gateways and a browser at their usual work for so long. */
async function observe(stand: Stand, { gateway, other, seconds }: Usual): Promise<Noticed> {
  const noticed: Noticed = { publish: [], signIn: [], page: [], firstPage: [], failures: 0 };
  const until = performance.now() + seconds * 1000;
  const token = await signIn(stand.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const client = openGateway(stand.mqttPort, gateway);
  await isIn(client);
  const every = async (ms: number, durations: number[], act: () => Promise<unknown>) => {
    while (performance.now() < until) {
      const done = timed(act).then(
        (took) => void durations.push(took),
        () => void (noticed.failures += 1),
      );
      await Promise.all([done, sleep(ms)]);
    }
  };
  const publish = () => {
    const items = [{ mac: gateway.sensorMacs[0], at: new Date().toISOString(), values: { levelMm: 1500 } }];
    return client.publishAsync(`headrace/v1/${gateway.mac}/up/sensor`, JSON.stringify({ items }), { qos: 1 });
  };
  await Promise.all([
    every(25, noticed.publish, publish),
    every(50, noticed.page, () => farms(stand.url, token, agent)),
    every(100, noticed.firstPage, () => farms(stand.url, token, false)),
    every(100, noticed.signIn, () => comeAndGo(stand.mqttPort, other)),
  ]);
  agent.destroy();
  await client.endAsync(true);
  return noticed;
}

const openGateway = (port: number, { mac }: BenchGateway): MqttClient =>
  new MqttClient(() => connect({ host: '127.0.0.1', port, localAddress: '127.0.0.4' }), {
    username: mac,
    password: KEY,
    clientId: mac,
    protocolVersion: 4,
    reconnectPeriod: 0,
  });

const isIn = (client: MqttClient): Promise<void> =>
  new Promise((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', reject).once('close', () => reject(new Error('A gateway was not let in')));
  });

async function comeAndGo(port: number, gateway: BenchGateway): Promise<void> {
  const client = openGateway(port, gateway);
  await isIn(client);
  client.end(true);
}

async function signIn(url: string): Promise<string> {
  const reply = await fetch(`${url}/v1/account/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', deviceuid: randomUUID() },
    body: JSON.stringify({ email: OWNER, password: 'bench-password' }),
  });
  if (!reply.ok) throw new Error(`The owner can't sign in: ${reply.status} ${await reply.text()}`);
  return ((await reply.json()) as { token: string }).token;
}

async function farms(url: string, token: string, agent: Agent | false): Promise<void> {
  const headers = { authorization: token };
  const call = request(`${url}/v1/farms-card`, { headers, agent, localAddress: '127.0.0.5' });
  call.end();
  const [reply] = await once(call, 'response');
  if (reply.statusCode !== 200) throw new Error(`The list of farms answered ${reply.statusCode}`);
  reply.resume();
  await once(reply, 'end');
}

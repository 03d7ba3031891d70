import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import type { ServerFrame } from '@headrace/contract/live';
import type { DeviceRow, FarmRow } from './db/schema.ts';
import { hashPassword } from './features/accounts/password.ts';
import { eventually, KEY, signIn } from './mqtt/testing/transport-kit.ts';
import { hasMosquitto } from './mqtt/testing/mosquitto.ts';
import { buildAccount, buildFarm, buildGateway, buildTank } from './testing/factories.ts';
import { expectAllStored, Publisher, untilQuiet } from './testing/killed-kit.ts';
import { openSite, type ServerProcess, type Site } from './testing/two-servers.ts';

const EMAIL = 'owner@example.com';
const PASSWORD = 'correct horse';

interface World {
  farm: FarmRow;
  gateways: DeviceRow[];
  tanksOf: Map<DeviceRow, DeviceRow[]>;
}

/** A farm whose gateways the broker knows, with five tanks each. */
async function buildWorld({ database: { db }, mosquitto }: Site, gatewayCount: number): Promise<World> {
  const owner = await buildAccount(db, { email: EMAIL, password_hash: await hashPassword(PASSWORD) });
  const farm = await buildFarm(db, owner.id);
  const world: World = { farm, gateways: [], tanksOf: new Map() };
  for (let count = 0; count < gatewayCount; count++) {
    const gateway = await buildGateway(db, farm.id);
    const tanks: DeviceRow[] = [];
    while (tanks.length < 5) tanks.push(await buildTank(db, farm.id));
    world.gateways.push(gateway);
    world.tanksOf.set(gateway, tanks);
  }
  const keys = Object.fromEntries(world.gateways.map(({ mac }) => [mac, 'key']));
  await mosquitto.setUsers({ headrace: KEY, ...keys });
  await mosquitto.reload();
  return world;
}

/** A browser's live connection to one server, and what it was told. A browser of its own: one that signs in again ends its session. */
async function openPage(server: ServerProcess): Promise<{ frames: ServerFrame[]; socket: WebSocket }> {
  const reply = await fetch(`${server.url}/v1/account/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', deviceuid: `browser of ${server.url}` },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  const { token } = (await reply.json()) as { token: string };
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/live`, token);
  onTestFinished(() => socket.terminate());
  const frames: ServerFrame[] = [];
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as ServerFrame));
  await once(socket, 'open');
  await eventually(() => frames.some(({ type }) => type === 'notifications'));
  return { frames, socket };
}

const updatesIn = (frames: readonly ServerFrame[]) =>
  frames.flatMap((frame) => (frame.type === 'status_update' ? [frame.data] : []));

const isReady = async (server: ServerProcess) => (await server.readiness()).status === 200;

async function until(isTrue: () => Promise<boolean>, withinMs: number): Promise<void> {
  for (const end = performance.now() + withinMs; !(await isTrue()); await sleep(100))
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${isTrue.toString()}`);
}

describe.skipIf(!hasMosquitto)('two servers on one database and one broker', () => {
  it('store what devices say once, and tell the browsers of both', async () => {
    const site = await openSite();
    const world = await buildWorld(site, 1);
    const [a, b] = [site.server('a'), site.server('b')];
    await a.start();
    await b.start();
    await until(async () => (await isReady(a)) && (await isReady(b)), 60_000);
    const [pageA, pageB] = [await openPage(a), await openPage(b)];
    const [gateway] = world.gateways;
    const mac = gateway?.mac ?? '';
    const device = await signIn(site.mosquitto.port, mac, { password: 'key' });
    const [tank] = world.tanksOf.get(gateway as DeviceRow) ?? [];
    const times = Array.from({ length: 20 }, (_, index) =>
      new Date(Date.now() - 60_000 + index * 1_000).toISOString(),
    );
    const heardBy = (page: typeof pageA) => updatesIn(page.frames).map(({ updatedAt }) => updatedAt);
    for (const at of times) {
      const items = [{ mac: tank?.mac, at, values: { levelMm: 1_000 } }];
      await device.publishAsync(`headrace/v1/${mac}/up/sensor`, JSON.stringify({ items }), { qos: 1 });
      await eventually(() => heardBy(pageA).includes(at) && heardBy(pageB).includes(at));
    }
    const taken = await Promise.all(
      [a, b].map((server) => server.metric('headrace_ingest{what="messages"}')),
    );
    expect(taken.toSorted((x, y) => x - y)).toEqual([0, 20]);
    expect([heardBy(pageA), heardBy(pageB)]).toEqual([times, times]);
    await device.publishAsync(`headrace/v1/${mac}/state`, '{"online":true}', { qos: 1, retain: true });
    for (const page of [pageA, pageB])
      await eventually(() => updatesIn(page.frames).some(({ type }) => type === 'gateway'));
  });

  it('end a session on both when it signs out on one', async () => {
    const site = await openSite();
    await buildWorld(site, 0);
    const [a, b] = [site.server('a'), site.server('b')];
    await a.start();
    await b.start();
    await until(async () => (await isReady(a)) && (await isReady(b)), 60_000);
    const { socket } = await openPage(b);
    const closed = once(socket, 'close');
    await fetch(`${a.url}/v1/account/logout`, {
      method: 'POST',
      headers: { authorization: socket.protocol, deviceuid: 'test' },
    });
    expect((await closed)[0]).toBe(4401);
  });

  it('lose nothing and store nothing twice while one or both are killed, and when one does not come back', async () => {
    const site = await openSite();
    const { db } = site.database;
    const world = await buildWorld(site, 3);
    const [a, b] = [site.server('a'), site.server('b')];
    await a.start();
    await b.start();
    await until(async () => (await isReady(a)) && (await isReady(b)), 60_000);
    const publishers = world.gateways.map(
      (gateway) => new Publisher(gateway, world.tanksOf.get(gateway) ?? [], 150),
    );
    for (const publisher of publishers) await publisher.connect(site.mosquitto.port);
    for (const victims of [[a], [b], [a, b]]) {
      await sleep(900);
      await Promise.all(victims.map((victim) => victim.end('SIGKILL')));
      await sleep(300);
      await Promise.all(victims.map((victim) => victim.start()));
    }
    await sleep(500);
    await b.end('SIGKILL');
    await sleep(1_000);
    for (const publisher of publishers) await publisher.end();
    const acknowledged = publishers.flatMap((publisher) => publisher.acknowledged);
    const stored = async () => {
      const { count } = await db
        .selectFrom('reading')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count) >= acknowledged.length;
    };
    // Whether b took them or not: a does now, with what waited meanwhile.
    await until(stored, 60_000);
    // Some that are stored were never acknowledged to the gateway: having as many isn't having all.
    await untilQuiet(db);
    await expectAllStored(db, publishers);
  });

  it('are red while the broker stands still, say why, and are green again after', async () => {
    const site = await openSite();
    const a = site.server('a');
    await a.start();
    await until(() => isReady(a), 60_000);
    const all = { database: 'ok', mqtt: 'ok', ingest: 'ok', servers: 'ok' };
    expect((await a.readiness()).checks).toMatchObject(all);
    site.mosquitto.signal('SIGSTOP');
    await until(async () => !(await isReady(a)), 30_000);
    expect((await a.readiness()).checks.mqtt).toMatch(
      /^lagging: what the broker has for this server takes \d+ s/,
    );
    expect(await a.metric('headrace_mqtt_lag_seconds')).toBeGreaterThan(15);
    site.mosquitto.signal('SIGCONT');
    await until(() => isReady(a), 60_000);
  });
});

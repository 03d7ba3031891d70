import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { SchedulesDown } from '@headrace/device/downlinks';
import { gatewayDownTopic } from '@headrace/device/topics';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { hasMosquitto } from '../../mqtt/testing/mosquitto.ts';
import { KEY } from '../../mqtt/testing/transport-kit.ts';
import { buildAccount, buildDevice, buildFarm, buildGateway } from '../../testing/factories.ts';
import { buildScheduleSet } from '../../testing/irrigation-factories.ts';
import { openSession } from '../../testing/open-session.ts';
import { openSite, type ServerProcess, type Site } from '../../testing/two-servers.ts';
import { StrictGateway } from './testing/strict-gateway.ts';

const UNITS = 300;
/** Units that the gateway has served when a server is killed, and then the other one. */
const KILLED_AT = [40, 120];

interface World {
  farm: FarmRow;
  units: DeviceRow[];
  gateway: StrictGateway;
  /** The answer's status: 505 until the gateway is there. */
  send: (server: ServerProcess) => Promise<number>;
  /** How often each unit's schedule was published, by MAC. */
  published: Map<string, number>;
}

/** A farm of 300 sprinklers behind one gateway, a set of schedules for them, and who listens to what is sent. */
async function buildWorld({ database: { db }, mosquitto }: Site): Promise<World> {
  const owner = await buildAccount(db);
  const farm = await buildFarm(db, owner.id);
  const { mac, serial_number: serialNumber } = await buildGateway(db, farm.id);
  const units: DeviceRow[] = [];
  while (units.length < UNITS) units.push(await buildDevice(db, farm.id, 'sprinkler', { settings: '{}' }));
  const setUID = await buildScheduleSet(db, farm.id, units, [{ start: 60, duration: 45, cycle: 1 }]);
  await mosquitto.setUsers({ headrace: KEY, [mac ?? '']: 'key' });
  await mosquitto.reload();
  const gateway = new StrictGateway({ mac: mac ?? '', password: 'key', serialNumber, unitMs: 30 });
  onTestFinished(() => gateway.end());
  const published = await countPublished(mosquitto.serverPort, mac ?? '');
  const token = await openSession(db, owner.id, { deviceUid: newUid() });
  const body = {
    farmUID: farm.uid,
    type: commandTypes.SendScheduleSet,
    // One request: whoever sends it again to another server means the same.
    requestId: newUid(),
    payload: { setUID, groupUID: 'FARM' },
  };
  const send = async (server: ServerProcess) => {
    const reply = await fetch(`${server.url}/v1/commands/send`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return reply.status;
  };
  return { farm, units, gateway, send, published };
}

async function countPublished(port: number, mac: string): Promise<Map<string, number>> {
  const published = new Map<string, number>();
  const options = { host: '127.0.0.1', port, username: 'headrace', password: KEY, clientId: 'listener' };
  const client = await connectAsync(options);
  onTestFinished(() => client.endAsync(true));
  client.on('message', (_topic, payload) => {
    for (const unit of (JSON.parse(payload.toString()) as SchedulesDown).units)
      published.set(unit.mac, (published.get(unit.mac) ?? 0) + 1);
  });
  await client.subscribeAsync(gatewayDownTopic(mac, 'schedules'), { qos: 1 });
  return published;
}

async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 120_000; !(await isTrue()); await sleep(50))
    if (performance.now() > end) throw new Error(`not within two minutes: ${what}`);
}

/** And the gateway comes: what it says at its beginning is for who is there. */
async function startTwo(site: Site, gateway: StrictGateway): Promise<[ServerProcess, ServerProcess]> {
  const servers: [ServerProcess, ServerProcess] = [site.server('a'), site.server('b')];
  for (const server of servers) await server.start();
  for (const server of servers)
    await until('a server to be ready', async () => (await server.readiness()).status === 200);
  gateway.connect(site.mosquitto.port);
  return servers;
}

/** Each unit's part of all commands, and how often its gateway carried one out. */
async function outcome({ database: { db } }: Site, { units, gateway, farm }: World) {
  const parts = await db
    .selectFrom('command_unit')
    .select(['device_id', 'state'])
    .where('farm_id', '=', farm.id)
    .execute();
  const timesOf = ({ mac }: DeviceRow) =>
    [...gateway.carriedOut].filter(([key]) => key.endsWith(` ${mac}`)).map(([, times]) => times);
  return {
    states: new Set(parts.map(({ state }) => state)),
    parts: parts.length,
    served: units.map(timesOf).filter((times) => times.length === 1 && times[0] === 1).length,
  };
}

const allDone = { states: new Set(['done']), parts: UNITS, served: UNITS };

const isOver = async ({ database: { db } }: Site): Promise<boolean> => {
  const live = db.selectFrom('command_unit').where('state', 'in', ['queued', 'sent', 'accepted']);
  return (await live.select('device_id').executeTakeFirst()) === undefined;
};

describe.skipIf(!hasMosquitto)('a send to 300 sprinklers from two servers on one database', () => {
  it('is one send, whose units are told once, though it is sent to both at the same moment', async () => {
    const site = await openSite();
    const world = await buildWorld(site);
    const servers = await startTwo(site, world.gateway);
    await until('both to take it', async () => {
      const statuses = await Promise.all(servers.map(world.send));
      return statuses.every((status) => status === 200);
    });
    await until('all to be served', () => isOver(site));
    expect(await outcome(site, world)).toEqual(allDone);
    expect(world.published.size).toBe(UNITS);
    expect([...world.published].filter(([, times]) => times !== 1)).toEqual([]);
    expect(world.gateway.late).toEqual([]);
  });

  it('goes on at the other when one is killed, forgets nobody and lets nobody do it twice', async () => {
    const site = await openSite();
    const world = await buildWorld(site);
    const servers = await startTwo(site, world.gateway);
    await until('it to be taken', async () => (await world.send(servers[0])) === 200);
    for (const [nth, count] of KILLED_AT.entries()) {
      await until(`${count} to be served`, () => world.gateway.carriedOut.size >= count);
      // It was still under way, or this shows nothing.
      expect(world.gateway.carriedOut.size).toBeLessThan(UNITS);
      await servers[nth]?.end('SIGKILL');
    }
    await servers[0].start();
    await until('all to be served', () => isOver(site));
    expect(await outcome(site, world)).toEqual(allDone);
    expect(world.gateway.late).toEqual([]);
  });
});

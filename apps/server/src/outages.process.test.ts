import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { Db } from './db/client.ts';
import { newUid } from './db/ids.ts';
import type { DeviceRow, FarmRow } from './db/schema.ts';
import { StrictGateway } from './features/commands/testing/strict-gateway.ts';
import { KEY } from './mqtt/testing/transport-kit.ts';
import { hasMosquitto } from './mqtt/testing/mosquitto.ts';
import { buildAccount, buildDevice, buildFarm, buildGateway, buildTank } from './testing/factories.ts';
import { expectAllStored, Publisher, untilQuiet } from './testing/killed-kit.ts';
import { hasSystemPostgres } from './testing/test-postgres.ts';
import { openSite, type ServerProcess, type Site } from './testing/two-servers.ts';
import { openSession } from './testing/open-session.ts';

/** Seconds; longer by hand: BROKER_OUTAGE_S=300 DATABASE_OUTAGE_S=60 npx vitest run --project process outages */
const brokerOutageS = Number(process.env.BROKER_OUTAGE_S ?? 5);
const databaseOutageS = Number(process.env.DATABASE_OUTAGE_S ?? 4);
const UNITS = 60;

interface World {
  farm: FarmRow;
  units: DeviceRow[];
  token: string;
  publisher: Publisher;
  gateway: StrictGateway;
}

async function buildWorld({ database: { db }, mosquitto }: Site): Promise<World> {
  const owner = await buildAccount(db);
  const farm = await buildFarm(db, owner.id);
  const [heard, told] = [await buildGateway(db, farm.id), await buildGateway(db, farm.id)];
  const tanks = [await buildTank(db, farm.id), await buildTank(db, farm.id)];
  const units: DeviceRow[] = [];
  while (units.length < UNITS) units.push(await buildDevice(db, farm.id, 'sprinkler', { settings: '{}' }));
  await db.updateTable('device').set({ gateway_id: told.id }).where('kind', '=', 'sprinkler').execute();
  await mosquitto.setUsers({ headrace: KEY, [heard.mac ?? '']: 'key', [told.mac ?? '']: 'key' });
  await mosquitto.reload();
  const { mac, serial_number: serialNumber } = told;
  return {
    farm,
    units,
    token: await openSession(db, owner.id, { deviceUid: newUid() }),
    publisher: new Publisher(heard, tanks, 1000),
    gateway: new StrictGateway({ mac: mac ?? '', password: 'key', serialNumber, unitMs: 20 }),
  };
}

/** People at work on both servers in turn, whatever the answer; what was taken is noted. */
async function keepSending(
  servers: readonly ServerProcess[],
  { farm, units, token }: World,
  taken: string[],
  isOver: () => boolean,
): Promise<void> {
  for (let count = 0; !isOver(); count += 1) {
    const type = count % 3 === 0 ? commandTypes.ValveOn : commandTypes.Poll;
    const body = JSON.stringify({ farmUID: farm.uid, type, mac: units[(count * 7) % UNITS]?.mac });
    const headers = { authorization: token, 'content-type': 'application/json' };
    const url = `${servers[count % servers.length]?.url}/v1/commands/send`;
    const reply = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
    if (reply?.ok) taken.push(((await reply.json()) as { commandId: string }).commandId);
    await sleep(100);
  }
}

async function until(isTrue: () => Promise<boolean>, withinMs: number): Promise<void> {
  for (const end = performance.now() + withinMs; !(await isTrue()); await sleep(200))
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${isTrue.toString()}`);
}

const isReady = async (server: ServerProcess) => (await server.readiness()).status === 200;
const areReady = async (servers: readonly ServerProcess[]) =>
  (await Promise.all(servers.map(isReady))).every(Boolean);

function unitStates(db: Db) {
  return db
    .selectFrom('command_unit as u')
    .innerJoin('command as c', (join) =>
      join.onRef('c.farm_id', '=', 'u.farm_id').onRef('c.id', '=', 'u.command_id'),
    )
    .innerJoin('device as d', (join) =>
      join.onRef('d.farm_id', '=', 'u.farm_id').onRef('d.id', '=', 'u.device_id'),
    )
    .select(['c.uid', 'c.type', 'u.state', 'u.note', 'u.cmd_id as cmdId', 'd.mac'])
    .execute();
}

type UnitEnd = Awaited<ReturnType<typeof unitStates>>[number];

/** Shown otherwise than it is. A poll that waited ends with what another one of its unit got, and is never sent. */
function isUntrue(unit: UnitEnd, units: readonly UnitEnd[], { carriedOut }: StrictGateway): boolean {
  const wasDone = ({ cmdId, mac }: UnitEnd) => carriedOut.has(`${cmdId} ${mac}`);
  const { type, cmdId, state, mac } = unit;
  if (type === commandTypes.Poll && cmdId === null && state === 'done')
    return !units.some((other) => other.type === type && other.mac === mac && wasDone(other));
  return (state === 'done') !== wasDone(unit);
}

describe.skipIf(!hasMosquitto || !hasSystemPostgres)('two servers under load', () => {
  it(
    `lose nothing, do nothing twice and nothing late when the broker is away for ${brokerOutageS} s and the database for ${databaseOutageS} s`,
    async () => {
      const site = await openSite();
      const world = await buildWorld(site);
      const servers = [site.server('a'), site.server('b')];
      for (const server of servers) await server.start();
      await until(() => areReady(servers), 60_000);
      world.gateway.connect(site.mosquitto.port);
      await world.publisher.connect(site.mosquitto.port);
      const taken: string[] = [];
      let isOver = false;
      const people = keepSending(servers, world, taken, () => isOver);
      await until(async () => taken.length > 20, 30_000);

      await site.mosquitto.stop();
      await sleep(brokerOutageS * 1000);
      await world.publisher.end();
      await site.mosquitto.start();
      // Devices are back before the servers: what the broker takes from them is not lost either.
      await world.publisher.connect(site.mosquitto.port);
      await until(() => areReady(servers), 60_000);
      await sleep(2000);

      await site.postgres.stop();
      await sleep(databaseOutageS * 1000);
      await site.postgres.start?.();
      await until(() => areReady(servers), 60_000);
      await sleep(2000);

      isOver = true;
      await people;
      await world.publisher.end();
      const { db } = site.database;
      await until(async () => {
        const units = await unitStates(db);
        return units.every(({ state }) => !['queued', 'sent', 'accepted'].includes(state));
      }, 60_000);
      await world.gateway.end();

      const units = await unitStates(db);
      const known = new Set(units.map(({ uid }) => uid));
      expect(taken.filter((uid) => !known.has(uid))).toEqual([]);
      expect(world.gateway.late).toEqual([]);
      expect([...world.gateway.carriedOut].filter(([, times]) => times !== 1)).toEqual([]);
      const untrue = units.filter((unit) => isUntrue(unit, units, world.gateway));
      expect(untrue).toEqual([]);
      expect(world.publisher.acknowledged.length).toBeGreaterThan(100);
      await untilQuiet(db);
      await expectAllStored(db, [world.publisher]);
    },
    300_000 + (brokerOutageS + databaseOutageS) * 1000,
  );
});

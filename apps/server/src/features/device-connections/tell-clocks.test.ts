import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { DeviceRow } from '../../db/schema.ts';
import { buildAccount, buildFarm, buildGateway, setGatewayOnline } from '../../testing/factories.ts';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { runJobs } from '../../jobs/run-every.ts';
import type { Payload } from '../../mqtt/transport.ts';
import { eventually } from '../commands/testing/eventually.ts';
import { sendTime } from './send-time.ts';
import { type ClocksJob, createClocksJob } from './tell-clocks.ts';

/** Gateways that stay connected while the farm's clock changes. */
let server: TestServer;
let kit: IngestKit;
let clocks: ClocksJob;
let told: { mac: string; utc: string; offsetSeconds: number }[];
let mayTell: boolean;
let failsFor: string | null;
let wakes: number;
let problems: object[];

beforeAll(async () => {
  server = await createTestServer({ onDevicesChanged: () => clocks.changed() });
});
afterAll(() => server.close());
beforeEach(async () => {
  [told, problems, mayTell, failsFor, wakes] = [[], [], true, null, 0];
  kit = await createIngestKit({ now: () => server.clock.now }, server.database);
  clocks = createClocksJob({
    db: server.database.db,
    publish,
    now: () => server.clock.now,
    mayTell: () => mayTell,
    log: { warn: (details) => problems.push(details) },
  });
  clocks.job.wakes?.(() => (wakes += 1));
  return async () => {
    await kit.ingest.drain();
    await kit.ingest.stop();
  };
});

async function publish(topic: string, payload: Payload): Promise<void> {
  const [, , mac = '', ...kind] = topic.split('/');
  expect(kind).toEqual(['down', 'time']);
  if (mac === failsFor) throw new Error('the broker is away');
  told.push({
    mac,
    ...(JSON.parse(typeof payload === 'string' ? payload : payload()) as {
      utc: string;
      offsetSeconds: number;
    }),
  });
}

async function turnAt(time: string) {
  server.clock.now = new Date(time);
  told = [];
  await clocks.job.run();
  return told;
}

type Zone = Parameters<typeof buildFarm>[2];
const sydney = { time_zone_id: 'Australia/Sydney', raw_offset: 36_000, dst_offset: 3600 };
const brisbane = { ...sydney, time_zone_id: 'Australia/Brisbane', dst_offset: 0 };

/** A connected gateway that has had its answer to the hello. */
async function connected(at: string, zone: Zone = {}): Promise<DeviceRow> {
  server.clock.now = new Date(at);
  const { db } = server.database;
  const owner = await buildAccount(db);
  const farm = await buildFarm(db, owner.id, zone);
  const gateway = await buildGateway(db, farm.id);
  await setGatewayOnline(db, gateway, server.clock.now);
  await turnAt(at);
  return gateway;
}

it('daylight saving begins in New Zealand and a week later in Sydney: connected gateways are told once, without a new hello', async () => {
  const nz = await connected('2027-09-25T13:00:00Z');
  const au = await connected('2027-09-25T13:00:00Z', sydney);
  const qld = await connected('2027-09-25T13:00:00Z', brisbane);
  expect(told).toEqual([{ mac: qld.mac, utc: '2027-09-25T13:00:00.000Z', offsetSeconds: 36_000 }]);
  expect(await turnAt('2027-09-25T13:59:59Z')).toEqual([]);
  expect(await turnAt('2027-09-25T14:00:00Z')).toEqual([
    { mac: nz.mac, utc: '2027-09-25T14:00:00.000Z', offsetSeconds: 46_800 },
  ]);
  expect(await turnAt('2027-09-25T14:00:30Z')).toEqual([]);
  expect(await turnAt('2027-10-02T16:00:10Z')).toEqual([
    { mac: au.mac, utc: '2027-10-02T16:00:10.000Z', offsetSeconds: 39_600 },
  ]);
  expect(await turnAt('2027-10-02T16:00:40Z')).toEqual([]);
});

it('one that is away at the change is told by its hello, not by the job', async () => {
  const gateway = await connected('2027-09-25T13:00:00Z');
  const { db } = server.database;
  await db.updateTable('gateway_state').set({ online: false }).where('device_id', '=', gateway.id).execute();
  expect(await turnAt('2027-09-25T14:00:00Z')).toEqual([]);
});

it('a hello is answered once; where our clock was in doubt then, the time follows when it no longer is', async () => {
  const hello = { serialNumber: 'G', type: 0, bootId: 'two', at: '2026-11-20T21:00:00.000Z' };
  const { gateway, farm } = kit;
  const topic = `headrace/v1/${gateway.mac}`;
  const from = { sender: kit.sender(gateway) };
  await setGatewayOnline(server.database.db, gateway, server.clock.now);
  await turnAt('2026-11-20T21:00:00Z');
  expect(await turnAt('2026-11-20T21:00:30Z')).toEqual([]);

  mayTell = false;
  server.clock.now = new Date('2026-11-20T21:01:00Z');
  await kit.store(
    'up/hello',
    { ...hello, at: '2026-11-20T21:01:00.000Z' },
    { topic: `${topic}/up/hello`, ...from },
  );
  expect(await turnAt('2026-11-20T21:01:30Z')).toEqual([]);
  mayTell = true;
  expect(await turnAt('2026-11-20T21:02:00Z')).toMatchObject([{ mac: gateway.mac, offsetSeconds: 46_800 }]);

  await kit.store(
    'up/hello',
    { ...hello, at: '2026-11-20T21:02:00.000Z' },
    { topic: `${topic}/up/hello`, ...from },
  );
  const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
  const helloed = { farmId: farm.id, deviceId: gateway.id, mac: gateway.mac ?? '', zone };
  await sendTime({ db: server.database.db, publish }, helloed, () => server.clock.now);
  expect(await turnAt('2026-11-20T21:02:30Z')).toEqual([]);
});

it('a person who turns daylight saving off has the gateway told soon', async () => {
  const { db } = server.database;
  const owner = await buildAccount(db);
  const farm = await buildFarm(db, owner.id);
  const gateway = await buildGateway(db, farm.id);
  await setGatewayOnline(db, gateway, server.clock.now);
  await turnAt('2026-11-20T21:00:00Z');
  const body = { farmUID: farm.uid, dstEnabled: false };
  await server.call('PUT /farm-timezone', { headers: await server.signIn(owner), body });
  expect(wakes).toBe(1);
  expect(await turnAt('2026-11-20T21:00:01Z')).toEqual([
    { mac: gateway.mac, utc: '2026-11-20T21:00:01.000Z', offsetSeconds: 43_200 },
  ]);
});

it('of two servers one tells a gateway, and the other goes on where that one is no more', async () => {
  const gateway = await connected('2027-09-25T13:00:00Z');
  server.clock.now = new Date('2027-09-25T14:00:00Z');
  told = [];
  const { db, pool } = server.database;
  const log = { warn: () => undefined, error: () => undefined };
  const serverOf = () => {
    const given = createClocksJob({ db, publish, now: () => server.clock.now, mayTell: () => true, log });
    let turns = 0;
    const job = { ...given.job, run: async () => given.job.run().then(() => (turns += 1)) };
    return { running: runJobs(pool, [job], log), turns: () => turns };
  };
  // Both look at once, as at their start; who finds the other at it looks again.
  const [one, other] = [serverOf(), serverOf()];
  await eventually(() => one.turns() > 0 && other.turns() > 0);
  expect(told.map(({ mac }) => mac)).toEqual([gateway.mac]);
  await one.running.stop();
  server.clock.now = new Date('2028-04-01T14:00:00Z');
  await other.running.stop();
  const last = serverOf();
  await eventually(() => last.turns() > 0);
  expect(told.slice(1)).toMatchObject([{ mac: gateway.mac, offsetSeconds: 43_200 }]);
  await last.running.stop();
});

it('one that the broker refuses keeps no other waiting, and is told by the next turn', async () => {
  const one = await connected('2027-09-25T13:00:00Z');
  const other = await connected('2027-09-25T13:00:00Z');
  failsFor = one.mac;
  expect((await turnAt('2027-09-25T14:00:00Z')).map(({ mac }) => mac)).toEqual([other.mac]);
  expect(problems).toHaveLength(1);
  failsFor = null;
  expect((await turnAt('2027-09-25T14:00:30Z')).map(({ mac }) => mac)).toEqual([one.mac]);
});

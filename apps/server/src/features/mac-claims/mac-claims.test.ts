import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newMac } from '../../testing/device-kit.ts';
import { buildFarm } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { notesOf } from '../sharing/testing/sharing-kit.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

const DAY_MS = 86_400_000;

let server: TestServer;
let mine: FarmWorld;
let theirs: FarmWorld;
let kit: IngestKit;
let mac: string;
/** Whose sessions the broker was to end. */
let disconnected: string[] = [];
beforeAll(async () => {
  server = await createTestServer({ disconnectSender: (key) => disconnected.push(key) });
});
beforeEach(async () => {
  mine = await buildFarmWorld(server, { name: 'Mine' });
  theirs = await buildFarmWorld(server, { name: 'Theirs' });
  kit = await createIngestKit({}, server.database, mine.farm);
  kit.clock.now = server.clock.now;
  mac = newMac();
  disconnected = [];
});
afterAll(() => server.close());

const add = (of: FarmWorld, values: object = {}, key = 'POST /ipc') =>
  of.send(key, { farmUID: of.farm.uid, name: 'A1', serialNumber: 'IPC-1', macAddress: mac, ...values });
let calls = 0;
/** From an address of its own: the limit of calls a minute has its own test. */
const contest = (serialNumber = 'IPC-1', farmUID = mine.farm.uid) =>
  server.call('POST /mac/contest', {
    headers: mine.headers,
    body: { farmUID, serialNumber, macAddress: mac },
    address: `198.51.100.${(calls += 1) % 250}`,
  });
/** The farm's own gateway names a device that the farm doesn't have. */
const report = () => kit.store('up/ipc', { items: [{ mac, at: kit.clock.now.toISOString(), charge: 255 }] });
const theirDevice = () =>
  server.database.db
    .selectFrom('device')
    .selectAll()
    .where('farm_id', '=', theirs.farm.id)
    .executeTakeFirstOrThrow();
/** Time goes on, for the server and for the gateway. Sessions end meanwhile. */
const later = async (ms: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + ms);
  kit.clock.now = server.clock.now;
  for (const { owner, headers } of [mine, theirs]) Object.assign(headers, await server.signIn(owner));
};
const refused = (reply: { statusCode: number; json(): unknown }, why: RegExp) => {
  expect(reply.statusCode).toBe(409);
  expect((reply.json() as { errorMessage: string }).errorMessage).toMatch(why);
};

it('a MAC that another farm entered and never heard goes to the farm whose gateway hears the device, and its owner is told', async () => {
  await add(theirs);
  refused(await add(mine), /already in use\. If it is of a device of yours, contest it/);
  refused(await contest(), /has heard this device in the last 7 days/);
  await later(7 * DAY_MS);
  await report();
  expect((await contest()).json()).toEqual({ success: true });
  expect((await theirDevice()).mac).toBeNull();
  expect(await notesOf(server, theirs.owner)).toEqual([
    `A1 on Theirs was entered with the MAC address ${mac} and never heard. Another farm hears that device, so the address was taken off A1. Compare it with the label, and enter it again.`,
  ]);
  expect((await add(mine)).statusCode).toBe(200);
  refused(await add(theirs, { name: 'A2', serialNumber: 'IPC-2' }), /already in use/);
});

describe('of a device that the other farm hears', () => {
  const register = (serial_number: string, kind: 'ipc' | 'gateway' = 'ipc') =>
    server.database.db
      .insertInto('registry')
      .values({ serial_number, mac, kind, claimed_by: null })
      .execute();
  const hearTheirs = async () =>
    theirs.record(await theirDevice(), [{ at: server.clock.now.toISOString(), values: { batteryMv: 3600 } }]);
  const changesOf = async (of: FarmWorld, uid: string) =>
    (await of.get('GET /changes', { farmUID: of.farm.uid, uid })).json<{
      changes: { what: string; by: string; fields: unknown[] }[];
    }>().changes;

  it('is theirs where nothing is registered, and where they have the registered serial number too', async () => {
    await add(theirs);
    await hearTheirs();
    await report();
    refused(await contest(), /which serial number belongs to this MAC address is not registered here/);
    await register('IPC-1');
    refused(await contest(), /has entered the right serial number/);
    expect((await theirDevice()).mac).toBe(mac);
  });

  it('goes to who has the registered serial number and hears it too, 14 days after its owner was told', async () => {
    server.clock.now = new Date('2026-11-20T21:00:00Z');
    await later(0);
    await add(theirs, { serialNumber: 'MADE-UP' });
    const { uid } = await theirDevice();
    await hearTheirs();
    const serial = `REAL-${mac}`;
    await register(serial);
    refused(await contest(serial), /has heard this device in the last 7 days/);
    await report();
    const wait = /can correct that until 5 December 2026 at 10:00\sam NZDT\. Contest it again then/;
    refused(await contest(serial), wait);
    expect(await notesOf(server, theirs.owner)).toEqual([
      `A1 on Theirs has the MAC address ${mac}, which is registered for another serial number than MADE-UP, and another farm has that number. Compare both with the label of A1. If it is yours, correct its serial number before 5 December 2026 at 10:00 am NZDT; else the MAC address is taken off it.`,
    ]);
    const [told] = await changesOf(theirs, uid);
    expect(told).toMatchObject({ what: 'MAC address contested', by: '', fields: [] });
    await later(14 * DAY_MS - 1);
    await report();
    refused(await contest(serial), wait);
    expect(await notesOf(server, theirs.owner)).toHaveLength(1);
    await later(1);
    expect((await contest(serial)).statusCode).toBe(200);
    expect((await theirDevice()).mac).toBeNull();
    expect((await notesOf(server, theirs.owner)).at(-1)).toContain('you were told 14 days ago');
    expect((await add(mine, { serialNumber: serial })).statusCode).toBe(200);
    // Both times stand in the history of who contested, and count.
    const contested = await changesOf(mine, mine.farm.uid);
    expect(contested.map(({ what, fields }) => [what, fields.length])).toEqual([
      ['contested a MAC address', 1],
      ['contested a MAC address', 0],
    ]);
  });

  it('stays where its owner corrects the serial number in time, and is told of anew a month later', async () => {
    await add(theirs, { serialNumber: 'MISTYPED' });
    const { uid: id } = await theirDevice();
    await hearTheirs();
    const serial = `REAL-${mac}`;
    await register(serial);
    await report();
    refused(await contest(serial), /Contest it again then/);
    await later(28 * DAY_MS + 1);
    await report();
    refused(await contest(serial), /Contest it again then/);
    expect(await notesOf(server, theirs.owner)).toHaveLength(2);
    const entered = { id, name: 'A1', serialNumber: serial, macAddress: mac };
    expect((await theirs.send('PUT /ipc', entered)).statusCode).toBe(200);
    await later(14 * DAY_MS);
    await report();
    refused(await contest(serial), /has entered the right serial number/);
  });

  it('also of a gateway that signed in with the key that its first claimant was given', async () => {
    await add(theirs, { serialNumber: 'INC-1', type: 0 }, 'POST /gateway');
    const { id } = await theirDevice();
    await server.database.db
      .updateTable('gateway_state')
      .set({ contact_at: server.clock.now })
      .where('device_id', '=', id)
      .execute();
    const serial = `INC-${mac}`;
    refused(await contest(serial), /not registered here/);
    await register(serial, 'gateway');
    refused(await contest(serial), /Contest it again then/);
    await later(14 * DAY_MS);
    expect(disconnected).toEqual([]);
    expect((await contest(serial)).statusCode).toBe(200);
    expect((await theirDevice()).mac).toBeNull();
    // The broker asks for a key once: whoever had this one would stay in.
    expect(disconnected).toEqual([`gateway:${mac}`]);
    const keys = server.database.db.selectFrom('gateway_key').select('mac').where('mac', '=', mac);
    expect(await keys.execute()).toEqual([]);
  });
});

it('is not proven by what was heard before it was entered', async () => {
  const { id } = (await add(theirs, { macAddress: newMac() })).json<{ id: string }>();
  await theirs.record(await theirDevice(), [
    { at: server.clock.now.toISOString(), values: { batteryMv: 3600 } },
  ]);
  server.clock.now = new Date(server.clock.now.getTime() + 60_000);
  const entered = { id, name: 'A1', serialNumber: 'IPC-1', macAddress: mac };
  expect((await theirs.send('PUT /ipc', entered)).statusCode).toBe(200);
  await later(7 * DAY_MS);
  await report();
  expect((await contest()).statusCode).toBe(200);
});

it('stays for seven days after it was entered, or changed, and the reply says until when', async () => {
  server.clock.now = new Date('2026-11-20T21:00:20Z');
  const { id } = (await add(theirs, { macAddress: newMac() })).json<{ id: string }>();
  await later(8 * DAY_MS);
  await report();
  const entered = { id, name: 'A1', serialNumber: 'IPC-1', macAddress: mac };
  expect((await theirs.send('PUT /ipc', entered)).statusCode).toBe(200);
  refused(
    await contest(),
    /less than 7 days ago, .* You can contest it from 6 December 2026 at 10:01\sam NZDT\.$/,
  );
  await later(7 * DAY_MS - 1);
  await report();
  refused(await contest(), /less than 7 days ago/);
  await later(1);
  expect((await contest()).statusCode).toBe(200);
});

it('is not given for a report from before it was entered', async () => {
  await report();
  await later(1);
  await add(theirs);
  await later(7 * DAY_MS);
  refused(await contest(), /has heard this device in the last 7 days/);
  expect((await theirDevice()).mac).toBe(mac);
});

it('is given five times in 24 hours, to all farms of an account together, and each time stands in the history', async () => {
  const other = await buildFarm(server.database.db, mine.owner.id);
  const macs = Array.from({ length: 6 }, newMac);
  for (const [index, macAddress] of macs.entries())
    await add(theirs, { macAddress, name: `A${index}`, serialNumber: `IPC-${index}` });
  await later(7 * DAY_MS);
  const take = async (macAddress: string, farmUID = mine.farm.uid) => {
    mac = macAddress;
    await report();
    return contest('IPC-1', farmUID);
  };
  for (const one of macs.slice(0, 5)) expect((await take(one)).statusCode).toBe(200);
  const sixth = await take(macs[5] ?? '');
  expect([sixth.statusCode, sixth.headers['retry-after']]).toEqual([429, '86400']);
  expect(sixth.json().errorMessage).toBe(
    'The farms of an account can contest 5 MAC addresses in 24 hours. Please try again in 1 day.',
  );
  await server.database.db
    .updateTable('dead_letter')
    .set({ farm_id: other.id })
    .where('device', '=', mac)
    .execute();
  expect((await take(mac, other.uid)).statusCode).toBe(429);
  await later(DAY_MS);
  expect((await take(mac)).statusCode).toBe(200);
  const { changes } = (await mine.get('GET /changes', { farmUID: mine.farm.uid, uid: mine.farm.uid })).json<{
    changes: { what: string; fields: unknown }[];
  }>();
  expect(changes).toHaveLength(6);
  expect(changes[0]).toMatchObject({
    what: 'contested a MAC address',
    fields: [{ field: 'mac', from: null, to: mac }],
  });
});

it('needs a report of the last seven days, and the serial number that the operator knows', async () => {
  await add(theirs);
  await later(8 * DAY_MS);
  kit.clock.now = new Date(server.clock.now.getTime() - 7 * DAY_MS - 1);
  await report();
  refused(await contest(), /in the last 7 days/);
  kit.clock.now = server.clock.now;
  await report();
  const entry = { serial_number: `REAL-${mac}`, mac, kind: 'ipc', claimed_by: null } as const;
  await server.database.db.insertInto('registry').values(entry).execute();
  refused(await contest(), /is registered for another serial number/);
  expect((await contest(` real-${mac} `)).statusCode).toBe(200);
  mac = newMac();
  refused(await contest(), /No other farm has this MAC address/);
});

it('of a gateway that was never heard goes to who has its registered serial number, where the other farm has not', async () => {
  const serial = `INC-${mac}`;
  const addGateway = (of: FarmWorld, serialNumber: string) =>
    add(of, { serialNumber, type: 0 }, 'POST /gateway');
  await addGateway(theirs, 'INC-1');
  await later(7 * DAY_MS - 1);
  refused(await contest(serial), /not registered here, and it can report only with its key/);
  const entry = { serial_number: serial, mac, kind: 'gateway', claimed_by: null } as const;
  await server.database.db.insertInto('registry').values(entry).execute();
  refused(await contest('INC-1'), /is registered for another serial number/);
  refused(await contest(serial), /less than 7 days ago/);
  await later(1);
  expect((await contest(serial)).statusCode).toBe(200);
  expect((await theirDevice()).mac).toBeNull();
  expect(await notesOf(server, theirs.owner)).toEqual([
    `A1 on Theirs was entered with the MAC address ${mac} and never heard. Another farm has the serial number that belongs to it, so the address was taken off A1. Compare it with the label, and enter it again.`,
  ]);
  expect((await addGateway(mine, serial)).statusCode).toBe(200);
});

it('of a gateway stays where the right serial number was entered too', async () => {
  const serial = `INC-${mac}`;
  await add(theirs, { serialNumber: serial.toLowerCase(), type: 0 }, 'POST /gateway');
  const entry = { serial_number: serial, mac, kind: 'gateway', claimed_by: null } as const;
  await server.database.db.insertInto('registry').values(entry).execute();
  await later(8 * DAY_MS);
  refused(await contest(serial), /has entered the right serial number too/);
});

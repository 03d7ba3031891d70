import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import { newMac } from '../../testing/device-kit.ts';
import { buildAccount, buildShare } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let mine: FarmWorld;
let theirs: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
});
beforeEach(async () => {
  await server.database.db.deleteFrom('registry').execute();
  mine = await buildFarmWorld(server, { name: 'Mine' });
  theirs = await buildFarmWorld(server, { name: 'Theirs' });
});
afterAll(() => server.close());

let calls = 0;
/** From an address of its own: the limit of calls has its own test. */
const ask = (key: string, query: Record<string, string>, headers = mine.headers) =>
  server.call(key, { headers, query, address: `198.51.100.${(calls += 1) % 250}` });
const mac = async (key: string, query: Record<string, string>) =>
  (await ask(key, query)).json<{ mac: string }>().mac;
const addUnit = async (serialNumber: string, values: object = {}, of: FarmWorld = mine) => {
  const macAddress = newMac();
  const body = { farmUID: of.farm.uid, name: 'A1', serialNumber, macAddress, ...values };
  const { id } = (await of.send('POST /ipc', body)).json<{ id: string }>();
  return { id, mac: macAddress };
};
const addSensor = async (serialNumber: string, type: number) => {
  const macAddress = newMac();
  const body = { farmUID: mine.farm.uid, name: 'T1', serialNumber, macAddress, type };
  await mine.send('POST /sensor', body);
  return macAddress;
};
/** Its only device reports. */
const hear = async ({ farm, record }: FarmWorld) => {
  const device = await server.database.db
    .selectFrom('device')
    .selectAll()
    .where('farm_id', '=', farm.id)
    .executeTakeFirstOrThrow();
  await record(device, [{ at: server.clock.now.toISOString(), values: { charge: 255 } }]);
};
/** The operator's word. */
const register = (serial_number: string, macAddress: string) =>
  server.database.db
    .insertInto('registry')
    .values({
      serial_number,
      mac: macAddress,
      kind: 'ipc',
      type: 0,
      channel: 3,
      spfactor: 10,
      claimed_by: null,
    })
    .execute();
const nowhere = { currentlyActive: false, isSpare: false, name: '', farmName: '', farmUID: '' };

describe('the MAC of a serial number', () => {
  it('is found in either case, and by a beginning that only one has, from four characters on', async () => {
    const first = await addUnit('IPC-1001');
    const second = await addUnit('IPC-1101');
    expect(await mac('GET /mac', { serialNumber: ' ipc-1001 ' })).toBe(first.mac);
    expect(await mac('GET /mac', { serialNumber: 'IPC-11' })).toBe(second.mac);
    expect(await mac('GET /mac', { serialNumber: 'IPC-1' })).toBe('');
    expect(await mac('GET /mac', { serialNumber: 'IPC' })).toBe('');
    expect((await ask('GET /mac', { serialNumber: 'none' })).json()).toEqual({ mac: '' });
  });

  it('with three characters is nobody, unless that is all of it', async () => {
    const one = await addUnit('ZQ9876');
    const short = await addUnit('ZQ8');
    expect(await mac('GET /mac', { serialNumber: 'ZQ9' })).toBe('');
    expect(await mac('GET /mac', { serialNumber: 'ZQ98' })).toBe(one.mac);
    expect(await mac('GET /mac', { serialNumber: 'ZQ8' })).toBe(short.mac);
  });

  it('takes % and _ as what they are', async () => {
    await addUnit('AB12CD');
    expect(await mac('GET /mac', { serialNumber: 'AB__CD' })).toBe('');
    expect(await mac('GET /mac', { serialNumber: '%%%%' })).toBe('');
  });

  it('of gateways and sensors is found from three characters on, by type or its name', async () => {
    const tlm = await addSensor('TLM-55', 100);
    const sensor = (query: Record<string, string>) =>
      mac('GET /macsensor', { serialNumber: 'TLM', ...query });
    expect(await sensor({})).toBe(tlm);
    for (const type of ['100', 'TLM_V3', 'tlm_v3', '61', '0', 'NONE'])
      expect(await sensor({ type })).toBe(tlm);
    expect((await ask('GET /macsensor', { serialNumber: 'TLM', type: '100' })).json()).toEqual({
      mac: tlm,
      currentlyActive: true,
      isSpare: false,
      name: 'T1',
      farmName: 'Mine',
      farmUID: mine.farm.uid,
      channel: 3,
      spfactor: 10,
    });
    expect(await sensor({ type: '2' })).toBe('');
    expect(await mac('GET /macsensor', { serialNumber: 'TL' })).toBe('');
    expect((await ask('GET /macsensor', { serialNumber: 'TLM', type: 'oven' })).statusCode).toBe(400);
    const macAddress = newMac();
    const body = {
      farmUID: mine.farm.uid,
      name: 'G',
      serialNumber: 'INC-9',
      macAddress,
      type: 0,
      channel: 7,
    };
    await mine.send('POST /gateway', body);
    expect((await ask('GET /macgateway', { serialNumber: 'INC', type: 'INC' })).json()).toEqual({
      mac: macAddress,
      currentlyActive: true,
      isSpare: false,
      name: 'G',
      farmName: 'Mine',
      farmUID: mine.farm.uid,
      channel: 7,
      spfactor: 10,
    });
    expect((await ask('GET /macgateway', { serialNumber: 'INC', type: 'LORA' })).json()).toMatchObject({
      mac: '',
      ...nowhere,
    });
  });

  it('is not changed by somebody who enters the serial number again', async () => {
    const first = await addUnit('IPC-2001');
    await addUnit('IPC-2001', {}, theirs);
    expect(await mac('GET /mac', { serialNumber: 'IPC-2001' })).toBe(first.mac);
  });

  it('follows a unit whose serial number was entered anew', async () => {
    const { id, mac: macAddress } = await addUnit('IPC-3001');
    const other = newMac();
    await server.call('PUT /ipc', {
      headers: mine.headers,
      body: { id, name: 'A1', serialNumber: 'IPC-3002', macAddress: other },
    });
    expect(await mac('GET /mac', { serialNumber: 'IPC-3002' })).toBe(other);
    expect(await mac('GET /mac', { serialNumber: 'IPC-3001' })).toBe(macAddress);
  });
});

it('that a stranger made up is not told, and keeps nobody from saying the true one', async () => {
  const invented = await addUnit('NEWTLM77', {}, theirs);
  expect(await mac('GET /mac', { serialNumber: 'NEWTLM77' })).toBe('');
  const real = await addUnit('NEWTLM77');
  expect(await mac('GET /mac', { serialNumber: 'NEWTLM77' })).toBe(real.mac);
  expect((await ask('GET /mac', { serialNumber: 'NEWTLM77' }, theirs.headers)).json()).toEqual({
    mac: invented.mac,
  });
});

it('that a stranger made up is not told either when their own gateway reports that MAC: it proves no serial number', async () => {
  await addUnit('NEWTLM78', {}, theirs);
  await hear(theirs);
  expect(await mac('GET /mac', { serialNumber: 'NEWTLM78' })).toBe('');
  expect((await server.call('GET /mac-test', { query: { serialNumber: 'NEWTLM78' } })).json()).toMatchObject({
    mac: '',
    found: false,
  });
  // The operator's word is told to everybody.
  const real = newMac();
  await register('NEWTLM78', real);
  expect(await mac('GET /mac', { serialNumber: 'NEWTLM78' })).toBe(real);
  expect((await server.call('GET /mac-test', { query: { serialNumber: 'NEWTLM78' } })).json()).toEqual({
    serialNumber: 'NEWTLM78',
    mac: real,
    kind: 'ipc',
    found: true,
  });
});

describe('where a serial number is in use', () => {
  const use = async (serialNumber: string, headers = mine.headers) =>
    (await ask('GET /mac', { serialNumber, type: 'exclude-spares' }, headers)).json();

  it('is told to those who may read it there', async () => {
    const unit = await addUnit('IPC-4001', { name: 'B2' });
    expect(await use('IPC-4001')).toEqual({
      mac: unit.mac,
      currentlyActive: true,
      isSpare: false,
      name: 'B2',
      farmName: 'Mine',
      farmUID: mine.farm.uid,
    });
  });

  it("tells others that it is by the operator's word alone, and nothing of whom: not the owner's neighbours, not a share without that right", async () => {
    const unit = await addUnit('IPC-5001', {}, theirs);
    expect(await use('IPC-5001')).toEqual({ ...nowhere, mac: '' });
    await hear(theirs);
    expect(await use('IPC-5001')).toEqual({ ...nowhere, mac: '' });
    await register('IPC-5001', unit.mac);
    const hidden = { ...nowhere, mac: unit.mac, currentlyActive: true };
    expect(await use('IPC-5001')).toEqual(hidden);
    const helper = await buildAccount(server.database.db, { type: 'AGENT' });
    await buildShare(server.database.db, theirs.farm.id, helper.id, {
      ...presets.guest,
      irrigationDevices: 0,
    });
    expect(await use('IPC-5001', await server.signIn(helper))).toEqual(hidden);
    const guest = await buildAccount(server.database.db, { type: 'AGENT' });
    await buildShare(server.database.db, theirs.farm.id, guest.id, presets.guest);
    expect(await use('IPC-5001', await server.signIn(guest))).toMatchObject({
      farmName: 'Theirs',
      name: 'A1',
    });
  });

  it('is nowhere for a spare, a placeholder and a unit that was deleted', async () => {
    const spare = await addUnit('IPC-6001', { isSpareUnit: true });
    expect(await use('IPC-6001')).toMatchObject({ mac: spare.mac, currentlyActive: false, isSpare: true });
    const unit = await addUnit('IPC-6002');
    await server.call('PUT /placeholder/convert-to-placeholder', {
      headers: mine.headers,
      body: { deviceId: unit.id },
    });
    expect(await use('IPC-6002')).toMatchObject({ mac: unit.mac, currentlyActive: false, isSpare: false });
    await server.call('DELETE /ipc', { headers: mine.headers, query: { deviceId: unit.id } });
    expect(await use('IPC-6002')).toEqual({ ...nowhere, mac: unit.mac });
    expect(await use('none')).toEqual({ ...nowhere, mac: '' });
  });
});

describe('the public test of a serial number', () => {
  const test = (serialNumber: string, address = '203.0.113.1') =>
    server.call('GET /mac-test', { query: { serialNumber }, address });

  it('needs no account, wants all of it, and names no farm', async () => {
    const unit = await addUnit('IPC-7001', { name: 'B2' });
    expect((await test('IPC-7001')).json()).toMatchObject({ mac: '', found: false });
    await register('IPC-7001', unit.mac);
    expect((await test('ipc-7001')).json()).toEqual({
      serialNumber: 'IPC-7001',
      mac: unit.mac,
      kind: 'ipc',
      found: true,
    });
    expect((await test('IPC-700')).json()).toEqual({
      serialNumber: 'IPC-700',
      mac: '',
      kind: '',
      found: false,
    });
  });

  it('is answered sixty times a minute to one address', async () => {
    const statuses: number[] = [];
    for (let call = 0; call < 62; call += 1) statuses.push((await test('x', '203.0.113.9')).statusCode);
    expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true);
    expect(statuses.slice(60)).toEqual([429, 429]);
    expect((await test('x', '203.0.113.10')).statusCode).toBe(200);
  });
});

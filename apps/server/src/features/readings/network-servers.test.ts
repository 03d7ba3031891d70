import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sender } from '../../mqtt/transport.ts';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { buildFarm, buildTank } from '../../testing/factories.ts';

const devEui = 'A84041FFFF1829D3';
const mapping = JSON.stringify([
  { path: 'water.depth', metric: 'levelMm', scale: 10 },
  { path: 'Bat', metric: 'batteryV' },
]);

let database: TestDatabase;
let kit: IngestKit;
let network: Sender;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  kit = await createIngestKit({}, database);
  network = { kind: 'network', farmId: kit.farm.id, keyId: 1 };
});
afterEach(() => kit.close());

/** As ChirpStack v4 publishes it: nanoseconds, an offset, the DevEUI in lower case. */
const chirpstackUp = (object?: object) => ({
  deduplicationId: '3ac7e3c4-4401-4b8d-9386-a5c902f9202d',
  time: '2026-11-20T20:14:07.512345678+00:00',
  deviceInfo: { devEui: devEui.toLowerCase(), applicationId: 'app', deviceName: 'House tank' },
  fCnt: 214,
  fPort: 1,
  data: 'AgfZAAOQiICBAGQAAAxg',
  ...(object && { object }),
  rxInfo: [{ gatewayId: '0016c001f153a14c', rssi: -97, snr: 6.2 }],
});
const sendChirpstack = (body: object, sender = network, event = 'up') =>
  kit.store('', body, { topic: `application/app/device/${devEui.toLowerCase()}/event/${event}`, sender });

const linkMetrics = ['rssiDbm', 'snrDb', 'marginDb', 'externalPower', 'batteryPercent'];
const link = () =>
  kit.database.db
    .selectFrom('latest as l')
    .innerJoin('series as s', 's.id', 'l.series_id')
    .select(['s.metric', 'l.value'])
    .where('s.metric', 'in', linkMetrics)
    .orderBy('s.metric')
    .execute();
const facts = () =>
  kit.database.db.selectFrom('device_fact').select(['name', 'at', 'value']).orderBy('name').execute();
const values = () =>
  kit.database.db
    .selectFrom('reading as r')
    .innerJoin('series as s', 's.id', 'r.series_id')
    .select(['r.farm_id', 's.metric', 'r.at', 'r.value'])
    .where('s.metric', 'not in', linkMetrics)
    .orderBy('s.metric')
    .execute();
const reasons = async () => (await kit.deadLetters()).map(({ reason }) => reason);

describe('a LoRaWAN uplink', () => {
  it('becomes readings at the time the network received it, through the mapping of the sensor', async () => {
    await buildTank(kit.database.db, kit.farm.id, { mac: devEui, mapping });
    await sendChirpstack(chirpstackUp({ water: { depth: 148.2 }, Bat: 3.812, other: 'x' }));
    const at = new Date('2026-11-20T20:14:07.512Z');
    expect(await values()).toEqual([
      { farm_id: kit.farm.id, metric: 'batteryV', at, value: 3.812 },
      { farm_id: kit.farm.id, metric: 'levelMm', at, value: 1482 },
    ]);
    expect(kit.events.map(({ type }) => type)).toEqual(['tank_level']);
  });

  it('without a mapping gives the members that are named like our values', async () => {
    await buildTank(kit.database.db, kit.farm.id, { mac: devEui });
    await sendChirpstack(chirpstackUp({ levelMm: 1482, rssi: -97 }));
    expect((await values()).map(({ metric, value }) => [metric, value])).toEqual([['levelMm', 1482]]);
  });

  it('that nobody decoded is set aside with what to do', async () => {
    await buildTank(kit.database.db, kit.farm.id, { mac: devEui });
    await sendChirpstack(chirpstackUp());
    await sendChirpstack(chirpstackUp({ depth: 1482 }));
    expect(await reasons()).toEqual([
      'not decoded: the network server sent no decoded object, and the sensor has no codec',
      'not decoded: the sensor has no mapping, and no member is named like one of our values',
    ]);
  });

  it('with a member that can not become its value keeps the others', async () => {
    await buildTank(kit.database.db, kit.farm.id, { mac: devEui, mapping });
    await sendChirpstack(chirpstackUp({ water: { depth: 'deep' }, Bat: 3.8 }));
    expect((await values()).map(({ metric }) => metric)).toEqual(['batteryV']);
    expect(await reasons()).toEqual([
      expect.stringContaining('not decoded: water.depth: "deep" is not a number'),
    ]);
  });

  it('for a sensor of another farm is set aside', async () => {
    const other = await buildFarm(kit.database.db, kit.farm.owner_id);
    await buildTank(kit.database.db, other.id, { mac: devEui, mapping });
    await sendChirpstack(chirpstackUp({ Bat: 3.8 }));
    expect([await values(), await reasons()]).toEqual([[], [`unknown device ${devEui}`]]);
  });

  it('through an external broker belongs to the only farm with that sensor, or to none', async () => {
    await buildTank(kit.database.db, kit.farm.id, { mac: devEui, mapping });
    await sendChirpstack(chirpstackUp({ Bat: 3.8 }), { kind: 'broker' });
    expect(await values()).toHaveLength(1);
    const other = await buildFarm(kit.database.db, kit.farm.owner_id);
    await buildTank(kit.database.db, other.id, { mac: devEui, mapping });
    kit.ingest.forget(kit.farm.id);
    await sendChirpstack({ ...chirpstackUp({ Bat: 3.7 }), time: '2026-11-20T20:30:00Z' }, { kind: 'broker' });
    expect(await values()).toHaveLength(1);
    expect(await reasons()).toEqual([`unknown device ${devEui}`]);
  });

  const sendTheThingsStack = (payload: object, members: object = {}) => {
    const body = {
      end_device_ids: { device_id: 'house-tank', dev_eui: devEui },
      received_at: '2026-11-20T20:14:09Z',
      ...members,
      uplink_message: { f_port: 1, frm_payload: 'AgfZ', received_at: '2026-11-20T20:14:08Z', ...payload },
    };
    return kit.store('', body, { topic: 'v3/farm@ttn/devices/house-tank/up', sender: network });
  };

  it('from The Things Stack is read the same', async () => {
    await buildTank(kit.database.db, kit.farm.id, { mac: devEui, mapping });
    await sendTheThingsStack({ decoded_payload: { water: { depth: 100 } } });
    expect(await values()).toEqual([
      { farm_id: kit.farm.id, metric: 'levelMm', at: new Date('2026-11-20T20:14:08Z'), value: 1000 },
    ]);
  });

  it('with measurements that The Things Stack normalized needs no mapping', async () => {
    await buildTank(kit.database.db, kit.farm.id, { mac: devEui });
    const normalized_payload = [{ air: { temperature: 21.5, pressure: 1013 } }, { soil: { moisture: 27 } }];
    await sendTheThingsStack({ normalized_payload });
    expect((await values()).map(({ metric, value }) => [metric, value])).toEqual([
      ['airPressureKpa', 101.3],
      ['temperatureC', 21.5],
      ['vwc1Percent', 27],
    ]);
    expect(await reasons()).toEqual([]);
  });

  it("that was simulated in The Things Stack's console is no reading and no contact, and is said to be that", async () => {
    await buildTank(kit.database.db, kit.farm.id, { mac: devEui, mapping });
    const sent = await sendTheThingsStack(
      { decoded_payload: { water: { depth: 100 } } },
      { simulated: true },
    );
    expect([sent.isAcknowledged, await values(), await facts(), await link()]).toEqual([true, [], [], []]);
    expect(await reasons()).toEqual(["simulated in the network server's console: not a reading"]);
  });
});

describe('what a network server tells of a sensor', () => {
  const at = '2026-11-20T20:14:07Z';
  const send = (event: string, members: object = {}) =>
    sendChirpstack({ time: at, deviceInfo: { devEui: devEui.toLowerCase() }, ...members }, network, event);

  it('with an uplink is when and how well it was heard, and by which gateway', async () => {
    await buildTank(kit.database.db, kit.farm.id, { mac: devEui, mapping });
    await sendChirpstack(chirpstackUp({ Bat: 3.8 }));
    expect(await link()).toEqual([
      { metric: 'rssiDbm', value: -97 },
      { metric: 'snrDb', value: 6.2 },
    ]);
    const heardAt = new Date('2026-11-20T20:14:07.512Z');
    expect(await facts()).toEqual([
      { name: 'contact', at: heardAt, value: 'up' },
      { name: 'fCnt', at: heardAt, value: '214' },
      { name: 'gateway', at: heardAt, value: '0016c001f153a14c' },
    ]);
  });

  it.each([
    ['a port of 0', { fPort: 0, data: 'AgfZ' }],
    ['no payload', { fPort: 1, data: undefined }],
  ])('with an uplink of %s is contact and signal alone', async (_what, members) => {
    await buildTank(kit.database.db, kit.farm.id, { mac: devEui, mapping });
    const sent = await sendChirpstack({ ...chirpstackUp(), ...members });
    expect([sent.isAcknowledged, await values(), await reasons()]).toEqual([true, [], []]);
    expect((await link()).length).toBe(2);
    expect((await facts()).map(({ name }) => name)).toContain('contact');
  });

  it('when it joins is its last contact, and no reading', async () => {
    await buildTank(kit.database.db, kit.farm.id, { mac: devEui });
    const sent = await send('join', { devAddr: '00189440', object: { levelMm: 5 } });
    expect([sent.isAcknowledged, await values(), await link(), await reasons()]).toEqual([true, [], [], []]);
    expect(await facts()).toEqual([{ name: 'contact', at: new Date(at), value: 'join' }]);
    expect(kit.events.map(({ updatedAt }) => updatedAt)).toEqual([new Date(at)]);
  });

  it('of its status is battery, power and margin', async () => {
    await buildTank(kit.database.db, kit.farm.id, { mac: devEui });
    await send('status', { margin: 10, batteryLevel: 86.61 });
    expect([await values(), await reasons()]).toEqual([[], []]);
    expect(await link()).toEqual([
      { metric: 'batteryPercent', value: 86.61 },
      { metric: 'externalPower', value: 0 },
      { metric: 'marginDb', value: 10 },
    ]);
  });

  it('comes from The Things Stack too', async () => {
    await buildTank(kit.database.db, kit.farm.id, { mac: devEui });
    const body = { end_device_ids: { device_id: 'house-tank', dev_eui: devEui }, received_at: at };
    for (const event of ['join', 'down/sent', 'down/queued'])
      await kit.store('', body, { topic: `v3/farm@ttn/devices/house-tank/${event}`, sender: network });
    expect(await facts()).toEqual([{ name: 'contact', at: new Date(at), value: 'join' }]);
    expect(await reasons()).toEqual([]);
  });

  it('of a sensor of another farm, or in words that can not be read, is set aside', async () => {
    await send('join');
    await send('status', { margin: 'much' });
    expect(await reasons()).toEqual([`unknown device ${devEui}`, 'margin must be integer']);
    expect(await facts()).toEqual([]);
  });

  it('late never replaces what is newer', async () => {
    await buildTank(kit.database.db, kit.farm.id, { mac: devEui });
    await send('ack', { acknowledged: true });
    await send('join', { time: '2026-11-20T20:00:00Z' });
    expect(await facts()).toEqual([{ name: 'contact', at: new Date(at), value: 'ack' }]);
  });
});

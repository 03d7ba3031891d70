import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensors';
import type { DeviceRow } from '../../db/schema.ts';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { buildDevice, buildFarm, buildGateway, buildTank } from '../../testing/factories.ts';

let database: TestDatabase;
let kit: IngestKit;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  kit = await createIngestKit({}, database);
});
afterEach(() => kit.close());

/** What is stored of a device: metric, time, value. */
function readingsOf(device: DeviceRow) {
  return kit.database.db
    .selectFrom('reading as r')
    .innerJoin('series as s', (join) =>
      join.onRef('s.farm_id', '=', 'r.farm_id').onRef('s.id', '=', 'r.series_id'),
    )
    .where('s.device_id', '=', device.id)
    .select(['s.metric', 'r.at', 'r.value'])
    .orderBy('r.at')
    .orderBy('s.metric')
    .execute();
}

async function latestOf(device: DeviceRow) {
  const rows = await kit.database.db
    .selectFrom('latest as l')
    .innerJoin('series as s', 's.id', 'l.series_id')
    .where('s.device_id', '=', device.id)
    .select(['s.metric', 'l.at', 'l.value', 'l.valid_value'])
    .orderBy('s.metric')
    .execute();
  return rows.map(({ metric, at, value, valid_value: valid }) => [metric, at?.toISOString(), value, valid]);
}

const factsOf = async ({ id }: DeviceRow) =>
  (await kit.database.db.selectFrom('device_fact').select('value').where('device_id', '=', id).execute()).map(
    ({ value }) => value,
  );

const gatewayState = () =>
  kit.database.db
    .selectFrom('gateway_state')
    .selectAll()
    .where('device_id', '=', kit.gateway.id)
    .executeTakeFirstOrThrow();
const reasons = async () => (await kit.deadLetters()).map(({ reason }) => reason);
const at = '2026-11-20T20:30:00.000Z';

describe('readings', () => {
  it('are stored at the time they were taken, with latest and both rollups, and acknowledged', async () => {
    const sent = await kit.store('up/sensor', {
      items: [{ mac: kit.tank.mac, at, values: { levelMm: 1200, batteryV: 3.9, charging: true } }],
    });
    expect(sent.isAcknowledged).toBe(true);
    expect(await readingsOf(kit.tank)).toEqual([
      { metric: 'batteryV', at: new Date(at), value: 3.9 },
      { metric: 'charging', at: new Date(at), value: 1 },
      { metric: 'levelMm', at: new Date(at), value: 1200 },
    ]);
    const days = await kit.database.db.selectFrom('reading_day').select('at').distinct().execute();
    // 20:30 UTC is 09:30 on 21 November in New Zealand.
    expect(days).toEqual([{ at: new Date('2026-11-20T11:00:00Z') }]);
  });

  it('are stored and counted once when a message comes twice', async () => {
    const rows: [string, number][] = [
      ['2026-11-20T20:00:00Z', 1000],
      ['2026-11-20T20:15:00Z', 980],
    ];
    await kit.levels(...rows);
    await kit.levels(...rows);
    expect(await readingsOf(kit.tank)).toHaveLength(2);
    const hour = await kit.database.db.selectFrom('reading_hour').select(['n', 'falls']).execute();
    expect(hour).toEqual([{ n: 2, falls: 20 }]);
    expect(kit.ingest.metrics()).toMatchObject({ readings: 2, repeatedReadings: 2, acknowledged: 2 });
  });

  it('of the same time keep the first, within a message and later', async () => {
    await kit.levels([at, 1000], [at, 2000]);
    await kit.levels([at, 3000]);
    expect((await readingsOf(kit.tank)).map(({ value }) => value)).toEqual([1000]);
  });

  it('that come late enter history and leave the newer latest', async () => {
    await kit.levels(['2026-11-20T20:30:00Z', 900]);
    await kit.levels(['2026-11-20T20:00:00Z', 950]);
    expect(await readingsOf(kit.tank)).toHaveLength(2);
    expect(await latestOf(kit.tank)).toEqual([['levelMm', at, 900, 900]]);
    const hours = await kit.database.db
      .selectFrom('reading_hour')
      .select(['n', 'falls', 'first_value'])
      .execute();
    expect(hours).toEqual([{ n: 2, falls: 50, first_value: 950 }]);
  });

  it('ahead of the clock yield to what is received later, whichever gateway brought them', async () => {
    const unit = await buildDevice(kit.database.db, kit.farm.id, 'sprinkler');
    const fast = await buildGateway(kit.database.db, kit.farm.id);
    const from = { topic: `headrace/v1/${fast.mac}/up/sensor`, sender: kit.sender(fast) };
    const level = (said: string, levelMm: number) => ({
      mac: kit.tank.mac,
      at: said,
      values: { levelMm },
    });
    const report = (said: string, ipcCrc: string) => ({ items: [{ mac: unit.mac, at: said, ipcCrc }] });
    const status = (said: string, statusPeriod: number) => ({ at: said, settings: { statusPeriod } });
    // It is 21:00. What is in one message stays in its order.
    const [eight, nine] = ['2026-11-20T21:08:00Z', '2026-11-20T21:09:00Z'];
    await kit.store('up/sensor', { items: [level(eight, 910), level(nine, 900)] }, from);
    await kit.store('up/ipc', { items: [...report(eight, 'AA:AA').items, ...report(nine, 'AB:AB').items] });
    await kit.store('up/status', status(nine, 900));
    expect(await latestOf(kit.tank)).toEqual([['levelMm', '2026-11-20T21:09:00.000Z', 900, 900]]);
    expect(await factsOf(unit)).toEqual(['AB:AB']);

    kit.clock.now = new Date('2026-11-20T21:02:00Z');
    const one = '2026-11-20T21:01:00Z';
    await kit.store('up/sensor', { items: [level(one, 950), level('2026-11-20T20:59:00Z', 960)] });
    await kit.store('up/ipc', report(one, 'BB:BB'));
    await kit.store('up/status', status(one, 600));
    expect(await latestOf(kit.tank)).toEqual([['levelMm', '2026-11-20T21:01:00.000Z', 950, 900]]);
    expect(await factsOf(unit)).toEqual(['BB:BB']);
    expect((await gatewayState()).settings).toMatchObject({ statusPeriod: 600 });
    // By the devices' own times: 960, 950, 910, 900.
    const hours = await kit.database.db.selectFrom('reading_hour').select(['n', 'falls', 'rises']).execute();
    expect(hours).toEqual([
      { n: 1, falls: 0, rises: 0 },
      { n: 3, falls: 60, rises: 0 },
    ]);
  });

  it('of an invalid value are kept as that, beside the last valid one', async () => {
    await kit.levels(['2026-11-20T20:00:00Z', 950], ['2026-11-20T20:30:00Z', null]);
    expect(await latestOf(kit.tank)).toEqual([['levelMm', at, null, 950]]);
    expect((await kit.database.db.selectFrom('reading_hour').select('n').execute())[0]?.n).toBe(1);
    expect(await kit.deadLetters()).toEqual([]);
  });

  it('of a charge that no battery has are invalid', async () => {
    const sprinkler = await buildDevice(kit.database.db, kit.farm.id, 'sprinkler');
    const repeater = await buildDevice(kit.database.db, kit.farm.id, 'repeater');
    await kit.store('up/ipc', { items: [{ mac: sprinkler.mac, at, charge: 255 }] });
    await kit.store('up/repeater', { items: [{ mac: repeater.mac, at, charge: -1 }] });
    for (const unit of [sprinkler, repeater])
      expect(await latestOf(unit)).toEqual([['charge', at, null, null]]);
    await kit.store('up/ipc', { items: [{ mac: sprinkler.mac, at: '2026-11-20T20:50:00Z', charge: 100 }] });
    expect((await latestOf(sprinkler))[0]?.[2]).toBe(100);
  });

  it('from sprinklers, repeaters and ports become numbers and facts', async () => {
    const sprinkler = await buildDevice(kit.database.db, kit.farm.id, 'sprinkler');
    const repeater = await buildDevice(kit.database.db, kit.farm.id, 'repeater');
    await kit.store('up/ipc', {
      items: [
        {
          mac: sprinkler.mac,
          at,
          charge: 88,
          clock: -2,
          ipcCrc: 'D6:DA',
          mode: 'Mesh',
          valve: 'open',
          hops: 2,
        },
      ],
    });
    await kit.store('up/ipc', { items: [{ mac: sprinkler.mac, at: '2026-11-20T20:00:00Z', mode: 'Local' }] });
    await kit.store('up/repeater', { items: [{ mac: repeater.mac, at, charge: 97, hops: 1 }] });
    const inputs = [true, false, false, false, false, false];
    await kit.store('up/io', { at, inputs, relays: inputs.toReversed() });
    expect((await latestOf(sprinkler)).map(([metric, , value]) => [metric, value])).toEqual([
      ['charge', 88],
      ['clock', -2],
      ['hops', 2],
      ['valve', 1],
    ]);
    expect(await latestOf(repeater)).toHaveLength(2);
    const ports = Object.fromEntries(
      (await latestOf(kit.gateway)).map(([metric, , value]) => [metric, value]),
    );
    expect(ports).toMatchObject({ input1: 1, input2: 0, relay1: 0, relay6: 1 });
    const facts = await kit.database.db
      .selectFrom('device_fact')
      .select(['name', 'value'])
      .orderBy('name')
      .execute();
    expect(facts).toEqual([
      { name: 'ipcCrc', value: 'D6:DA' },
      { name: 'mode', value: 'Mesh' },
    ]);
  });

  it('are announced once per device, when its newest really changed', async () => {
    await kit.levels(['2026-11-20T20:00:00Z', 950], ['2026-11-20T20:30:00Z', 940]);
    await kit.levels(['2026-11-20T20:15:00Z', 945]);
    expect(kit.events).toEqual([
      {
        farmId: kit.farm.id,
        farmUid: kit.farm.uid,
        deviceId: kit.tank.id,
        uid: kit.tank.uid,
        serialNumber: kit.tank.serial_number,
        type: 'tank_level',
        updatedAt: new Date(at),
      },
    ]);
  });

  it('are announced by the type of the sensor', async () => {
    const { db } = kit.database;
    const types = [sensorTypes.FLOW_PULSE, sensorTypes.SOIL_MOISTURE, sensorTypes.TLM_V3];
    const sensors = await Promise.all(types.map((type) => buildDevice(db, kit.farm.id, 'sensor', { type })));
    await kit.store('up/sensor', {
      items: sensors.map(({ mac }) => ({ mac, at, values: { temperatureC: 9 } })),
    });
    expect(sensors.map(({ id }) => kit.events.find((event) => event.deviceId === id)?.type)).toEqual([
      'flow',
      'soil_moisture',
      'tank_level',
    ]);
  });
});

describe('what is set aside', () => {
  it('holds the reason, the sender, the farm and the beginning', async () => {
    const long = Buffer.from(`{"items": "${'x'.repeat(5000)}`);
    const sent = await kit.store('up/sensor', long);
    expect(sent.isAcknowledged).toBe(true);
    const [letter] = await kit.database.db.selectFrom('dead_letter').selectAll().execute();
    expect(letter).toMatchObject({
      reason: 'message is not JSON',
      topic: `headrace/v1/${kit.gateway.mac}/up/sensor`,
      sender: `gateway ${kit.gateway.mac}`,
      farm_id: kit.farm.id,
      bytes: 5011,
    });
    expect(letter?.payload).toEqual(long.subarray(0, 4096));
  });

  it.each([
    ['1970-01-01T00:00:00Z', /^time 1970-01-01T00:00:00.000Z is older than the 730 days/],
    ['2100-01-01T00:00:00Z', /^time 2100-01-01T00:00:00.000Z is more than 10 minutes ahead of the clock/],
    ['2026-11-20T21:10:01Z', /ahead of the clock/],
  ])('is a reading from %s, and its neighbours are kept', async (time, reason) => {
    await kit.levels([time, 1], ['2026-11-20T21:10:00Z', 2]);
    expect(await reasons()).toEqual([expect.stringMatching(reason)]);
    expect((await readingsOf(kit.tank)).map(({ value }) => value)).toEqual([2]);
  });

  it('is a device of another farm, in the same words as one that nobody has', async () => {
    const other = await buildFarm(kit.database.db, kit.farm.owner_id);
    const foreign = await buildTank(kit.database.db, other.id);
    await kit.store('up/sensor', {
      items: [
        { mac: foreign.mac, at, values: { levelMm: 1 } },
        { mac: 'FFFFFFFFFFFF0000', at, values: { levelMm: 2 } },
        { mac: kit.tank.mac, at, values: { levelMm: 3 } },
      ],
    });
    expect(await reasons()).toEqual([`unknown device ${foreign.mac}`, 'unknown device FFFFFFFFFFFF0000']);
    expect(await readingsOf(foreign)).toEqual([]);
    expect(await readingsOf(kit.tank)).toHaveLength(1);
  });

  it('is the wrong type in one item, and not its neighbours', async () => {
    await kit.store('up/sensor', {
      items: [
        { mac: kit.tank.mac, at, values: { levelMm: 'deep' } },
        { mac: kit.tank.mac, at, values: { levelMm: 3 } },
      ],
    });
    expect(await reasons()).toEqual(['items/0/values/levelMm must be either number or null']);
    expect(await readingsOf(kit.tank)).toHaveLength(1);
  });

  it('is a message too large, by its beginning', async () => {
    await kit.ingest.oversize({
      sender: kit.sender(),
      topic: `headrace/v1/${kit.gateway.mac}/up/sensor`,
      bytes: 10_485_760,
      head: Buffer.alloc(4096, 'a'),
      receivedAt: kit.clock.now,
    });
    expect(await kit.deadLetters()).toEqual([
      {
        reason: 'message has 10485760 bytes, at most 262144 are read',
        sender: `gateway ${kit.gateway.mac}`,
        farm_id: kit.farm.id,
        bytes: 10_485_760,
      },
    ]);
  });

  it('never fills the list from one message', async () => {
    const items = Array.from({ length: 500 }, (_, index) => ({
      mac: `70B3D5FFFF${index.toString(16).toUpperCase().padStart(6, '0')}`,
      at,
      values: { levelMm: 1 },
    }));
    await kit.store('up/sensor', { items });
    expect(await reasons()).toHaveLength(11);
  });

  it('is what a gateway says in the name of another', async () => {
    const other = await buildGateway(kit.database.db, kit.farm.id);
    const sent = await kit.store(
      'up/hello',
      { serialNumber: 'G', type: 0, bootId: 'b' },
      {
        topic: `headrace/v1/${other.mac}/up/hello`,
      },
    );
    expect(sent.isAcknowledged).toBe(true);
    expect(await reasons()).toEqual([`unknown device ${other.mac}`]);
    expect(kit.hellos).toEqual([]);
  });
});

describe('devices', () => {
  it('are found with their first message after they were added, and not after they were deleted', async () => {
    const item = (mac: string | null) => ({ items: [{ mac, at, values: { levelMm: 5 } }] });
    await kit.store('up/sensor', item('0011223344556677'));
    const added = await buildTank(kit.database.db, kit.farm.id, { mac: '0011223344556677' });
    await kit.store('up/sensor', item(added.mac));
    expect(await readingsOf(added)).toHaveLength(1);

    await kit.database.pool.query('update device set deleted_at = now() where id = $1', [added.id]);
    kit.clock.now = new Date(kit.clock.now.getTime() + 31_000);
    await kit.store('up/sensor', {
      items: [{ mac: added.mac, at: '2026-11-20T20:45:00Z', values: { levelMm: 6 } }],
    });
    expect(await readingsOf(added)).toHaveLength(1);
    const [letter] = await kit.database.db.selectFrom('dead_letter').select('count').execute();
    expect(Number(letter?.count)).toBe(2);
  });

  it('are read again at once when a service says that they changed', async () => {
    await kit.levels([at, 1]);
    await kit.database.pool.query('update device set deleted_at = now() where id = $1', [kit.tank.id]);
    kit.ingest.forget(kit.farm.id);
    await kit.levels(['2026-11-20T20:45:00Z', 2]);
    expect(await readingsOf(kit.tank)).toHaveLength(1);
  });

  it('that were removed with all they had are unknown, and those beside them are kept', async () => {
    const gone = await buildTank(kit.database.db, kit.farm.id);
    const items = (time: string) => ({
      items: [gone, kit.tank].map(({ mac }) => ({ mac, at: time, values: { levelMm: 5 } })),
    });
    await kit.store('up/sensor', items(at));
    await kit.database.pool.query('delete from device where id = $1', [gone.id]);
    await kit.store('up/sensor', items('2026-11-20T20:45:00Z'));
    expect(await readingsOf(kit.tank)).toHaveLength(2);
    expect(await reasons()).toEqual([`unknown device ${gone.mac}`]);
  });
});

const hello = (bootId: string, listRev: number, said?: string) => ({
  serialNumber: 'G1',
  type: 0,
  bootId,
  listRev,
  ...(said && { at: said }),
});
const listAck = (rev: number, said: string) => ({ cmdId: `list-${rev}`, at: said, state: 'done' });

describe('a gateway', () => {
  it('says hello: versions, list and boot are kept, it is online, and the server is told to answer', async () => {
    await kit.store('up/hello', {
      serialNumber: 'G1',
      type: 0,
      firmwareVersion: 312,
      bootloaderVersion: 104,
      listRev: 7,
      bootId: 'boot-1',
    });
    expect(await gatewayState()).toMatchObject({
      online: true,
      boot_id: 'boot-1',
      acked_rev: 7,
      info: { firmwareVersion: 312, bootloaderVersion: 104 },
      contact_at: kit.clock.now,
    });
    expect(kit.hellos).toMatchObject([
      {
        mac: kit.gateway.mac,
        farmId: kit.farm.id,
        bootId: 'boot-1',
        zone: { timeZoneId: 'Pacific/Auckland' },
      },
    ]);
    expect(kit.events.map(({ type, uid }) => [type, uid])).toEqual([['gateway', kit.gateway.uid]]);
  });

  it('is what it said last, whatever the clock says by which it said so', async () => {
    await kit.store('state', { online: true, at: '2026-11-20T23:00:00Z' });
    kit.clock.now = new Date('2026-11-20T21:05:00Z');
    await kit.store('state', { online: false });
    expect(await gatewayState()).toMatchObject({ online: false, state_at: kit.clock.now });
    kit.clock.now = new Date('2026-11-20T21:06:00Z');
    await kit.store('state', { online: true, at: '2000-01-01T00:00:00Z' });
    expect((await gatewayState()).online).toBe(true);
    kit.send('state', { online: true, at: '2026-11-20T21:06:00Z' });
    await kit.store('state', { online: false });
    expect((await gatewayState()).online).toBe(false);
  });

  it('is online by its hello only where a hello cannot come after the will that followed it', async () => {
    await kit.store('state', { online: false });
    await kit.store('up/hello', hello('boot-1', 1), { sender: { kind: 'broker' } });
    expect(await gatewayState()).toMatchObject({ online: false, boot_id: 'boot-1' });
    await kit.store('up/hello', hello('boot-2', 1));
    expect(await gatewayState()).toMatchObject({ online: true, boot_id: 'boot-2' });
  });

  it('has booted and holds the list as its newest hello says, in whatever order they come', async () => {
    await kit.store('up/hello', hello('boot-2', 5, '2026-11-20T20:50:00Z'));
    await kit.store('up/hello', hello('boot-1', 3, '2026-11-20T20:40:00Z'));
    expect(await gatewayState()).toMatchObject({ boot_id: 'boot-2', acked_rev: 5 });
    kit.send('up/hello', hello('boot-4', 6, '2026-11-20T20:56:00Z'));
    await kit.store('up/hello', hello('boot-3', 2, '2026-11-20T20:55:00Z'));
    expect(await gatewayState()).toMatchObject({ boot_id: 'boot-4', acked_rev: 6 });
    await kit.store('up/hello', hello('reset', 0, '2026-11-20T20:57:00Z'));
    expect(await gatewayState()).toMatchObject({ boot_id: 'reset', acked_rev: 0 });
  });

  it.each(['2000-01-01T00:00:00Z', '2026-11-20T23:00:00Z', undefined])(
    'whose hello says %s, which is no time it can have been, has said it when it was heard',
    async (said) => {
      await kit.store('up/hello', hello('boot-1', 3, '2026-11-20T20:59:00Z'));
      await kit.store('up/hello', hello('boot-2', 4, said));
      expect(await gatewayState()).toMatchObject({
        boot_id: 'boot-2',
        acked_rev: 4,
        hello_at: kit.clock.now,
      });
    },
  );

  it('keeps the highest list that it acknowledged, until a newer hello names another', async () => {
    await kit.store('up/hello', hello('boot-1', 2, '2026-11-20T20:40:00Z'));
    await kit.store('up/ack', listAck(4, '2026-11-20T20:45:00Z'));
    await kit.store('up/ack', listAck(3, '2026-11-20T20:44:00Z'));
    expect(await gatewayState()).toMatchObject({ acked_rev: 4 });
    kit.send('up/ack', listAck(6, '2026-11-20T20:47:00Z'));
    await kit.store('up/ack', listAck(5, '2026-11-20T20:46:00Z'));
    expect(await gatewayState()).toMatchObject({ acked_rev: 6 });
    kit.send('up/ack', listAck(7, '2026-11-20T20:48:00Z'));
    await kit.store('up/hello', hello('reset', 0, '2026-11-20T20:50:00Z'));
    expect(await gatewayState()).toMatchObject({ acked_rev: 0 });
  });

  it('keeps what it acknowledged after its hello, when the hello comes with it but later', async () => {
    kit.send('up/ack', listAck(4, '2026-11-20T20:45:00Z'));
    await kit.store('up/hello', hello('boot-1', 2, '2026-11-20T20:40:00Z'));
    expect(await gatewayState()).toMatchObject({ boot_id: 'boot-1', acked_rev: 4 });
  });

  it('reports its status; members of the agreement are merged, a late one changes nothing', async () => {
    await kit.store('up/status', {
      at,
      settings: { statusPeriod: 900, chargeThreshold: 50, 'not ours': '\ud800' },
    });
    await kit.store('up/status', {
      at: '2026-11-20T20:45:00Z',
      settings: { statusPeriod: 600 },
      data: { validMessageCount: 9 },
    });
    await kit.store('up/status', { at: '2026-11-20T20:40:00Z', settings: { statusPeriod: 300 } });
    expect(await gatewayState()).toMatchObject({
      settings: { statusPeriod: 600, chargeThreshold: 50 },
      data: { validMessageCount: 9 },
      status_at: new Date('2026-11-20T20:45:00Z'),
    });
    expect((await gatewayState()).settings).not.toHaveProperty('not ours');
    expect(await reasons()).toEqual([]);
  });

  it('is offline after a start of the embedded broker until it says hello', async () => {
    await kit.store('up/hello', { serialNumber: 'G1', type: 0, bootId: 'boot-1' });
    await kit.ingest.markAllOffline();
    expect((await gatewayState()).online).toBe(false);
    kit.clock.now = new Date('2026-11-20T21:01:00Z');
    await kit.store('up/hello', { serialNumber: 'G1', type: 0, bootId: 'boot-2' });
    expect((await gatewayState()).online).toBe(true);
  });

  it('acknowledges a configuration of its own farm, and no other', async () => {
    const other = await buildFarm(kit.database.db, kit.farm.owner_id);
    const foreign = await buildTank(kit.database.db, other.id);
    const configOf = async (device: DeviceRow) => {
      const uid = randomUUID();
      await kit.database.db
        .insertInto('config_update')
        .values({
          farm_id: device.farm_id,
          uid,
          device_id: device.id,
          type: 1,
          config: '{}',
          processed_at: null,
        })
        .execute();
      return uid;
    };
    const [own, others, waiting] = [
      await configOf(kit.tank),
      await configOf(foreign),
      await configOf(kit.tank),
    ];
    for (const cmdId of [own, others, 'never heard of'])
      await kit.store('up/ack', { cmdId, at, state: 'done', mac: kit.tank.mac });
    await kit.store('up/ack', { cmdId: waiting, at, state: 'accepted' });
    const rows = await kit.database.db.selectFrom('config_update').select(['uid', 'processed_at']).execute();
    expect(new Map(rows.map((row) => [row.uid, row.processed_at?.toISOString()]))).toEqual(
      new Map([
        [own, at],
        [others, undefined],
        [waiting, undefined],
      ]),
    );
    expect(kit.ingest.metrics().unknownAcks).toBe(2);
    expect(kit.events.map(({ type, deviceId }) => [type, deviceId])).toEqual([['tank_level', kit.tank.id]]);
  });

  it('behind an external broker is known by its topic', async () => {
    await kit.store(
      'up/sensor',
      { items: [{ mac: kit.tank.mac, at, values: { levelMm: 7 } }] },
      { sender: { kind: 'broker' } },
    );
    expect(await readingsOf(kit.tank)).toHaveLength(1);
  });
});

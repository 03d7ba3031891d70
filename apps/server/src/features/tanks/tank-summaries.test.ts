import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { TankSummary } from '@headrace/contract/tanks';
import { newUid } from '../../db/ids.ts';
import { buildDevice, buildFarm, buildGateway, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { everyMinutes } from '../../testing/record-readings.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

// The clock stands at 2026-11-20T21:00Z: 10:00 on 21 November on the farm. A tank is offset 500, 2,500 mm when full, 30,000 L.
let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

const db = () => server.database.db;

async function summaries(of: FarmWorld = world): Promise<TankSummary[]> {
  const reply = await of.get('GET /lvl/suminfo', { farmUID: of.farm.uid });
  expect(reply.statusCode).toBe(200);
  return reply.json<{ tanks: TankSummary[] }>().tanks;
}

async function summaryOf(uid: string, of: FarmWorld = world): Promise<TankSummary> {
  const reply = await of.get('GET /level/basic-info', { farmUid: of.farm.uid, sensorUid: uid });
  expect(reply.statusCode).toBe(200);
  return reply.json();
}

describe('the tanks of a farm', () => {
  it('are sorted by name without regard to case, each with what it last reported', async () => {
    const own = await buildFarmWorld(server);
    for (const name of ['delta', 'Bravo', 'alpha', 'Charlie', 'Ātea'])
      await buildTank(db(), own.farm.id, { name });
    expect((await summaries(own)).map(({ name }) => name)).toEqual([
      'alpha',
      'Ātea',
      'Bravo',
      'Charlie',
      'delta',
    ]);
  });

  it('are those of this farm alone, and neither other sensors nor deleted tanks', async () => {
    const own = await buildFarmWorld(server);
    const tank = await buildTank(db(), own.farm.id, { type: sensorTypes.TLM_V3 });
    await buildDevice(db(), own.farm.id, 'sensor', { type: sensorTypes.SOIL_MOISTURE });
    const gone = await buildTank(db(), own.farm.id);
    await db().updateTable('device').set({ deleted_at: new Date() }).where('uid', '=', gone.uid).execute();
    const other = await buildFarm(db(), own.owner.id);
    await buildTank(db(), other.id);
    expect((await summaries(own)).map(({ _id }) => _id)).toEqual([tank.uid]);
  });

  it('name the gateway that is to hear them, as long as the farm has it', async () => {
    const own = await buildFarmWorld(server);
    const gateway = await buildGateway(db(), own.farm.id);
    const tank = await buildTank(db(), own.farm.id);
    await db().updateTable('device').set({ gateway_id: gateway.id }).where('id', '=', tank.id).execute();
    expect((await summaries(own)).map(({ gatewayUID }) => gatewayUID)).toEqual([gateway.uid]);
    expect((await summaryOf(tank.uid, own)).gatewayUID).toBe(gateway.uid);
    await db().updateTable('device').set({ deleted_at: new Date() }).where('id', '=', gateway.id).execute();
    expect((await summaries(own)).map(({ gatewayUID }) => gatewayUID)).toEqual([null]);
  });

  it('take the same number of queries, however many there are', async () => {
    const countQueries = async (of: FarmWorld) => {
      let count = 0;
      const counter = () => (count += 1);
      server.database.pool.on('acquire', counter);
      await summaries(of);
      server.database.pool.off('acquire', counter);
      return count;
    };
    const one = await buildFarmWorld(server);
    const many = await buildFarmWorld(server);
    for (const [of, tanks] of [
      [one, 1],
      [many, 12],
    ] as const) {
      for (let index = 0; index < tanks; index += 1) {
        const tank = await buildTank(db(), of.farm.id);
        await of.record(tank, [{ at: '2026-11-20T20:50:00Z', values: { levelMm: 1000 } }]);
      }
    }
    expect(await countQueries(many)).toBe(await countQueries(one));
  });
});

describe('one tank', () => {
  it('that was never heard says so, and that nothing else is known', async () => {
    const tank = await buildTank(db(), world.farm.id, { name: 'New', serial_number: 'T-1' });
    expect(await summaryOf(tank.uid)).toEqual({
      _id: tank.uid,
      name: 'New',
      gatewayUID: null,
      serialNumber: 'T-1',
      description: '',
      location: null,
      statusTime: null,
      isOutOfContact: true,
      condition: 1,
      type: sensorTypes.LEVEL_MM,
      level: { value: null, valueInLitres: null, invalid: false },
      trending: null,
      batteryVoltage: null,
      flow: null,
      leakDetected: false,
      pumpControl: null,
      updatedAt: null,
    });
  });

  it('shows its level, battery and pump, and the time of the newest of them', async () => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: '2026-11-20T20:30:00Z', values: { levelMm: 1000, relayControl: 1, highSetpoint: 90 } },
      { at: '2026-11-20T20:45:00Z', values: { batteryV: 3.9, relayState: 0 } },
    ]);
    expect(await summaryOf(tank.uid)).toMatchObject({
      statusTime: '2026-11-20T20:45:00.000Z',
      updatedAt: '2026-11-20T20:45:00.000Z',
      isOutOfContact: false,
      condition: 0,
      level: { value: 60, valueInLitres: 18_000, invalid: false },
      batteryVoltage: 3.9,
      pumpControl: {
        highSetpoint: 90,
        lowSetpoint: null,
        relayControl: true,
        relayState: false,
        inputState: null,
        maxRunTime: null,
      },
    });
  });

  it.each([
    ['exactly three hours ago', '2026-11-20T18:00:00.000Z', { levelMm: 1000 }, false, 0],
    ['a millisecond longer ago', '2026-11-20T17:59:59.999Z', { levelMm: 1000 }, true, 1],
    ['with 3.5 V', '2026-11-20T20:50:00Z', { levelMm: 1000, batteryV: 3.5 }, false, 0],
    ['with 3.49 V', '2026-11-20T20:50:00Z', { levelMm: 1000, batteryV: 3.49 }, false, 2],
    ['at 20 %', '2026-11-20T20:50:00Z', { levelMm: 0 }, false, 0],
    ['below 20 %', '2026-11-20T20:50:00Z', { levelMm: -1 }, false, 2],
    ['low, but long ago', '2026-11-20T12:00:00Z', { levelMm: -1, batteryV: 3 }, true, 1],
  ])('heard %s', async (_name, at, values, isOutOfContact, condition) => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [{ at, values }]);
    expect(await summaryOf(tank.uid)).toMatchObject({ isOutOfContact, condition });
  });

  it.each([null, 9999, -51])('whose sensor reports %s mm has an invalid level', async (levelMm) => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: '2026-11-20T20:30:00Z', values: { levelMm: 1000 } },
      { at: '2026-11-20T20:45:00Z', values: { levelMm } },
    ]);
    expect(await summaryOf(tank.uid)).toMatchObject({
      level: { value: null, valueInLitres: null, invalid: true },
      trending: null,
      condition: 0,
    });
  });

  it.each([
    // 25 mm are 1 %.
    ['rises', 1000, 1026, '2026-11-20T19:44:30Z', 1],
    ['falls', 1026, 1000, '2026-11-20T19:45:30Z', -1],
    ['stays within 1 %', 1000, 1025, '2026-11-20T19:45:00Z', 0],
    ['was last heard more than 90 minutes before', 1000, 1500, '2026-11-20T19:10:00Z', null],
    ['was last heard less than 30 minutes before', 1000, 1500, '2026-11-20T20:20:00Z', null],
  ])('%s', async (_name, before, now, at, trending) => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: '2026-11-20T18:45:00Z', values: { levelMm: 500 } },
      { at, values: { levelMm: before } },
      { at: '2026-11-20T20:45:00Z', values: { levelMm: now } },
    ]);
    expect((await summaryOf(tank.uid)).trending).toBe(trending);
  });
});

describe('the meter of a tank', () => {
  const metered = {
    offset: 500,
    height: 3000,
    toplevel: 2500,
    volume: 30_000,
    enabledFlow: true,
    litrePerPulse: 10,
  };

  it('shows its flow and which way it counts', async () => {
    const settings = { ...metered, flowDirection: 1 };
    const tank = await buildTank(db(), world.farm.id, { type: sensorTypes.TLM_V3, settings });
    await world.record(tank, [{ at: '2026-11-20T20:50:00Z', values: { flowLpm: 12.5 } }]);
    const expected = { flowrate: 12.5, direction: 1, leakDetected: false };
    expect((await summaryOf(tank.uid)).flow).toEqual(expected);
    await world.record(tank, [{ at: '2026-11-20T20:55:00Z', values: { flowDirection: 0 } }]);
    expect((await summaryOf(tank.uid)).flow).toEqual({ ...expected, direction: 0 });
  });

  it('that only counts pulses flows as fast as the newest of them came', async () => {
    const tank = await buildTank(db(), world.farm.id, { type: sensorTypes.TLM_V3, settings: metered });
    await world.record(tank, [
      { at: '2026-11-20T19:50:00Z', values: { pulsesTotal: 100 } },
      { at: '2026-11-20T20:10:00Z', values: { pulsesTotal: 108 } },
      { at: '2026-11-20T20:30:00Z', values: { pulsesTotal: 112 } },
    ]);
    // 12 pulses of 10 L in 40 minutes.
    expect((await summaryOf(tank.uid)).flow).toEqual({ flowrate: 3, direction: null, leakDetected: false });
  });

  it('that has reported nothing yet shows no number', async () => {
    const tank = await buildTank(db(), world.farm.id, { type: sensorTypes.TLM_V3, settings: metered });
    expect((await summaryOf(tank.uid)).flow).toEqual({
      flowrate: null,
      direction: null,
      leakDetected: false,
    });
  });
});

describe('a leak', () => {
  it('is flow in each of the last six whole hours', async () => {
    const tank = await buildTank(db(), world.farm.id, { type: sensorTypes.TLM_V3 });
    await world.record(
      tank,
      everyMinutes(15, '2026-11-20T15:00:00Z', 24, () => ({ flowLpm: 0.5 })),
    );
    expect(await summaryOf(tank.uid)).toMatchObject({ leakDetected: true, flow: { leakDetected: true } });
  });

  it('is not flow that stopped once, nor flow of which an hour is not known', async () => {
    const stopped = await buildTank(db(), world.farm.id, { type: sensorTypes.TLM_V3 });
    await world.record(
      stopped,
      everyMinutes(15, '2026-11-20T15:00:00Z', 24, (index) => ({ flowLpm: index === 9 ? 0 : 0.5 })),
    );
    const silent = await buildTank(db(), world.farm.id, { type: sensorTypes.TLM_V3 });
    await world.record(
      silent,
      everyMinutes(15, '2026-11-20T16:00:00Z', 20, () => ({ flowLpm: 0.5 })),
    );
    expect((await summaryOf(stopped.uid)).leakDetected).toBe(false);
    expect((await summaryOf(silent.uid)).leakDetected).toBe(false);
  });

  // 02:00 on the farm is 13:00Z, 06:00 is 17:00Z. 50 mm are 2 %.
  it.each([
    ['a fall of more than 2 % in the last night', '2026-11-20T13:00:00Z', '2026-11-20T16:59:00Z', 949, true],
    ['a fall of 2 %', '2026-11-20T13:00:00Z', '2026-11-20T16:59:00Z', 950, false],
    ['a fall that began before 02:00', '2026-11-20T12:59:00Z', '2026-11-20T16:59:00Z', 900, false],
    ['a fall in the night before', '2026-11-19T13:00:00Z', '2026-11-19T16:59:00Z', 900, false],
  ])('by level: %s', async (_name, from, to, mm, expected) => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: from, values: { levelMm: 1000 } },
      { at: to, values: { levelMm: mm } },
    ]);
    expect((await summaryOf(tank.uid)).leakDetected).toBe(expected);
  });
});

describe('a leak, looked for in the small hours', () => {
  // 01:00 and 03:30 on 21 November on the farm; its nights of the 20th and the 21st begin at 13:00Z.
  it.each([
    [
      'the night before counts until the next one begins',
      '2026-11-20T12:00:00Z',
      ['19T13:30', '19T16:30'],
      true,
    ],
    [
      'the night under way counts as far as it has come',
      '2026-11-20T14:30:00Z',
      ['20T13:10', '20T14:20'],
      true,
    ],
    ['two nights are not one', '2026-11-20T14:30:00Z', ['19T16:30', '20T13:10'], false],
    ['the night before that is past', '2026-11-20T12:00:00Z', ['18T13:30', '18T16:30'], false],
  ])('%s', async (_name, now, [from, to], expected) => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: `2026-11-${from}:00Z`, values: { levelMm: 1000 } },
      { at: `2026-11-${to}:00Z`, values: { levelMm: 900 } },
    ]);
    const usual = server.clock.now;
    server.clock.now = new Date(now);
    const { leakDetected } = await summaryOf(tank.uid);
    server.clock.now = usual;
    expect(leakDetected).toBe(expected);
  });
});

describe('a tank that is not there', () => {
  it.each([
    [
      'on another farm of the same owner',
      async () => (await buildTank(db(), (await buildFarm(db(), world.owner.id)).id)).uid,
    ],
    ['unknown', async () => newUid()],
    ['a gateway', async () => (await buildDevice(db(), world.farm.id, 'gateway')).uid],
  ])('%s answers 404', async (_name, uid) => {
    const reply = await world.get('GET /level/basic-info', {
      farmUid: world.farm.uid,
      sensorUid: await uid(),
    });
    expect(reply.statusCode).toBe(404);
  });

  it.each(['GET /level/full-info', 'GET /lvl/history', 'GET /tank/battery'])(
    '%s answers 404 for a sensor that is no tank',
    async (key) => {
      const soil = await buildDevice(db(), world.farm.id, 'sensor', { type: sensorTypes.SOIL_MOISTURE });
      expect((await world.get(key, { sensorUid: soil.uid })).statusCode).toBe(404);
    },
  );
});

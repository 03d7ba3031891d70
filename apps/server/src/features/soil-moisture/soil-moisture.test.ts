import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { SoilReading, SoilSite } from '@headrace/contract/soil-moisture';
import type { DeviceRow } from '../../db/schema.ts';
import { newUid } from '../../db/ids.ts';
import { buildDevice } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { everyMinutes } from '../../testing/record-readings.ts';
import { asOperator } from '../../testing/operator.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

// The clock stands at 2026-11-20T21:00Z: 10:00 on 21 November on the farm, whose day began at 11:00Z.
let server: TestServer;
let world: FarmWorld;
let site: DeviceRow;
beforeAll(async () => {
  server = await createTestServer();
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
  site = await newSite();
});
afterAll(() => server.close());

const newSite = (values: Parameters<typeof buildDevice>[3] = {}, of = world) =>
  buildDevice(server.database.db, of.farm.id, 'sensor', { type: sensorTypes.SOIL_MOISTURE, ...values });

interface Reply {
  span: string;
  data: SoilReading[];
}
async function read(query: Record<string, string>, of: DeviceRow = site): Promise<Reply> {
  const reply = await world.get('GET /telemetry/soil-moisture', { sensorUID: of.uid, ...query });
  expect(reply.statusCode).toBe(200);
  return reply.json<Reply>();
}
const readings = async (query: Record<string, string>) => (await read(query)).data;

describe('sites', () => {
  const sites = async () =>
    (await world.get('GET /telemetry/sites', { farmUID: world.farm.uid })).json<{ sites: SoilSite[] }>()
      .sites;

  it('are the soil sensors of the farm by name, with the names of their probes', async () => {
    const settings = JSON.stringify({ swp1_name: '30 cm', swp2_name: '' });
    const named = await newSite({ name: 'aaa', settings, lat: -43.7, lng: 171.9 });
    await buildDevice(server.database.db, world.farm.id, 'sensor', { type: sensorTypes.FLOW });
    await newSite({}, await buildFarmWorld(server));
    await world.record(named, [
      { at: '2026-11-20T17:30:00Z', values: { swp1Kpa: 20, swp3Kpa: 255 } },
      { at: '2026-11-20T18:00:00Z', values: { temperatureC: 12 } },
    ]);
    expect(await sites()).toEqual([
      {
        id: named.uid,
        name: 'aaa',
        serialNumber: named.serial_number,
        lat: -43.7,
        lng: 171.9,
        swp1_name: '30 cm',
        swp2_name: 'Sensor 2',
        statusTime: '2026-11-20T18:00:00.000Z',
        isOutOfContact: false,
        invalidProbes: ['swp3'],
      },
      expect.objectContaining({
        id: site.uid,
        swp1_name: 'Sensor 1',
        statusTime: null,
        isOutOfContact: true,
        invalidProbes: [],
      }),
    ]);
  });
});

it.each([
  [{ swp1Kpa: null }, ['swp1']],
  [{ swp1Kpa: 200.5, swp2Kpa: -1 }, ['swp1', 'swp2']],
  [{ swp1Kpa: 200, swp4Kpa: 0 }, []],
])('a site that last said %j has the sensors %j that tell no tension', async (last, invalidProbes) => {
  await world.record(site, [
    { at: '2026-11-20T17:30:00Z', values: { swp1Kpa: 300, swp2Kpa: 20 } },
    { at: '2026-11-20T18:00:00Z', values: last },
  ]);
  const reply = await world.get('GET /telemetry/sites', { farmUID: world.farm.uid });
  expect(reply.json()).toMatchObject({ sites: [{ invalidProbes }] });
});

describe('readings', () => {
  it('are told as they were sent, from the start of a day of the farm', async () => {
    await world.record(site, [
      { at: '2026-11-19T10:59:00Z', values: { swp1Kpa: 11, rainTipsTotal: 100 } },
      {
        at: '2026-11-19T11:00:00Z',
        values: { temperatureC: 9.5, swp1Kpa: 20, swp2Kpa: 41.5, rainTipsTotal: 103 },
      },
      { at: '2026-11-19T11:15:00Z', values: { swp1Kpa: 21 } },
    ]);
    const names = { swp1_name: 'Sensor 1', swp2_name: 'Sensor 2' };
    expect(await read({ date: '2026-11-20' })).toEqual({
      span: 'reading',
      data: [
        {
          id: expect.any(String) as string,
          dateTime: '2026-11-19T11:00:00.000Z',
          temperature: 9.5,
          rainfall: 3,
          swp1: 20,
          swp2: 41.5,
          ...names,
        },
        {
          id: expect.any(String) as string,
          dateTime: '2026-11-19T11:15:00.000Z',
          temperature: null,
          rainfall: null,
          swp1: 21,
          swp2: null,
          ...names,
        },
      ],
    });
  });

  it('have the farm’s day and clock and six sensors for programs of before, who ask for it', async () => {
    await world.record(site, [
      // 02:30 twice: before and after the clock was put back on 5 April.
      { at: '2026-04-04T13:30:00Z', values: { swp1Kpa: 20, swp3Kpa: 7.5 } },
      { at: '2026-04-04T14:30:00Z', values: { swp1Kpa: 21 } },
    ]);
    const found = await readings({ date: '2026-04-05', to: '2026-04-05', legacy: 'true' });
    const sensors = ({ swp1, swp2, swp3, swp4, swp5, swp6 }: SoilReading) => [
      swp1,
      swp2,
      swp3,
      swp4,
      swp5,
      swp6,
    ];
    expect(found.map((one) => [one.date, one.time, ...sensors(one)])).toEqual([
      ['2026-04-05', '02:30:00', 20, null, 7.5, 0, 0, 0],
      ['2026-04-05', '02:30:00', 21, null, 0, 0, 0, 0],
    ]);
    const [plain] = await readings({ date: '2026-04-05', to: '2026-04-05' });
    expect(plain).not.toHaveProperty('date');
    expect(plain).not.toHaveProperty('swp5');
  });

  it('show no number where a probe said what is no tension', async () => {
    await world.record(site, [
      { at: '2026-11-20T12:00:00Z', values: { swp1Kpa: -1, swp2Kpa: 200 } },
      { at: '2026-11-20T12:15:00Z', values: { swp1Kpa: 200.5, swp2Kpa: 0 } },
      { at: '2026-11-20T12:30:00Z', values: { swp1Kpa: null, swp2Kpa: null } },
      { at: '2026-11-20T12:45:00Z', values: { swp1Kpa: Number.NaN, swp2Kpa: 30 } },
    ]);
    const found = await readings({ date: '2026-11-21' });
    expect(found.map(({ swp1, swp2 }) => [swp1, swp2])).toEqual([
      [null, 200],
      [null, 0],
      [null, null],
      [null, 30],
    ]);
  });

  it('have the third and fourth probe where the site has them', async () => {
    await world.record(site, [
      { at: '2026-11-20T12:00:00Z', values: { swp1Kpa: 1, swp3Kpa: 3, swp4Kpa: 4 } },
    ]);
    expect(await readings({ date: '2026-11-21' })).toMatchObject([{ swp1: 1, swp3: 3, swp4: 4 }]);
    const other = await newSite();
    await world.record(other, [{ at: '2026-11-20T12:00:00Z', values: { swp1Kpa: 1 } }]);
    const [reading] = (await read({ date: '2026-11-21' }, other)).data;
    expect(reading && Object.keys(reading)).not.toContain('swp3');
  });

  it.each([
    // 14 to 21 November are 8 days, from the 13th 9; 23 September to 21 November 60, from the 22nd 61.
    ['2026-11-14', 'reading'],
    ['2026-11-13', 'hour'],
    ['2026-09-23', 'hour'],
    ['2026-09-22', 'day'],
  ])('from %s to today come by %s', async (date, span) => {
    expect((await read({ date })).span).toBe(span);
  });

  it('end with the day that is asked for', async () => {
    await world.record(site, [
      { at: '2026-11-19T10:59:00Z', values: { swp1Kpa: 1 } },
      { at: '2026-11-19T11:00:00Z', values: { swp1Kpa: 2 } },
    ]);
    const found = await readings({ date: '2026-11-19', to: '19-11-2026' });
    expect(found.map(({ swp1 }) => swp1)).toEqual([1]);
  });

  it.each([
    [{ date: '2026-02-30' }, 'date'],
    [{ date: '2026-11-20', to: '31-11-2026' }, 'to'],
    [{ date: '2026-11-20', to: '2026-11-19' }, 'to'],
    [{ date: '2010-01-01' }, 'date'],
  ])('of %j are refused, naming what to mend', async (query, field) => {
    const reply = await world.get('GET /telemetry/soil-moisture', { sensorUID: site.uid, ...query });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ code: 'invalid', field });
  });

  it('of another kind of sensor, and of a site of strangers, are not there', async () => {
    const meter = await buildDevice(server.database.db, world.farm.id, 'sensor', { type: sensorTypes.FLOW });
    const theirs = await newSite({}, await buildFarmWorld(server));
    for (const { uid } of [meter, theirs]) {
      const reply = await world.get('GET /telemetry/soil-moisture', { sensorUID: uid, date: '2026-11-20' });
      expect(reply.statusCode).toBe(404);
    }
  });
});

describe('hours and days', () => {
  it('are means weighted by the readings, and sums of tips', async () => {
    await world.record(site, [
      { at: '2026-11-10T12:00:00Z', values: { swp1Kpa: 20, swp2Kpa: 50, temperatureC: 10, rainTips: 1 } },
      { at: '2026-11-10T12:20:00Z', values: { swp1Kpa: 22, swp2Kpa: 255, temperatureC: 11, rainTips: 0 } },
      { at: '2026-11-10T12:40:00Z', values: { swp1Kpa: 27, swp2Kpa: null, temperatureC: 15, rainTips: 4 } },
      { at: '2026-11-10T13:00:00Z', values: { swp1Kpa: 43, swp2Kpa: 255, temperatureC: 16, rainTips: 2 } },
    ]);
    // Hour: (20 + 22 + 27) / 3, of probe 2 the one that is a tension. Day: (20 + 22 + 27 + 43) / 4 and 52 / 4.
    expect(await readings({ date: '2026-11-10', to: '2026-11-20' })).toMatchObject([
      { dateTime: '2026-11-10T12:00:00.000Z', swp1: 23, swp2: 50, temperature: 12, rainfall: 5 },
      { dateTime: '2026-11-10T13:00:00.000Z', swp1: 43, swp2: null, temperature: 16, rainfall: 2 },
    ]);
    expect(await readings({ date: '2026-08-10' })).toMatchObject([
      { dateTime: '2026-11-10T11:00:00.000Z', swp1: 28, swp2: 50, temperature: 13, rainfall: 7 },
    ]);
  });

  it('are means of what can be a temperature, as its readings are', async () => {
    await world.record(site, [
      { at: '2026-11-20T12:00:00Z', values: { temperatureC: 10 } },
      { at: '2026-11-20T12:20:00Z', values: { temperatureC: 200 } },
      { at: '2026-11-20T12:40:00Z', values: { temperatureC: 14 } },
      { at: '2026-11-20T13:00:00Z', values: { temperatureC: -127 } },
    ]);
    const temperatures = async (query: Record<string, string>) =>
      (await readings(query)).map(({ temperature }) => temperature);
    expect(await temperatures({ date: '2026-11-20' })).toEqual([10, null, 14, null]);
    expect(await temperatures({ date: '2026-11-01' })).toEqual([12, null]);
    expect(await temperatures({ date: '2026-08-10' })).toEqual([12]);
  });

  it('are means of what can be a tension', async () => {
    await world.record(site, [
      { at: '2026-11-10T12:00:00Z', values: { swp1Kpa: 255, swp2Kpa: 50 } },
      { at: '2026-11-10T12:20:00Z', values: { swp1Kpa: 20, swp2Kpa: -1 } },
      { at: '2026-11-10T12:40:00Z', values: { swp1Kpa: 30, swp2Kpa: 70 } },
      { at: '2026-11-10T13:00:00Z', values: { swp1Kpa: 40, swp2Kpa: 255 } },
    ]);
    expect(await readings({ date: '2026-11-10', to: '2026-11-20' })).toMatchObject([
      { swp1: 25, swp2: 60 },
      { swp1: 40, swp2: null },
    ]);
    expect(await readings({ date: '2026-08-10' })).toMatchObject([{ swp1: 30, swp2: 60 }]);
  });

  it.each([
    // 20 tips over the end of the register; 4 tips since it started again; 2 mm are 10 tips.
    ['whose 16 bits ran over', { rainTipsTotal: 65_530 }, { rainTipsTotal: 14 }, 20],
    ['that started again', { rainTipsTotal: 900 }, { rainTipsTotal: 4 }, 4],
    ['that counts mm', { rainTotalMm: 100.5 }, { rainTotalMm: 102.5 }, 10],
    ['that tells mm since its last message', { rainMm: 9 }, { rainMm: 0.6 }, 3],
  ])('of a gauge %s add up alike', async (_what, first, second, tips) => {
    await world.record(site, [
      { at: '2026-11-20T10:45:00Z', values: first },
      { at: '2026-11-20T11:15:00Z', values: second },
    ]);
    const sums = await Promise.all(
      ['2026-11-21', '2026-11-01', '2026-08-01'].map(async (date) => {
        const found = await readings({ date });
        return found.findLast(({ rainfall }) => rainfall !== null)?.rainfall;
      }),
    );
    expect(sums).toEqual([tips, tips, tips]);
  });

  it.each([
    // Clocks go forward on 27 September and back on 5 April: a reading every half hour of 23 and 25 hours, one tip each.
    ['2026-09-27', '2026-09-26T12:00:00.000Z', 46],
    ['2026-04-05', '2026-04-04T11:00:00.000Z', 50],
  ])('of %s add up to what its readings say', async (date, start, count) => {
    const before = new Date(Date.parse(start) - 1_800_000).toISOString();
    const reports = everyMinutes(30, before, count + 2, (index) => ({
      rainTipsTotal: 500 + index,
      swp1Kpa: index % 7,
    }));
    // One of them comes late.
    const [late, ...others] = [reports[9], ...reports.filter((_, index) => index !== 9)];
    await world.record(
      site,
      others.flatMap((report) => report ?? []),
    );
    if (late) await world.record(site, [late]);
    const raw = await readings({ date, to: date });
    const inDay = (reading: SoilReading) =>
      raw.some(({ dateTime }) => dateTime.slice(0, 13) === reading.dateTime.slice(0, 13));
    const day = new Date(Date.parse(start) - 20 * 86_400_000).toISOString();
    const hours = (await readings({ date: day, to: date })).filter(inDay);
    const past = new Date(Date.parse(start) - 90 * 86_400_000).toISOString();
    const days = await readings({ date: past, to: date });
    const ofDay = days.find(({ dateTime }) => dateTime === start);
    const tips = (of: SoilReading[]) => of.reduce((sum, { rainfall }) => sum + (rainfall ?? 0), 0);
    expect(raw).toHaveLength(count);
    expect(hours).toHaveLength(count / 2);
    expect([tips(raw), tips(hours), ofDay?.rainfall]).toEqual([count, count, count]);
    const mean = raw.reduce((sum, { swp1 }) => sum + (swp1 ?? 0), 0) / count;
    expect(ofDay?.swp1).toBeCloseTo(mean, 2);
  });
});

describe('the tool that seeds a site', () => {
  const add = (record: object, headers: Record<string, string> = asOperator) =>
    server.call('POST /telemetry/add', { body: { sensorUID: site.uid, ...record }, headers });
  const stored = async () => {
    const { rows } = await server.database.pool.query<{ metric: string; at: Date; value: number | null }>(
      `select s.metric, r.at, r.value from reading r join series s on s.farm_id = r.farm_id and s.id = r.series_id
       where s.device_id = ${site.id} order by r.at, s.metric`,
    );
    return rows.map(({ metric, at, value }) => [metric, at.toISOString(), value]);
  };

  it('adds a reading at a time of the farm, which is shown like any other', async () => {
    const reply = await add({
      date: '2026-11-20',
      time: '09:15',
      temperature: 12.5,
      rainfall: 3,
      swp1: 25,
      swp2: 40,
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({ success: true });
    // 09:15 on the 20th is 20:15Z on the 19th.
    const expected = { temperature: 12.5, rainfall: 3, swp1: 25, swp2: 40 };
    expect(await readings({ date: '2026-11-20' })).toMatchObject([
      { dateTime: '2026-11-19T20:15:00.000Z', ...expected },
    ]);
    expect(await readings({ date: '2026-08-20' })).toMatchObject([expected]);
    const sites = await world.get('GET /telemetry/sites', { farmUID: world.farm.uid });
    expect(sites.json()).toMatchObject({ sites: [{ statusTime: '2026-11-19T20:15:00.000Z' }] });
  });

  it('may name the site in the address, with a record of nothing but time and values', async () => {
    const body = { date: '2026-11-20', time: '09:15', temperature: 12.5, rainfall: 3, swp1: 25, swp2: 40 };
    const seed = (query: Record<string, string>) =>
      server.call('POST /telemetry/add', { body, query, headers: asOperator });
    expect((await seed({ sensorUID: site.uid })).json()).toEqual({ success: true });
    expect(await readings({ date: '2026-11-20' })).toMatchObject([{ swp1: 25, swp2: 40 }]);
    const nowhere = await seed({});
    expect(nowhere.statusCode).toBe(400);
    expect(nowhere.json()).toMatchObject({ code: 'invalid', field: 'sensorUID' });
  });

  it('stores the same time once, and says that it is there', async () => {
    const record = { date: '2026-11-20', time: '09:15:30', rainfall: 3 };
    for (let times = 0; times < 2; times += 1) expect((await add(record)).json()).toEqual({ success: true });
    expect(await stored()).toEqual([['rainTipsAdded', '2026-11-19T20:15:30.000Z', 3]]);
    expect(await readings({ date: '2026-08-20' })).toMatchObject([{ rainfall: 3 }]);
  });

  it('adds its rain to what the gauge of the site counts', async () => {
    // 4 tips in the hour from 09:00, 5 at 09:15 with them; 2 in the hour after, which the gauge tells nothing of.
    await world.record(site, [
      { at: '2026-11-19T20:00:00Z', values: { rainTipsTotal: 100 } },
      { at: '2026-11-19T20:15:00Z', values: { rainTipsTotal: 104 } },
    ]);
    await add({ date: '2026-11-20', time: '09:15', rainfall: 5 });
    await add({ date: '2026-11-20', time: '10:15', rainfall: 2 });
    const rain = async (date: string) =>
      (await readings({ date })).flatMap(({ rainfall }) => (rainfall ? [rainfall] : []));
    expect(await rain('2026-11-20')).toEqual([9, 2]);
    expect(await rain('2026-11-05')).toEqual([9, 2]);
    expect(await rain('2026-08-05')).toEqual([11]);
    const query = { farmUID: world.farm.uid, site: site.uid, startDate: '20-11-2026' };
    // 11 tips of 0.2 mm.
    expect((await world.get('GET /headline/accumulated-rainfall', query)).json()).toMatchObject({
      rain: 2.2,
    });
  });

  it.each([
    ['skipped, on the clock before the change', '2026-09-27', '02:30', '2026-09-26T14:30:00.000Z'],
    ['doubled, for the first time', '2026-04-05', '02:30', '2026-04-04T13:30:00.000Z'],
  ])('reads a time that a clock change has %s', async (_what, date, time, at) => {
    expect((await add({ date, time, swp1: 9 })).statusCode).toBe(200);
    expect(await stored()).toEqual([['swp1Kpa', at, 9]]);
  });

  it.each([
    [{ date: '2026-02-30', time: '09:15', swp1: 1 }, 'date'],
    [{ date: '2026-11-20', time: '24:00', swp1: 1 }, 'time'],
    [{ date: '2026-11-21', time: '10:11', swp1: 1 }, 'date'],
    [{ date: '2020-11-21', time: '10:11', swp1: 1 }, 'date'],
    [{ date: '2026-11-20', time: '09:15' }, 'temperature'],
  ])('is told what is wrong with %j', async (record, field) => {
    const reply = await add(record);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ code: 'invalid', field });
    expect(await stored()).toEqual([]);
  });

  it('finds sites alone, and is the operator alone', async () => {
    const record = { date: '2026-11-20', time: '09:15', swp1: 1 };
    const meter = await buildDevice(server.database.db, world.farm.id, 'sensor', { type: sensorTypes.FLOW });
    for (const sensorUID of [meter.uid, newUid()])
      expect((await add({ ...record, sensorUID })).statusCode).toBe(404);
    for (const [name, value] of [
      ['x-forwarded-for', '127.0.0.1'],
      ['authorization', 'Bearer '],
    ] as const)
      expect((await add(record, { [name]: value })).statusCode).toBe(401);
    expect(await stored()).toEqual([]);
  });
});

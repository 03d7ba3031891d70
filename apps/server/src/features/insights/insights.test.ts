import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { farmInsights } from '@headrace/contract/insights';
import { presets } from '@headrace/contract/permissions';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { DeviceRow } from '../../db/schema.ts';
import { buildAccount, buildDevice, buildGateway, buildShare, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { everyMinutes } from '../../testing/record-readings.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

// The clock stands at 2026-11-20T21:00Z: 10:00 on 21 November on the farm, whose days begin at 11:00Z and nights at 13:00Z.
let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
});
beforeEach(async () => {
  server.clock.now = new Date('2026-11-20T21:00:00Z');
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

type Insights = ReplyOf<typeof farmInsights>;
async function insights(headers = world.headers): Promise<Insights> {
  const reply = await server.call('GET /insights', { headers, query: { farmUID: world.farm.uid } });
  expect(reply.statusCode).toBe(200);
  return reply.json<Insights>();
}
const tankNow = async () => (await insights()).tanks[0];

/** 1 mm is 10 L, and raw mm are the depth. */
const settings = { offset: 0, height: 3000, toplevel: 2500, volume: 25_000 };
const addTank = (changes: Parameters<typeof buildTank>[2] = {}) =>
  buildTank(server.database.db, world.farm.id, { settings, ...changes });
const addSensor = (type: number, more: object = {}) =>
  buildDevice(server.database.db, world.farm.id, 'sensor', { type, settings: JSON.stringify(more) });

describe('a tank', () => {
  it('that is used says in how many days it is empty', async () => {
    const tank = await addTank({ name: 'Bore' });
    // 2 mm an hour, 48 mm a day: 480 L. From 2,000 mm on 8 November, 11:00Z; 298 hours later 1,404 mm, 14,040 L: 29.3 days.
    const reports = everyMinutes(60, '2026-11-08T11:00:00Z', 299, (hour) => ({ levelMm: 2000 - 2 * hour }));
    await world.record(tank, reports);
    expect(await insights()).toEqual({
      at: '2026-11-20T21:00:00.000Z',
      tanks: [
        {
          _id: tank.uid,
          name: 'Bore',
          untilEmpty: {
            days: 29.3,
            earliest: 29.3,
            latest: 29.3,
            litresPerDay: 480,
            confidence: 'high',
            basis: 'Half of the last 11 days took more than 480 L, half less; it holds about 14,040 L.',
          },
          noForecast: '',
          // 8 mm between the first and last reading of a night are 0.24 %: below what is told.
          leak: null,
          pump: null,
        },
      ],
      meters: [],
      sites: [],
    });
  });

  it('that is silent, or says what can not be, has no forecast but the reason', async () => {
    const tank = await addTank();
    expect((await tankNow())?.noForecast).toBe('The sensor has not reported yet.');
    const reports = everyMinutes(60, '2026-11-10T11:00:00Z', 247, (hour) => ({ levelMm: 2000 - 2 * hour }));
    await world.record(tank, reports);
    expect(await tankNow()).toMatchObject({ untilEmpty: null, noForecast: 'The sensor is silent.' });
    await world.record(tank, [{ at: '2026-11-20T20:30:00Z', values: { levelMm: null } }]);
    expect(await tankNow()).toMatchObject({ untilEmpty: null, noForecast: "The sensor's value is invalid." });
  });

  it('uses the same by day, and leaks the same by night, over readings that can not be', async () => {
    const tank = await addTank();
    // 20 mm an hour, 480 mm a day, 80 mm in the four hours of a night; faults at the end of two days, and for an hour of a night.
    const faults = new Map([
      [47, 9999],
      [95, -500],
      [200, 9999],
      [201, 9999],
    ]);
    const reports = everyMinutes(30, '2026-11-16T11:00:00Z', 213, (half) => ({
      levelMm: faults.get(half) ?? 2500 - 10 * half,
    }));
    const plain = await addTank();
    await world.record(tank, reports);
    await world.record(
      plain,
      reports.map(({ at }, half) => ({ at, values: { levelMm: 2500 - 10 * half } })),
    );
    const [one, other] = (await insights()).tanks;
    expect(one?.untilEmpty).not.toBeNull();
    expect(one?.leak).not.toBeNull();
    expect({ ...one, _id: '', name: '' }).toEqual({ ...other, _id: '', name: '' });
  });

  it('uses the same by day when one of its days has 23 hours', async () => {
    // On 27 September the clock goes forward at 14:00Z; now it is 29 September, 10:00 on the farm.
    server.clock.now = new Date('2026-09-28T21:00:00Z');
    const tank = await addTank();
    const reports = everyMinutes(60, '2026-09-22T12:00:00Z', 154, (hour) => ({ levelMm: 2000 - 2 * hour }));
    await world.record(tank, reports);
    // 1,694 mm are 16,940 L; 480 L a day: 35.3 days.
    expect((await tankNow())?.untilEmpty).toMatchObject({ litresPerDay: 480, days: 35.3, latest: 35.3 });
  });

  it('whose level falls by night says since when, and how much is lost', async () => {
    const tank = await addTank();
    // Every night from 02:00 to 06:00 it falls by 4 mm each quarter hour, and stands else. Of the night's 16 readings the
    // first is 4 mm down and the last 64: 60 mm are 600 L in 3.75 h, 160 L an hour. The 18th's night is the first: 56 h.
    const nights = ['2026-11-18', '2026-11-19', '2026-11-20'].map((day) => Date.parse(`${day}T13:00:00Z`));
    const fallen = (at: number) =>
      nights.reduce((sum, from) => sum + Math.min(16, Math.max(0, (at - from) / 900_000 + 1)), 0);
    const start = Date.parse('2026-11-18T11:00:00Z');
    const reports = everyMinutes(15, '2026-11-18T11:00:00Z', 233, (index) => ({
      levelMm: 2000 - 4 * Math.floor(fallen(start + index * 900_000)),
    }));
    await world.record(tank, reports);
    expect((await tankNow())?.leak).toEqual({
      kind: 'night-fall',
      since: '2026-11-18T13:00:00.000Z',
      litresPerHour: 160,
      litresSoFar: 8960,
      confidence: 'medium',
      basis: 'The level fell between 02:00 and 06:00 in 3 nights, by about 160 L an hour.',
    });
  });

  it('whose pump runs while the level stands still says so', async () => {
    const tank = await addTank({ type: sensorTypes.TLM_V3 });
    const reports = everyMinutes(15, '2026-11-20T19:00:00Z', 9, (index) => ({
      levelMm: 1000,
      relayControl: 1,
      relayState: index >= 3 ? 1 : 0,
    }));
    await world.record(tank, reports);
    expect((await tankNow())?.pump).toEqual({
      since: '2026-11-20T19:45:00.000Z',
      minutes: 75,
      risePercent: 0,
      confidence: 'low',
      basis: 'No earlier run is known to hold it against.',
    });
  });
});

describe('a meter', () => {
  const leaking = (meter: DeviceRow) =>
    world.record(
      meter,
      // Three days at 0.5 L/min; at 12:00 on the farm (23:00Z) 20 L/min.
      everyMinutes(30, '2026-11-17T11:00:00Z', 165, (index) => ({ flowLpm: index % 48 === 24 ? 20 : 0.5 })),
    );

  it('through which water flows all night says since when, and how much', async () => {
    const meter = await addSensor(sensorTypes.FLOW);
    await leaking(meter);
    // Nights of the 18th to the 21st, 4 of them: since 2026-11-17T13:00Z, 80 h at 30 L an hour.
    expect((await insights()).meters).toEqual([
      {
        _id: meter.uid,
        name: meter.name,
        leak: {
          kind: 'night-flow',
          since: '2026-11-17T13:00:00.000Z',
          litresPerHour: 30,
          litresSoFar: 2400,
          confidence: 'high',
          basis: 'It flowed without a stop between 02:00 and 06:00 in 4 nights, by about 30 L an hour.',
        },
      },
    ]);
  });

  it('says the same on the night that the clock goes forward', async () => {
    server.clock.now = new Date('2026-09-26T20:00:00Z');
    const meter = await addSensor(sensorTypes.FLOW_PULSE, { litrePerPulse: 10 });
    // One pulse of 10 L each half hour from 23:00 on; the night has its hours 3, 4 and 5 alone, from 14:00Z on: 6 h, 120 L.
    const reports = everyMinutes(30, '2026-09-26T11:00:00Z', 19, (index) => ({ pulsesTotal: 100 + index }));
    await world.record(meter, reports);
    expect((await insights()).meters[0]?.leak).toMatchObject({
      since: '2026-09-26T14:00:00.000Z',
      litresPerHour: 20,
      litresSoFar: 120,
    });
  });

  it('at a farm whose relay ran by night is doubted', async () => {
    const meter = await addSensor(sensorTypes.FLOW);
    await leaking(meter);
    const gateway = await buildGateway(server.database.db, world.farm.id);
    await world.record(gateway, [{ at: '2026-11-19T14:30:00Z', values: { relay2: 1 } }]);
    expect((await insights()).meters[0]?.leak?.basis).toContain('a pump or valve ran in 1 night of these');
  });

  it('that stops by night, or is silent, shows nothing', async () => {
    const [stops, silent] = [await addSensor(sensorTypes.FLOW), await addSensor(sensorTypes.FLOW)];
    const at = (index: number) => (index % 48 === 6 ? 0 : 3);
    await world.record(
      stops,
      everyMinutes(30, '2026-11-17T11:00:00Z', 165, (index) => ({ flowLpm: at(index) })),
    );
    const { meters } = await insights();
    expect(meters.map(({ _id, leak }) => [_id, leak])).toEqual(
      expect.arrayContaining([
        [stops.uid, null],
        [silent.uid, null],
      ]),
    );
  });
});

describe('a soil site', () => {
  /** 30 hours from 20 kPa on by half a kPa an hour: 34.5 kPa, and 12 a day. */
  const dry = (site: DeviceRow) =>
    world.record(
      site,
      everyMinutes(60, '2026-11-19T16:00:00Z', 30, (hour) => ({ swp1Kpa: 20 + hour / 2, swp2Kpa: null })),
    );

  it('says when it is at the refill point of whoever asks, by their own bands', async () => {
    const site = await addSensor(sensorTypes.SOIL_MOISTURE);
    await dry(site);
    // To the usual 60 kPa: 25.5 kPa, 2.1 days.
    expect((await insights()).sites).toEqual([
      {
        _id: site.uid,
        name: site.name,
        untilRefill: expect.objectContaining({ days: 2.1, kpaNow: 34.5, kpaPerDay: 12, refillKpa: 60 }),
        noForecast: '',
        kpaNow: 34.5,
        refillKpa: 60,
      },
    ]);
    const bands = [0, 10, 30, 46, 100].map((start, idx) => ({
      idx,
      name: `B${idx}`,
      start,
      color: '#000000',
    }));
    const own = {
      farms: [
        {
          info: { accountId: world.owner.uid, id: world.farm.uid, name: 'F', description: '' },
          sites: [{ id: site.uid, smStressBands: bands }],
        },
      ],
    };
    await server.database.db
      .insertInto('account_settings')
      .values({
        account_id: world.owner.id,
        data: JSON.stringify(own),
        version: 6,
        updated_at: server.clock.now,
      })
      .execute();
    // To their own 46 kPa: 11.5 kPa, 1 day.
    expect((await insights()).sites[0]?.untilRefill).toMatchObject({ days: 1, refillKpa: 46 });
    const guest = await buildAccount(server.database.db);
    await buildShare(server.database.db, world.farm.id, guest.id);
    expect((await insights(await server.signIn(guest))).sites[0]?.untilRefill?.refillKpa).toBe(60);
  });

  it('that was wetted, or has no sensor that reads a tension, has no forecast but the reason', async () => {
    const [wet, broken] = [
      await addSensor(sensorTypes.SOIL_MOISTURE),
      await addSensor(sensorTypes.SOIL_MOISTURE),
    ];
    await dry(wet);
    await world.record(wet, [{ at: '2026-11-20T19:30:00Z', values: { rainTips: 10 } }]);
    await world.record(
      broken,
      everyMinutes(60, '2026-11-20T11:00:00Z', 11, () => ({ swp1Kpa: 250, swp2Kpa: null })),
    );
    const { sites } = await insights();
    const whyOf = ({ uid }: DeviceRow) => sites.find(({ _id }) => _id === uid)?.noForecast;
    expect(whyOf(wet)).toMatch(/^It was wetted lately/);
    expect(whyOf(broken)).toMatch(/^No sensor of the site reads a tension/);
    // How far it is to the refill point is known where the pace isn't.
    const kpaOf = ({ uid }: DeviceRow) => sites.find(({ _id }) => _id === uid)?.kpaNow;
    expect([kpaOf(wet), kpaOf(broken)]).toEqual([34.5, null]);
  });
});

describe('who asks', () => {
  it('is told of the farms they may read alone', async () => {
    const stranger = await server.signIn(await buildAccount(server.database.db));
    const query = { farmUID: world.farm.uid };
    expect((await server.call('GET /insights', { headers: stranger, query })).statusCode).toBe(404);
    const person = await buildAccount(server.database.db);
    await buildShare(server.database.db, world.farm.id, person.id, {
      ...presets.none,
      sprinklersStatus: true,
    });
    const headers = await server.signIn(person);
    expect((await server.call('GET /insights', { headers, query })).statusCode).toBe(403);
  });

  it('costs the database the same number of questions, however many devices there are', async () => {
    const count = async () => {
      const { pool } = server.database;
      const original = pool.connect.bind(pool);
      let questions = 0;
      pool.connect = ((...args: Parameters<typeof original>) => {
        questions += 1;
        return original(...args);
      }) as typeof pool.connect;
      await insights();
      pool.connect = original;
      return questions;
    };
    const tank = await addTank();
    await world.record(tank, [{ at: '2026-11-20T20:00:00Z', values: { levelMm: 1000 } }]);
    const few = await count();
    for (let index = 0; index < 5; index += 1) {
      const more = await addTank();
      await world.record(more, [{ at: '2026-11-20T20:00:00Z', values: { levelMm: 1000, relayState: 1 } }]);
    }
    expect(few).toBeGreaterThan(0);
    expect(await count()).toBe(few);
    expect((await insights()).tanks).toHaveLength(6);
  });
});

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { takeDays, WaterTake } from '@headrace/contract/water-takes';
import { buildDevice } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { meterEntry, takeEntries } from '../../testing/take-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

// The clock stands at 2026-11-20T21:00Z: 09:00 NZST on 21 November, whose day began at 12:00Z.
let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  world = await buildFarmWorld(server);
});

const buildMeter = (name: string) =>
  buildDevice(server.database.db, world.farm.id, 'sensor', { type: sensorTypes.FLOW_PULSE, name });
async function daysOf(meters: readonly object[], values: object = {}): Promise<ReplyOf<typeof takeDays>> {
  const farmUID = world.farm.uid;
  const entries = { farmUID, ...takeEntries, maxM3Day: 50, meters, ...values };
  const { uid } = (await world.send('POST /water-take', entries)).json<WaterTake>();
  const reply = await world.get('GET /water-take/days', { farmUID, uid, from: '2026-11-21' });
  return reply.json<ReplyOf<typeof takeDays>>();
}

it('of a meter that was never heard nothing is known, and nothing is told to be above a limit', async () => {
  const unheard = await buildMeter('Never');
  const reply = await daysOf([meterEntry(unheard)]);
  // Quarters until 20:15Z: the next ones may still be heard of.
  expect(reply.days).toMatchObject([{ m3: 0, isWhole: false, rows: 33, missing: 33, highestLps: null }]);
  expect(reply.gaps).toMatchObject([{ rows: 33, m3: null, isCut: false, cause: 'silent' }]);
  expect(reply.use.today).toMatchObject({ used: 0, isWhole: false, left: 50, reachedAt: null });
  expect(reply.use.lps).toBeNull();
  expect(reply.exceedances).toEqual([]);
});

it('what another meter of its take counted is the least that was taken, and is told where that is above a limit', async () => {
  const [heard, unheard] = [await buildMeter('Bore'), await buildMeter('Never too')];
  // 2 m³ a quarter from 12:00Z on, and four hours of silence in which it counted 32.
  const quarters = Array.from({ length: 37 }, (_none, nth) => nth).filter((nth) => nth <= 4 || nth >= 20);
  await world.record(
    heard,
    quarters.map((nth) => ({
      at: new Date(Date.parse('2026-11-20T12:00:00Z') + nth * 900_000).toISOString(),
      values: { pulsesTotal: 1000 + nth * 20 },
    })),
  );
  const meters = [meterEntry(heard), meterEntry(unheard, { site: '123456M2' })];
  const reply = await daysOf(meters);
  // 33 quarters, the 16 of the silence with them.
  expect(reply.days).toMatchObject([{ m3: expect.closeTo(66, 6), isWhole: false, missing: 33 }]);
  expect(reply.use.today).toMatchObject({ used: expect.closeTo(66, 6), isWhole: false });
  expect(reply.use.today.left).toBeCloseTo(-16, 6);
  expect(reply.use.lps).toBeNull();
  expect(reply.gaps).toMatchObject([{ rows: 33, m3: null, isCut: false, cause: 'silent' }]);
  expect(reply.exceedances).toMatchObject([
    { limit: 'day', value: expect.closeTo(66, 6), most: 50, isWhole: false },
  ]);
});

it('quarters in which one meter alone was above the rate are told, though nothing is known of another', async () => {
  const [heard, unheard] = [await buildMeter('Bore'), await buildMeter('Never too')];
  // 2 m³ are 2.22 L/s: from 13:00Z to 13:30Z, within the hour from 12:45Z in which nothing may be taken.
  const litres = [0, 0, 0, 0, 0, 20, 40, 40, 40];
  await world.record(
    heard,
    litres.map((pulses, nth) => ({
      at: new Date(Date.parse('2026-11-20T12:00:00Z') + nth * 900_000).toISOString(),
      values: { pulsesTotal: 1000 + pulses },
    })),
  );
  const restrictions = [
    { from: '2026-11-20T12:45:00.000Z', to: '2026-11-20T13:45:00.000Z', kind: 'cease', percent: 0, note: '' },
  ];
  const meters = [meterEntry(heard), meterEntry(unheard, { site: '123456M2' })];
  const reply = await daysOf(meters, { restrictions });
  expect(reply.exceedances).toMatchObject(
    ['13:15', '13:00'].map((clock) => ({
      limit: 'rate',
      at: { from: `2026-11-20T${clock}:00.000Z` },
      value: expect.closeTo(2.222, 3),
      most: 0,
      isWhole: false,
      isRestricted: true,
    })),
  );
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { FlowPoint } from '@headrace/contract/tanks';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

// The clock stands at 2026-11-20T21:00Z: 10:00 on 21 November on the farm, whose day began at 11:00Z.
let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

/** Counts litres, to 65,536 unless said; null: it doesn't say. */
const litreMeter = (wrapAt: number | null = 65_536) =>
  buildDevice(server.database.db, world.farm.id, 'sensor', {
    type: sensorTypes.FLOW_PULSE,
    settings: JSON.stringify({ litrePerPulse: 1 }),
    mapping: JSON.stringify([{ path: 'litres', metric: 'pulsesTotal', ...(wrapAt && { wrapAt }) }]),
  });

/** What it says from 13:45Z on, each quarter of an hour; the end of the one is the start of the next. */
const said = (device: DeviceRow, totals: readonly number[]) =>
  world.record(
    device,
    totals.map((pulsesTotal, nth) => ({
      at: new Date(Date.parse('2026-11-20T13:45:00Z') + nth * 900_000).toISOString(),
      values: { pulsesTotal },
    })),
  );

async function litresOf(device: DeviceRow, days: string): Promise<number> {
  const reply = await world.get('GET /flow/history', { serial: device.serial_number, days });
  expect(reply.statusCode).toBe(200);
  const { history } = reply.json<{ history: FlowPoint[] }>();
  return history.reduce((sum, { litres }) => sum + (litres ?? 0), 0);
}

const CHARTS = ['1', '30', '365'];

it('charts have no water of one wrong total that looks as a whole turn of the register', async () => {
  const device = await litreMeter();
  // 40,030 to 5 is 25,511 over the end of 65,536, and back to 40,050 the rest of a turn.
  await said(device, [40_000, 40_010, 40_020, 40_030, 5, 40_050, 40_060]);
  for (const days of CHARTS) expect([days, await litresOf(device, days)]).toEqual([days, 60]);
});

it('charts have all water of a register that went round within an hour between hours of none', async () => {
  const device = await litreMeter();
  // 19,000 L a quarter: 58,000, then 77,000, of which the register shows 11,464.
  await said(device, [1000, 1000, 20_000, 39_000, 58_000, 11_464, 11_464, 11_464, 11_464, 11_464]);
  for (const days of CHARTS) expect([days, await litresOf(device, days)]).toEqual([days, 76_000]);
});

it('charts have no water of a wrong total below zero, also where an hour begins with it', async () => {
  const device = await litreMeter(null);
  // At 14:00Z.
  await said(device, [40_000, -1000, 40_020, 40_030, 40_040, 40_050, 40_060]);
  for (const days of CHARTS) expect([days, await litresOf(device, days)]).toEqual([days, 60]);
});

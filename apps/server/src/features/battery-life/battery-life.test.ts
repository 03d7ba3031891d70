import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BatteryLife } from '@headrace/contract/battery-life';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice } from '../../testing/factories.ts';
import { recordReadings, type Report } from '../../testing/record-readings.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

/** How the battery of a sprinkler, or a repeater, fared. */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  // 10:00 on 21 November in New Zealand's summer time.
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm();
});

const unit = (): DeviceRow => {
  const [found] = driver.units;
  if (!found) throw new Error('no unit');
  return found;
};
const record = (device: DeviceRow, reports: readonly Report[]) =>
  recordReadings(kit.server.database, driver.farm, device, reports);
const charge = (at: string, value: number | null): Report => ({ at, values: { charge: value } });
const ask = (query: Record<string, string>, key = 'GET /ipc/batterylife') =>
  kit.server.call(key, { headers: driver.headers, query });
async function life(query: Record<string, string>, key?: string): Promise<BatteryLife> {
  const reply = await ask(query, key);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<BatteryLife>();
}
const alone = { lowest: null, highest: null };

describe("a sprinkler's battery", () => {
  it('is every reading of up to 60 days, with nothing where nothing was heard', async () => {
    await record(unit(), [
      // 00:59 and 01:00 of 23 September, whose midnight is 60 days before that of the day to come.
      charge('2026-09-22T11:59:00Z', 91),
      charge('2026-09-22T12:00:00Z', 90),
      charge('2026-11-18T20:00:00Z', 71),
      charge('2026-11-18T20:10:00Z', null),
      charge('2026-11-20T21:00:00Z', 69.5),
    ]);
    const found = await life({ deviceId: unit().uid, period: '60' });
    expect(found).toEqual({
      charge: [
        { time: '2026-09-22T12:00:00.000Z', value: 90, ...alone },
        { time: '2026-11-18T20:00:00.000Z', value: 71, ...alone },
        { time: '2026-11-18T20:10:00.000Z', value: null, ...alone },
        { time: '2026-11-20T21:00:00.000Z', value: 69.5, ...alone },
      ],
      span: 'reading',
      changes: [],
      threshold: 50,
    });
  });

  it('is means of days beyond 60 days, with no day where nothing was heard', async () => {
    await record(unit(), [
      // 1 and 3 October in New Zealand.
      charge('2026-10-01T02:00:00Z', 80),
      charge('2026-10-01T08:00:00Z', 60),
      charge('2026-10-01T09:00:00Z', 64),
      charge('2026-10-03T02:00:00Z', 55),
    ]);
    const { charge: days, span } = await life({ deviceId: unit().uid, period: '61' });
    expect(span).toBe('day');
    expect(days).toEqual([
      { time: '2026-09-30T11:00:00.000Z', value: 68, lowest: 60, highest: 80 },
      { time: '2026-10-02T11:00:00.000Z', value: 55, lowest: 55, highest: 55 },
    ]);
  });

  it('ends with the day that is asked for, by its serial number too', async () => {
    await record(unit(), [
      charge('2026-10-01T02:00:00Z', 80),
      charge('2026-10-02T02:00:00Z', 79),
      charge('2026-10-03T02:00:00Z', 78),
    ]);
    const found = await life({ serial: unit().serial_number, period: '2', stopAt: '02-10-2026' });
    expect(found.charge.map(({ value }) => value)).toEqual([80, 79]);
  });

  it('has when it was changed, by whom, and not what lies outside the period', async () => {
    const body = { ipcUID: unit().uid };
    const headers = { ...driver.headers };
    await kit.server.call('POST /ipc/replace-battery', { headers, body });
    // 06:00 of the next day.
    kit.pass(20 * 60);
    await kit.server.call('POST /ipc/replace-battery', { headers, body });
    const { changes } = await life({ deviceId: unit().uid, period: '7' });
    expect(changes).toEqual([
      { at: '2026-11-20T21:00:00.000Z', how: 'battery', by: 'Olive Owner' },
      { at: '2026-11-21T17:00:00.000Z', how: 'battery', by: 'Olive Owner' },
    ]);
    const before = await life({ deviceId: unit().uid, period: '7', stopAt: '21-11-2026' });
    expect(before.changes.map(({ at }) => at)).toEqual(['2026-11-20T21:00:00.000Z']);
  });

  it('has when another unit came, and nothing that was done to that one elsewhere', async () => {
    await kit.server.call('POST /ipc/replace-battery', {
      headers: driver.headers,
      body: { ipcUID: unit().uid },
    });
    kit.pass(1);
    const replace = await driver.command('Replace', {
      mac: unit().mac,
      payload: { serialNumber: 'NEW-1', mac: '0004A30B001C0571' },
    });
    await driver.answers(replace, 'done');
    const { changes } = await life({ serial: 'NEW-1', period: '7' });
    expect(changes.map(({ at, how }) => [at, how])).toEqual([
      ['2026-11-20T21:00:00.000Z', 'battery'],
      ['2026-11-20T21:01:00.000Z', 'unit'],
    ]);
  });

  it('is low below what its gateway says', async () => {
    await kit.server.database.pool.query(
      `update gateway_state set settings = '{"chargeThreshold": 65}' where farm_id = $1 and device_id = $2`,
      [driver.farm.id, driver.gateway.id],
    );
    expect((await life({ deviceId: unit().uid })).threshold).toBe(65);
  });

  it.each([
    [{ period: '0' }, 'period'],
    [{ period: '3661' }, 'period'],
    [{ period: 'week' }, 'period'],
    [{ stopAt: '31-02-2026' }, 'stopAt'],
    [{ stopAt: 'today' }, 'stopAt'],
  ])('is not told for %j', async (query, field) => {
    const reply = await ask({ deviceId: unit().uid, ...query });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ field });
  });
});

it("a repeater's is the same, and neither is asked for as the other", async () => {
  const repeater = await buildDevice(kit.server.database.db, driver.farm.id, 'repeater');
  await record(repeater, [charge('2026-11-20T20:00:00Z', 33)]);
  await kit.server.call('POST /repeater/replace-battery', {
    headers: driver.headers,
    body: { rptrUID: repeater.uid },
  });
  expect(await life({ deviceId: repeater.uid, period: '30' }, 'GET /repeater/batterylife')).toEqual({
    charge: [{ time: '2026-11-20T20:00:00.000Z', value: 33, ...alone }],
    span: 'reading',
    changes: [{ at: '2026-11-20T21:00:00.000Z', how: 'battery', by: 'Olive Owner' }],
    threshold: 50,
  });
  expect((await ask({ deviceId: repeater.uid })).statusCode).toBe(404);
  expect((await ask({ deviceId: unit().uid }, 'GET /repeater/batterylife')).statusCode).toBe(404);
});

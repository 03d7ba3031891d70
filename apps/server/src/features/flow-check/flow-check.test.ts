import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { FlowCheckReply, pipesOfSprinkler } from '@headrace/contract/flow';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice } from '../../testing/factories.ts';
import { buildGroup, buildScheduleSet } from '../../testing/irrigation-factories.ts';
import { recordReadings } from '../../testing/record-readings.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

/** What flows through a farm's meter against its open sprinklers, of 4 L/s each. Minutes count to now. */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-25T02:00:00Z');
  driver = await kit.farm({ units: 3 });
});

const ago = (minutes: number) => new Date(kit.clock.now.getTime() - minutes * 60_000);
const unit = (index: number) => {
  const found = driver.units[index];
  if (!found) throw new Error('no such unit');
  return found;
};
const says = (index: number, valve: 'open' | 'closed', minutes: number) =>
  driver.reportsValve(unit(index), valve, ago(minutes));
const buildMeter = (name: string): Promise<DeviceRow> =>
  buildDevice(kit.server.database.db, driver.farm.id, 'sensor', { name, type: sensorTypes.FLOW });
/** L/s, said 25, 15 and 5 min ago. */
const flows = (meter: DeviceRow, lps: number): Promise<void> =>
  recordReadings(
    kit.server.database,
    driver.farm,
    meter,
    [25, 15, 5].map((minutes) => ({ at: ago(minutes).toISOString(), values: { flowLpm: lps * 60 } })),
  );
async function check(): Promise<FlowCheckReply | null> {
  const reply = await kit.server.call('GET /flow/check', {
    headers: driver.headers,
    query: { farmUID: driver.farm.uid },
  });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<{ check: FlowCheckReply | null }>().check;
}

it('agrees with two that said that they are open', async () => {
  await flows(await buildMeter('Bore'), 8.2);
  await says(0, 'open', 60);
  await says(1, 'open', 50);
  expect(await check()).toMatchObject({
    state: 'agrees',
    meter: 'Bore',
    openLps: 8,
    meterLps: 8.2,
    byLps: 0,
  });
});

it('names whose valve moved last where more flows than is open', async () => {
  await flows(await buildMeter('Bore'), 12);
  await says(0, 'open', 60);
  await says(1, 'open', 50);
  await says(1, 'closed', 40);
  // It says the same again: it did not move.
  await says(2, 'open', 300);
  await says(2, 'closed', 290);
  await says(2, 'closed', 6);
  expect(await check()).toMatchObject({
    state: 'more',
    openLps: 4,
    byLps: 8,
    suspects: [
      { unitUID: unit(1).uid, movedAt: ago(40).toISOString(), isSaidClosed: true },
      { unitUID: unit(2).uid, movedAt: ago(290).toISOString(), isSaidClosed: true },
    ],
  });
});

it('says nothing where a valve moved just now, where the meter is silent, and where there are two', async () => {
  const meter = await buildMeter('Bore');
  await says(0, 'open', 60);
  expect(await check()).toBeNull();
  await flows(meter, 12);
  expect(await check()).toMatchObject({ state: 'more' });
  await says(1, 'open', 60);
  await says(1, 'closed', 12);
  expect(await check()).toBeNull();
  await buildMeter('Second');
  expect(await check()).toBeNull();
});

it('counts a valve as moved that watered for longer than a day and closed just now', async () => {
  await flows(await buildMeter('Bore'), 12);
  await says(0, 'open', 60);
  await says(1, 'open', 30 * 60);
  expect(await check()).toMatchObject({ state: 'more' });
  await says(1, 'closed', 12);
  expect(await check()).toBeNull();
});

async function pipes(minutes: number): Promise<ReplyOf<typeof pipesOfSprinkler>> {
  const reply = await kit.server.call('GET /flow/pipes', {
    headers: driver.headers,
    query: { deviceId: unit(0).uid, minutes: String(minutes) },
  });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json();
}

it('says what else runs on the pipes of a sprinkler, against what they can give', async () => {
  const { db } = kit.server.database;
  const north = await buildGroup(db, driver.farm.id, 'North', driver.units.slice(0, 2));
  await buildGroup(db, driver.farm.id, 'Young trees', driver.units);
  await db.updateTable('device_group').set({ is_lateral: true }).where('uid', '=', north).execute();
  const mains = [{ name: 'East', maxLps: 6, groups: [north] }];
  const supply = { farmUID: driver.farm.uid, maxLps: 40, windows: [], avoid: [], mains, notes: '' };
  const put = await kit.server.call('PUT /farm/supply', { headers: driver.headers, body: supply });
  expect(put.statusCode, put.body).toBe(200);
  // Itself it counts nowhere; the second is on its line, the third is not.
  await says(0, 'open', 5);
  await says(1, 'open', 5);
  await says(2, 'open', 5);
  const reply = await pipes(30);
  const quiet = { starts: 0, unsure: 0, firstAt: null, lps: 0, mayBeLps: 0, unset: 0, unknown: 0 };
  // Nothing was ever sent to them: they may hold anything.
  const planned = (unknown: number) => ({ ...quiet, unknown });
  const none = { mayBe: 0, mayBeLps: 0, unset: 0 };
  expect(reply).toEqual({
    lps: 4,
    // Ten minutes for its turn, and its own thirty.
    until: '2026-11-25T02:40:00.000Z',
    pipes: [
      { kind: 'line', name: 'North', maxLps: null, open: 1, openLps: 4, ...none, planned: planned(1) },
      { kind: 'main', name: 'East', maxLps: 6, open: 1, openLps: 4, ...none, planned: planned(1) },
      { kind: 'farm', name: driver.farm.name, maxLps: 40, open: 2, openLps: 8, ...none, planned: planned(2) },
    ],
  });
});

it('reckons with what the groups of each sprinkler are set to where they agree, else with the farm’s', async () => {
  const { db } = kit.server.database;
  const gives = async (name: string, sprinklerFlow: number, units: typeof driver.units) => {
    const uid = await buildGroup(db, driver.farm.id, name, units);
    const wal_config = JSON.stringify({ ...driver.farm.wal_config, sprinklerFlow });
    await db.updateTable('device_group').set({ wal_config }).where('uid', '=', uid).execute();
  };
  await buildGroup(db, driver.farm.id, 'All', driver.units);
  await gives('North', 7, driver.units.slice(0, 2));
  await gives('Also north', 7, driver.units.slice(1, 2));
  await gives('South', 5, driver.units.slice(2, 3));
  await gives('Also south', 6, driver.units.slice(2, 3));
  await says(1, 'open', 5);
  await says(2, 'open', 5);
  const { lps, pipes: laid } = await pipes(30);
  // 7 of its own; 7 of the second, whose two groups agree, and the farm's 4 of the third, whose two don't.
  expect([lps, laid.at(-1)]).toMatchObject([7, { kind: 'farm', open: 2, openLps: 11 }]);
});

it('says what is to begin on them before it is closed, as the timeline shows it', async () => {
  const { db } = kit.server.database;
  const north = await buildGroup(db, driver.farm.id, 'North', driver.units);
  await db.updateTable('device_group').set({ is_lateral: true }).where('uid', '=', north).execute();
  // 15:30 to 16:00 on the farm's clock, which shows 15:00.
  const setUID = await buildScheduleSet(db, driver.farm.id, driver.units, [
    { start: 930, duration: 30, cycle: 1 },
  ]);
  const send = await driver.command('SendScheduleSet', { payload: { setUID, groupUID: 'FARM' } });
  for (const { mac } of driver.units) await driver.answers('set-1', 'done', { mac: mac ?? '' });
  await driver.reaches(send, 'done');
  // The second is open now, the third is not; the first is the one that is asked about.
  await says(1, 'open', 1);
  await says(2, 'closed', 1);
  const line = async (minutes: number) => (await pipes(minutes)).pipes[0]?.planned;
  expect(await line(19)).toMatchObject({ starts: 0, firstAt: null });
  const half = '2026-11-25T02:30:00.000Z';
  // Of 4 L/s each; the second gives its water once.
  expect(await line(21)).toEqual({
    starts: 2,
    unsure: 0,
    firstAt: half,
    lps: 8,
    mayBeLps: 0,
    unset: 0,
    unknown: 0,
  });
  await driver.command('Inhibit', { mac: unit(2).mac });
  expect(await line(21)).toMatchObject({ starts: 2, unsure: 1, firstAt: half, lps: 4, mayBeLps: 4 });
});

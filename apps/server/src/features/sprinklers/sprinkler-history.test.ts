import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SPRINKLER_HISTORY_MOST, type SprinklerHistory } from '@headrace/contract/sprinkler-history';
import type { DeviceRow } from '../../db/schema.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

/** What happened at a sprinkler's place. */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  // 10:00 on 21 November in New Zealand's summer time.
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm({ units: 2 });
});

const unit = (index = 0): DeviceRow => {
  const found = driver.units[index];
  if (!found) throw new Error('no unit');
  return found;
};
const target = (index = 0) => ({
  mac: unit(index).mac ?? '',
  name: unit(index).name,
  serialNumber: unit(index).serial_number,
});
const ask = (query: Record<string, string>) =>
  kit.server.call('GET /ipc/history', { headers: driver.headers, query });
async function history(query: Record<string, string> = {}, of?: object): Promise<SprinklerHistory> {
  const reply = await ask({ period: '60', ...query, ...(of ?? { deviceId: unit().uid }) });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json();
}
/** How many of each list. */
const counts = ({ runs, commands, swaps, batteries }: SprinklerHistory) =>
  [runs, commands, swaps, batteries].map(({ length }) => length);

describe("a sprinkler's history", () => {
  it('has waterings and commands of its own, the newest first', async () => {
    await driver.reportsValve(unit(), 'open', new Date('2026-11-20T16:12:00Z'));
    await driver.reportsValve(unit(), 'closed', new Date('2026-11-20T16:41:00Z'));
    await driver.reportsValve(unit(), 'open', new Date('2026-11-20T18:00:00Z'));
    await driver.reportsValve(unit(1), 'open', new Date('2026-11-20T19:00:00Z'));
    const poll = await driver.command('Poll', target());
    await driver.answers(poll, 'failed', { error: 'no answer' });
    kit.pass(1);
    await driver.command('Poll', target(1));
    const inhibit = await driver.command('Inhibit', target());
    const told = await history();
    expect(told.runs.map(({ openedAt }) => openedAt)).toEqual([
      '2026-11-20T18:00:00.000Z',
      '2026-11-20T16:12:00.000Z',
    ]);
    expect(told.commands.map(({ command, unit: part }) => [command._id, part.uid, part.state])).toEqual([
      [inhibit, unit().uid, 'sent'],
      [poll, unit().uid, 'failed'],
    ]);
    expect(told).toMatchObject({ swaps: [], batteries: [], isCut: false });
  });

  it('has who took its place, by whom, and its new batteries', async () => {
    const body = { ipcUID: unit().uid };
    await kit.server.call('POST /ipc/replace-battery', { headers: driver.headers, body });
    kit.pass(1);
    const payload = { serialNumber: 'NEW-1', mac: '0004A30B001C0571' };
    const replace = await driver.command('Replace', { ...target(), payload });
    await driver.answers(replace, 'done');
    const serial = unit().serial_number;
    const told = await history({}, { serial: 'NEW-1' });
    expect(told.swaps).toEqual([
      { at: '2026-11-20T21:01:00.000Z', from: serial, to: 'NEW-1', by: 'Olive Owner' },
    ]);
    expect(told.commands).toEqual([]);
    expect(told.batteries).toMatchObject([{ at: '2026-11-20T21:00:00.000Z', how: 'battery' }]);
    // The other is a spare now: it has its battery, and nothing else was done where it is.
    expect(counts(await history())).toEqual([0, 0, 0, 1]);
  });

  it('has a Replace that failed among its commands', async () => {
    const payload = { serialNumber: 'NEW-2', mac: '0004A30B001C0572' };
    const replace = await driver.command('Replace', { ...target(), payload });
    await driver.answers(replace, 'failed', { error: 'no answer' });
    expect(counts(await history())).toEqual([0, 1, 0, 0]);
  });

  it('is of the days that are asked for', async () => {
    await driver.reportsValve(unit(), 'open', new Date('2026-11-19T10:59:00Z'));
    await driver.reportsValve(unit(), 'closed', new Date('2026-11-19T11:10:00Z'));
    await driver.command('Poll', target());
    expect(counts(await history({ period: '2' }))).toEqual([0, 1, 0, 0]);
    expect(counts(await history({ period: '1', stopAt: '19-11-2026' }))).toEqual([1, 0, 0, 0]);
  });

  it('says that there is more than it tells', async () => {
    const { farm_id, id: device_id } = unit();
    const at = (nth: number) => new Date(kit.clock.now.getTime() - nth * 3_600_000);
    const runs = Array.from({ length: SPRINKLER_HISTORY_MOST + 1 }, (_, nth) => ({
      farm_id,
      device_id,
      opened_at: at(nth),
      opened_how: 'said' as const,
      open_until: at(nth),
      closed_at: at(nth),
      closed_how: 'said' as const,
      lps: 4,
      mm_per_min: 0.1724,
      is_part: false,
    }));
    await kit.server.database.db.insertInto('watering_run').values(runs).execute();
    const told = await history();
    expect([told.runs.length, told.isCut]).toEqual([SPRINKLER_HISTORY_MOST, true]);
    expect(told.runs[0]?.openedAt).toBe(at(0).toISOString());
  });

  it.each([
    [{ period: '0' }, 'period'],
    [{ stopAt: '31-02-2026' }, 'stopAt'],
  ])('is not told for %j', async (query, field) => {
    const reply = await ask({ deviceId: unit().uid, ...query });
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { field }]);
  });
});

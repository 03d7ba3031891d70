import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RadioHealth } from '@headrace/contract/radio-health';
import { recordReadings } from '../../testing/record-readings.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

/** How a gateway's units answered. */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  // Ten minutes before midnight of 20 November in New Zealand's summer time.
  kit.clock.now = new Date('2026-11-20T10:50:00Z');
  driver = await kit.farm({ units: 4, secondsEach: null });
});

async function radio(period = '7'): Promise<RadioHealth['days']> {
  const headers = await kit.server.signIn(driver.owner);
  const query = { deviceId: driver.gateway.uid, period };
  const reply = await kit.server.call('GET /gateway/radio', { headers, query });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<RadioHealth>().days;
}
/** Each of the units is asked, and answers so many seconds after the one before. */
async function poll(answers: readonly ['done' | 'failed', attempts: number | undefined][]): Promise<void> {
  const ids: string[] = [];
  for (const unit of driver.units.slice(0, answers.length))
    ids.push(await driver.command('Poll', { mac: unit.mac }));
  for (const [index, [state, attempts]] of answers.entries()) {
    kit.pass(0.5);
    const mac = driver.units[index]?.mac ?? '';
    await driver.answers(ids[index] ?? '', state, { mac, ...(attempts !== undefined && { attempts }) });
  }
}
const nothing = { triedUnits: 0, tries: 0, busyS: 0, busyUnits: 0, hopsUnits: 0, hops: 0 };

describe("a gateway's radio", () => {
  it('is counted by the farm’s days: who answered, how often it asked, and the time between', async () => {
    await poll([
      ['done', 1],
      ['done', 3],
      ['failed', 3],
      ['done', undefined],
    ]);
    kit.pass(15);
    await poll([['done', 2]]);
    expect(await radio()).toEqual([
      {
        ...nothing,
        day: '2026-11-20',
        answered: 3,
        silent: 1,
        triedUnits: 3,
        tries: 7,
        // Three gaps of half a minute.
        busyS: 90,
        busyUnits: 3,
      },
      { ...nothing, day: '2026-11-21', answered: 1, silent: 0, triedUnits: 1, tries: 2 },
    ]);
  });

  it('is not asked by what a gateway does for itself', async () => {
    const id = await driver.command('IncStatusReq', { mac: driver.gateway.mac });
    await driver.answers(id, 'done');
    expect(await radio()).toEqual([]);
  });

  it('has the hops of the units in service at the end of a day', async () => {
    for (const [index, unit] of driver.units.entries())
      await recordReadings(kit.server.database, driver.farm, unit, [
        // The last has said it eight days ago.
        { at: index === 3 ? '2026-11-12T10:00:00Z' : '2026-11-20T10:00:00Z', values: { hops: index + 1 } },
      ]);
    kit.clock.now = new Date('2026-11-20T11:02:00Z');
    await kit.server.runJob('sprinkler health');
    expect(await radio()).toEqual([
      { ...nothing, day: '2026-11-20', answered: 0, silent: 0, hopsUnits: 3, hops: 6 },
    ]);
  });
});

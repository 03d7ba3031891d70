import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandName, commandTypes } from '@headrace/contract/command-types';
import type { SendPlan } from '@headrace/contract/commands';
import { buildGroup, buildScheduleSet, buildWanted } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** What goes to a group or the farm can go to none but some of their sprinklers. */
let kit: CommandsKit;
let driver: FarmDriver;
let groupUID: string;
const db = () => kit.server.database.db;
const uidOf = (place: number) => driver.units[place]?.uid ?? '';
const macsOf = (...places: number[]) => places.map((place) => driver.units[place]?.mac);
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  driver = await kit.farm({ units: 4 });
  groupUID = await buildGroup(db(), driver.farm.id, 'North', driver.units.slice(0, 3));
});

async function plan(name: CommandName, payload: object): Promise<SendPlan> {
  const reply = await kit.server.call('POST /commands/plan', {
    headers: driver.headers,
    body: { farmUID: driver.farm.uid, type: commandTypes[name], payload },
  });
  expect(reply.statusCode).toBe(200);
  return reply.json<SendPlan>();
}

const entries = [{ start: 60, duration: 45, cycle: 1 }];

describe('of chosen sprinklers', () => {
  it('only those get a command of the farm, and the log names how many', async () => {
    const payload = { groupUID: 'FARM', uids: [uidOf(0), uidOf(3)] };
    expect(await plan('PollGroup', payload)).toMatchObject({ total: 2, toDo: 2 });
    const uid = await driver.command('PollGroup', { payload });
    expect((await driver.detail(uid)).command).toMatchObject({ name: '2 sprinklers', total: 2 });
    expect(driver.messages('cmd').map(({ body }) => body.payload)).toEqual([{ macs: macsOf(0, 3) }]);
  });

  it('only those of the group get it, and who is gone is counted', async () => {
    const payload = { groupUID, uids: [uidOf(1), uidOf(2), uidOf(3)] };
    const found = await plan('PollGroup', payload);
    expect(found.total).toBe(2);
    expect(found.findings).toContainEqual({
      kind: 'gone',
      text: '1 of the chosen sprinklers is not here any more.',
      count: 1,
      names: [],
    });
    const uid = await driver.command('PollGroup', { payload });
    expect((await driver.detail(uid)).command).toMatchObject({ name: '2 of North', total: 2 });
  });

  it('an Off reaches the others though one was deleted, and one alone is named', async () => {
    await db().updateTable('device').set({ deleted_at: kit.clock.now }).where('uid', '=', uidOf(0)).execute();
    const payload = { groupUID, uids: [uidOf(0), uidOf(1)] };
    const uid = await driver.command('TurnGroupValvesOff', { payload });
    expect((await driver.detail(uid)).command).toMatchObject({ name: 'U002', total: 1 });
    expect(
      (await driver.send('TurnGroupValvesOff', { payload: { groupUID, uids: [uidOf(0)] } })).statusCode,
    ).toBe(400);
  });

  it('a set goes to them alone: nobody else is cleared, and the farm waters by what it did', async () => {
    const setUID = await buildScheduleSet(db(), driver.farm.id, driver.units.slice(0, 3), entries);
    await buildWanted(db(), driver.farm.id, [driver.units[3]!], entries);
    const payload = { groupUID: 'FARM', setUID, uids: [uidOf(0), uidOf(1)] };
    expect(await plan('SendScheduleSet', payload)).toMatchObject({ total: 2, toDo: 2, notInSet: 0 });
    const current = () =>
      db().selectFrom('farm').selectAll().where('id', '=', driver.farm.id).executeTakeFirstOrThrow();
    const before = await current();
    const uid = await driver.command('SendScheduleSet', { payload });
    expect((await driver.detail(uid)).units.map(({ name }) => name)).toEqual(['U001', 'U002']);
    expect(await current()).toEqual(before);
  });

  it('an empty list is refused: it could mean nobody or all', async () => {
    const reply = await driver.send('PollGroup', { payload: { groupUID, uids: [] } });
    expect(reply.statusCode).toBe(400);
  });
});

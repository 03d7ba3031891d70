import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Behind, Command } from '@headrace/contract/commands';
import { commandTypes } from '@headrace/contract/command-types';
import { levels, presets } from '@headrace/contract/permissions';
import { buildAccount, buildShare } from '../../testing/factories.ts';
import { buildGroup, buildScheduleSet } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { eventually } from './testing/eventually.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** Of two who send to the same farm, the later is told whose command goes first. */
let kit: CommandsKit;
let driver: FarmDriver;
let sam: Record<string, string>;
let north: string;
let south: string;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
/** Twenty sprinklers in the north and ten in the south behind one gateway, which is given ten at a time: each takes 12 s. */
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  const { db } = kit.server.database;
  driver = await kit.farm({ units: 30, secondsEach: 12 });
  north = await buildGroup(db, driver.farm.id, 'North', driver.units.slice(0, 20));
  south = await buildGroup(db, driver.farm.id, 'South', driver.units.slice(20));
  const other = await buildAccount(db, { name: 'Sam Second' });
  await buildShare(db, driver.farm.id, other.id, presets.farmManager);
  sam = await kit.server.signIn(other);
});

const poll = (groupUID: string) => driver.command('PollGroup', { payload: { groupUID } });
const behind = async (uid: string): Promise<Behind | null> => (await driver.detail(uid)).command.behind;
/** To what comes under way: what waits for nothing is with the gateway at once. */
const comms = async (groupUID: string, headers = sam) => {
  const payload = { groupUID, commsMode: 0 };
  const reply = await driver.send('ChangeGroupComms', { payload }, headers);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<{ commandId: string; behind?: Behind }>();
};
/** The next units answer the poll, under the id that each went out with. */
async function answer(uid: string, count: number, from = 0): Promise<void> {
  for (const { mac } of driver.units.slice(from, from + count)) {
    kit.pass(0.2);
    const sent = driver.messages('cmd').find(({ body }) => {
      const { macs = [] } = body['payload'] as { macs?: (string | null)[] };
      return String(body['cmdId']).startsWith(uid) && macs.includes(mac);
    });
    await driver.answers(String(sent?.body['cmdId']), 'done', { mac: mac ?? '' });
  }
}

describe('a send to sprinklers that another one is on its way to', () => {
  it('says for whose it waits, and how far that is, to its sender and in the log', async () => {
    const first = await poll(north);
    const { commandId, behind: told } = await comms(north);
    const waits = {
      commands: [
        {
          _id: first,
          title: 'Poll Group',
          name: 'North',
          sentBy: 'Olive Owner',
          isAutomatic: false,
          total: 20,
          done: 0,
          failed: 0,
          hadIt: 0,
          leftOut: 0,
          units: 20,
        },
      ],
      more: 0,
      of: 20,
    };
    expect(told).toEqual(waits);
    const { command } = await driver.detail(commandId);
    expect(command.behind).toEqual(waits);
    expect(command.message).toBe('Change Comms Mode: waiting for another command.');
    await answer(first, 3);
    expect((await behind(commandId))?.commands).toMatchObject([{ done: 3, units: 20 }]);
    const log = await kit.server.call('GET /commands', { headers: sam, query: { farmUID: driver.farm.uid } });
    const { commands } = log.json<{ commands: Command[] }>();
    expect(commands.map(({ behind: one }) => one?.commands.map(({ done }) => done) ?? null)).toEqual([
      [3],
      null,
    ]);
  });

  it('says nothing of what others sent to who may send and not read commands', async () => {
    const first = await poll(north);
    const sender = await buildAccount(kit.server.database.db);
    const rights = { ...presets.none, farms: levels.Read, irrigationDevices: levels.Edit };
    await buildShare(kit.server.database.db, driver.farm.id, sender.id, rights);
    const headers = await kit.server.signIn(sender);
    const plan = await kit.server.call('POST /commands/plan', {
      headers,
      body: {
        farmUID: driver.farm.uid,
        type: commandTypes.ChangeGroupComms,
        payload: { groupUID: north, commsMode: 0 },
      },
    });
    expect(plan.json()).toMatchObject({ ahead: ['what was sent before'], gateways: [{ ahead: 20 }] });
    const { commandId, behind: told } = await comms(north, headers);
    expect(told).toBeUndefined();
    expect((await behind(commandId))?.commands).toMatchObject([{ _id: first }]);
  });

  it('waits no more once that has ended, and is told so', async () => {
    const first = await poll(north);
    const { commandId } = await comms(north);
    await kit.server.call('POST /commands/cancel', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, commandId: first, type: commandTypes.PollGroup },
    });
    expect((await behind(commandId))?.commands).toMatchObject([{ units: 20 }]);
    await answer(first, 10);
    await driver.reaches(commandId, 'sent');
    expect(await behind(commandId)).toBeNull();
    const news = () =>
      kit.events.flatMap(({ frame }) =>
        frame.type === 'command_update' && frame.data._id === commandId ? [frame.data.behind] : [],
      );
    expect(news()[0]?.commands).toHaveLength(1);
    await eventually(() => news().at(-1) === null);
  });

  it('by a poll of one waits for none, and is waited for by one unit of the other', async () => {
    const first = await poll(north);
    const last = driver.units[19];
    const one = await driver.send('Poll', { mac: last?.mac }, sam);
    expect(one.json()).not.toHaveProperty('behind');
    const { commandId } = one.json<{ commandId: string }>();
    expect(await behind(first)).toMatchObject({
      commands: [{ _id: commandId, name: last?.name, sentBy: 'Sam Second', total: 1, units: 1 }],
      of: 20,
    });
    expect((await driver.detail(first)).command.state).toBe('sent');
  });

  it('with newer schedules replaces it, and waits for nothing', async () => {
    const { db } = kit.server.database;
    const units = driver.units.slice(0, 20);
    const setUID = await buildScheduleSet(db, driver.farm.id, units, [{ start: 60, duration: 45, cycle: 1 }]);
    await driver.command('SendScheduleSet', { payload: { setUID } });
    const plan = await kit.server.call('POST /commands/plan', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, type: commandTypes.SendScheduleSet, payload: { setUID } },
    });
    expect(plan.json()).toMatchObject({ ahead: [] });
    const newer = await driver.queue('SendScheduleSet', { payload: { setUID } });
    expect(await behind(newer)).toBeNull();
  });
});

describe('a send to other sprinklers of a gateway', () => {
  it('waits until all of the earlier one have gone out, and no longer', async () => {
    const first = await poll(north);
    const { commandId, behind: told } = await comms(south);
    expect(told).toMatchObject({ commands: [{ _id: first, units: 10 }], of: 10 });
    // Five of the twenty are still to go out.
    await answer(first, 5);
    await eventually(async () => (await driver.detail(first)).unitStates.queued === 5);
    expect(await behind(commandId)).toMatchObject({ commands: [{ _id: first, done: 5, units: 10 }] });
    await answer(first, 5, 5);
    await eventually(async () => (await driver.detail(first)).unitStates.queued === undefined);
    // With half of the gateway's ten free its own turn has come, though the other one goes on.
    await answer(first, 5, 10);
    await driver.reaches(commandId, 'sent');
    expect(await behind(commandId)).toBeNull();
  });

  it('waits for nothing where the gateway has room for both', async () => {
    const few = await buildGroup(kit.server.database.db, driver.farm.id, 'Few', driver.units.slice(0, 3));
    await poll(few);
    const { commandId, behind: told } = await comms(south);
    expect(told).toBeUndefined();
    await driver.reaches(commandId, 'sent');
    expect(await behind(commandId)).toBeNull();
  });
});

it('what is planned says whose is ahead of it', async () => {
  await poll(north);
  const reply = await kit.server.call('POST /commands/plan', {
    headers: sam,
    body: {
      farmUID: driver.farm.uid,
      type: commandTypes.ChangeGroupComms,
      payload: { groupUID: south, commsMode: 0 },
    },
  });
  expect(reply.json()).toMatchObject({ ahead: ['Poll Group, North, sent by Olive Owner: 20 sprinklers'] });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setGatewayOnline } from '../../testing/factories.ts';
import { buildGroup } from '../../testing/irrigation-factories.ts';
import { cancelQueued } from './cancel.ts';
import { createDeliver } from './deliver.ts';
import { createDeliverRepo } from './deliver.repo.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { eventually, pause } from './testing/eventually.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** What goes out when: order, hellos, crashes, several servers. */
let kit: CommandsKit;
let driver: FarmDriver;
const take = async () => {};
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm({ units: 3 });
});
afterEach(() => {
  kit.broker.take = take;
});

const mac = (index: number) => driver.units[index]?.mac ?? '';
const to = (index: number, more: object = {}) => ({ mac: mac(index), ...more });
const sentIds = () => driver.messages('cmd').map(({ body }) => body['cmdId']);
const refuse = async () => {
  throw new Error('the broker is away');
};
const setOnline = (online: boolean) =>
  kit.server.database.db
    .updateTable('gateway_state')
    .set({ online })
    .where('device_id', '=', driver.gateway.id)
    .execute();

describe('a device has one command at a time', () => {
  for (const end of ['done', 'failed'] as const)
    it(`the next goes out when the one before is ${end}; another device is not held up`, async () => {
      const first = await driver.command('Poll', to(0));
      const second = await driver.queue('IpcReconfigure', to(0));
      const other = await driver.command('Poll', to(1));
      expect(sentIds()).toEqual([first, other]);
      await driver.answers(first, 'accepted');
      await kit.tick();
      expect(sentIds()).toEqual([first, other]);
      await driver.answers(first, end);
      await driver.reaches(second, 'sent');
      expect(sentIds()).toEqual([first, other, second]);
    });

  it('the next goes out when the one before has run out of time', async () => {
    const first = await driver.command('Poll', to(0));
    kit.pass(5);
    const second = await driver.queue('IpcReconfigure', to(0));
    kit.pass(5);
    await kit.tick();
    await driver.reaches(first, 'expired');
    await driver.reaches(second, 'sent');
  });

  it('the next goes out when the one before was cancelled', async () => {
    await setOnline(false);
    const { db } = kit.server.database;
    await setGatewayOnline(db, driver.gateway, kit.clock.now);
    const first = await driver.command('Poll', to(0));
    const second = await driver.queue('IpcReconfigure', to(0));
    const third = await driver.queue('IpcUpdate', { ...to(0), payload: { name: 'Mode', value: 'Mesh' } });
    const cancelled = await kit.server.call('POST /commands/cancel', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, commandId: second, type: 25 },
    });
    expect(cancelled.json()).toEqual({ cancelled: 1 });
    await driver.answers(first, 'done');
    await driver.reaches(third, 'sent');
    expect(sentIds()).toEqual([first, third]);
  });

  it('a unit of a group that is busy gets its part later under an id of its own, and answers by it', async () => {
    const group = await buildGroup(kit.server.database.db, driver.farm.id, 'North', driver.units);
    const poll = await driver.command('Poll', to(1));
    const uid = await driver.command('ReconfigureGroup', { payload: { groupUID: group } });
    await driver.answers(uid, 'done', to(0));
    await driver.answers(poll, 'done');
    await eventually(() => driver.messages('cmd').length === 3);
    expect(driver.messages('cmd').map(({ body }) => [body['cmdId'], body['payload']])).toEqual([
      [poll, {}],
      [uid, { macs: [mac(0), mac(2)] }],
      [`${uid}-2`, { macs: [mac(1)] }],
    ]);
    await driver.answers(uid, 'done', to(2));
    await driver.answers(`${uid}-2`, 'done', to(1));
    expect((await driver.detail(uid)).command).toMatchObject({ state: 'done', done: 3 });
  });
});

describe('after a hello', () => {
  it('what is unanswered and in time is sent again under the same id, what is done is not', async () => {
    const done = await driver.command('Poll', to(0));
    const open = await driver.command('Poll', to(1));
    await driver.answers(done, 'done');
    kit.pass(1);
    await driver.hello();
    await eventually(() => driver.messages('cmd').length === 3);
    expect(sentIds()).toEqual([done, open, open]);
    const { command, steps } = await eventually(async () => {
      const found = await driver.detail(open);
      return found.steps.some(({ note }) => note !== '') && found;
    });
    expect(command.state).toBe('sent');
    expect(steps.at(-1)).toEqual({
      at: '2026-11-20T21:01:00.000Z',
      state: 'sent',
      name: null,
      note: 'Sent again: it had not been answered.',
    });
  });

  it('only the unanswered units of a group are named', async () => {
    const group = await buildGroup(kit.server.database.db, driver.farm.id, 'North', driver.units);
    const uid = await driver.command('PollGroup', { payload: { groupUID: group } });
    await driver.answers(uid, 'done', to(1));
    await driver.hello();
    await eventually(() => driver.messages('cmd').length === 2);
    expect(driver.messages('cmd').at(-1)?.body).toMatchObject({
      cmdId: uid,
      payload: { macs: [mac(0), mac(2)] },
    });
  });

  it('nothing is sent that is past its time', async () => {
    const uid = await driver.command('Poll', to(0));
    kit.pass(10);
    await driver.hello();
    await pause();
    expect(sentIds()).toEqual([uid]);
  });

  it('what could not be sent again then is sent by the clock', async () => {
    const uid = await driver.command('Poll', to(0));
    kit.broker.take = refuse;
    const before = kit.problems.length;
    await driver.hello();
    await eventually(() => kit.problems.length > before);
    kit.broker.take = take;
    await kit.tick();
    await eventually(() => sentIds().length === 2);
    await kit.tick();
    await pause();
    expect(sentIds()).toEqual([uid, uid]);
  });
});

describe('when something breaks', () => {
  it('what is cancelled while it is being read is not sent', async () => {
    const { pool } = kit.server.database;
    kit.broker.take = refuse;
    const before = kit.problems.length;
    const uid = await driver.queue('Poll', to(0));
    await eventually(() => kit.problems.length > before);
    await pause();
    await pool.query('update command_unit set cmd_id = null, sending = 0 where device_id = $1', [
      driver.units[0]?.id,
    ]);
    const repo = createDeliverRepo(pool);
    const taken: string[] = [];
    const { run } = createDeliver({
      repo: {
        ...repo,
        async due(key, now) {
          const units = await repo.due(key, now);
          for (const unit of units) await cancelQueued(pool, unit, driver.owner.id, kit.clock.now);
          return units;
        },
      },
      publish: async (topic) => void taken.push(topic),
      now: () => kit.clock.now,
      onChanged: () => {},
      log: { warn: () => {} },
    });
    await run({ farmId: driver.farm.id, gatewayId: driver.gateway.id });
    expect(taken).toEqual([]);
    expect((await driver.detail(uid)).command.state).toBe('cancelled');
  });

  it('a broker that refuses leaves the command waiting, and the clock sends it under the same id', async () => {
    kit.broker.take = refuse;
    const uid = await driver.queue('Poll', to(0));
    await eventually(async () => (await cmdIdOf(uid)) === uid);
    await pause();
    expect((await driver.detail(uid)).command.state).toBe('queued');
    expect((await driver.detail(uid)).steps).toHaveLength(1);
    kit.broker.take = take;
    await kit.tick();
    await driver.reaches(uid, 'sent');
    expect(sentIds()).toEqual([uid]);
  });

  it('a message that was published and not marked is sent again under the same id', async () => {
    const uid = await driver.command('Poll', to(0));
    const { pool } = kit.server.database;
    // As a server leaves it that dies between the two.
    await pool.query(`update command_unit set state = 'queued' where device_id = $1`, [driver.units[0]?.id]);
    await pool.query(`update command set state = 'queued' where uid = $1`, [uid]);
    await kit.tick();
    await driver.reaches(uid, 'sent');
    expect(sentIds()).toEqual([uid, uid]);
  });

  it('two servers at once publish once', async () => {
    await setOnline(false);
    await setGatewayOnline(kit.server.database.db, driver.gateway, kit.clock.now);
    kit.broker.take = refuse;
    const before = kit.problems.length;
    const uids = [await driver.queue('Poll', to(0)), await driver.queue('Poll', to(1))];
    await eventually(() => kit.problems.length > before);
    await pause();
    kit.broker.take = async () => pause();
    const other = await kit.another();
    await Promise.all([kit.tick(), other.tick(), kit.tick(), other.tick()]);
    for (const uid of uids) await driver.reaches(uid, 'sent');
    await pause();
    expect(sentIds()).toEqual(uids);
    await other.close();
  });

  it('a server that takes over from one that died sends what is unanswered again, to gateways that are there', async () => {
    const done = await driver.command('Poll', to(0));
    const open = await driver.command('Poll', to(1));
    await driver.answers(done, 'done');
    const other = await kit.another();
    await setOnline(false);
    await other.commands.takeOver();
    expect(sentIds()).toEqual([done, open]);
    await setOnline(true);
    await other.commands.takeOver();
    expect(sentIds()).toEqual([done, open, open]);
    await other.close();
  });

  it('many gateways that come back at once are all sent to, whatever the pool has', async () => {
    const farms = await Promise.all(Array.from({ length: 16 }, () => kit.farm()));
    const uids: string[] = [];
    for (const each of farms) uids.push(await each.command('Poll'));
    kit.broker.take = async () => pause();
    await Promise.all(
      farms.map(({ farm, gateway }) => kit.server.commands.hello({ farmId: farm.id, gatewayId: gateway.id })),
    );
    for (const [index, each] of farms.entries())
      expect(each.messages('cmd').map(({ body }) => body['cmdId'])).toEqual([uids[index], uids[index]]);
  });
});

async function cmdIdOf(uid: string): Promise<string | null> {
  const { rows } = await kit.server.database.pool.query<{ cmd_id: string | null }>(
    `select u.cmd_id from command_unit u join command c on c.id = u.command_id where c.uid = $1`,
    [uid],
  );
  return rows[0]?.cmd_id ?? null;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { Command } from '@headrace/contract/commands';
import type { PaddockHold } from '@headrace/contract/paddock-holds';
import type { DeviceRow } from '../../db/schema.ts';
import { buildGroup, buildWanted } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';
import { lockStops } from '../programmes/stop-writer.ts';
import { createHoldsRepo } from './holds.repo.ts';
import { createHoldsService } from './holds.service.ts';

/** "Cows in until Thu 06:00": stopped at the tap, and let water again at its end. */
let kit: CommandsKit;
let driver: FarmDriver;
let north: string;
const entries = [{ start: 60, duration: 45, cycle: 1 }];
const HOUR = 60;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm({ units: 3 });
  const { db } = kit.server.database;
  north = await buildGroup(db, driver.farm.id, 'North', [unit(0), unit(1)]);
  await buildWanted(db, driver.farm.id, driver.units, entries);
  for (const each of driver.units) await driver.reportsSchedule(each, { ipcCrc: crc });
});
/** Of the one watering above. */
const crc = '5D:63';

const unit = (index: number): DeviceRow => driver.units[index]!;
const uids = (...which: number[]) => which.map((index) => unit(index).uid);
const hours = (count: number) => new Date(kit.clock.now.getTime() + count * 3_600_000).toISOString();
const call = (key: string, body: object) =>
  kit.server.call(key, { headers: driver.headers, body: { farmUID: driver.farm.uid, ...body } });
async function queueHold(until: string, more: object = { groupUID: north }): Promise<PaddockHold> {
  const reply = await call('POST /paddock-hold', { until, reason: 'Cows in', ...more });
  if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${reply.body}`);
  return reply.json<PaddockHold>();
}
async function hold(until: string, more?: object): Promise<PaddockHold> {
  const made = await queueHold(until, more);
  await kit.server.commands.done();
  return made;
}
const holds = async (query: object = {}) =>
  (
    await kit.server.call('GET /paddock-holds', {
      headers: driver.headers,
      query: { farmUID: driver.farm.uid, ...query },
    })
  ).json<{ holds: PaddockHold[] }>().holds;
const log = async () =>
  (
    await kit.server.call('GET /commands', { headers: driver.headers, query: { farmUID: driver.farm.uid } })
  ).json<{ commands: Command[] }>().commands;
const uninhibits = async () => (await log()).filter(({ type }) => type === commandTypes.UninhibitGroup);
/** Whom the newest command of a kind went to. */
const macsOf = (type: number) =>
  (
    driver.messages('cmd').findLast(({ body }) => body['type'] === type)?.body['payload'] as {
      macs?: string[];
    }
  )?.macs;
const macs = (...which: number[]) => which.map((index) => unit(index).mac);
async function takes(commandId: string, ...which: number[]): Promise<void> {
  for (const index of which) {
    await driver.answers(commandId, 'done', { mac: unit(index).mac ?? '' });
    kit.pass(0.1);
    await driver.reportsSchedule(unit(index), { ipcCrc: 'D6:DA' });
  }
}
/** While another server sends to the gateway, nothing goes out here. */
async function whileBusy(work: () => Promise<void>): Promise<void> {
  const busy = await kit.server.database.pool.connect();
  await busy.query("select pg_advisory_lock(hashtext('headrace deliver'), $1)", [driver.gateway.id]);
  try {
    await work();
  } finally {
    await busy.query('select pg_advisory_unlock_all()');
    busy.release();
  }
}
async function cancel(commandId: string, name: 'Inhibit' | 'InhibitGroup'): Promise<void> {
  const reply = await call('POST /commands/cancel', { commandId, type: commandTypes[name] });
  if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${reply.body}`);
}
/** Who must not water. */
const stops = () =>
  kit.server.database.db
    .selectFrom('unit_stop')
    .select(['device_id as deviceId', 'kind'])
    .where('farm_id', '=', driver.farm.id)
    .where('lifted_by', 'is', null)
    .orderBy('device_id')
    .execute();
/** Minutes by the clock, and what its server does every ten seconds. */
async function pass(minutes: number): Promise<void> {
  kit.pass(minutes);
  await kit.server.runJob('paddock holds');
  await kit.server.commands.done();
}

describe('a paddock hold', () => {
  it('stops the group at once, says how many are stopped, and lets them water again at its end', async () => {
    const { uid, ...added } = await hold(hours(22));
    expect(added).toMatchObject({
      name: 'North',
      groupUID: north,
      reason: 'Cows in',
      by: 'Olive Owner',
      until: '2026-11-21T19:00:00.000Z',
      endedAt: null,
      total: 2,
      stopped: 0,
      units: uids(0, 1),
    });
    expect(macsOf(commandTypes.InhibitGroup)).toEqual(macs(0, 1));
    await takes(added.commandId, 0);
    expect(await holds()).toMatchObject([{ uid, total: 2, stopped: 1 }]);
    await takes(added.commandId, 1);
    expect(await holds()).toMatchObject([{ stopped: 2 }]);
    await pass(21 * HOUR);
    expect(await uninhibits()).toEqual([]);
    await pass(HOUR);
    expect(macsOf(commandTypes.UninhibitGroup)).toEqual(macs(0, 1));
    expect(await uninhibits()).toMatchObject([{ isAutomatic: true, name: '2 sprinklers' }]);
    expect(await holds()).toEqual([]);
    expect(await holds({ from: '2026-11-21T00:00:00Z', to: '2026-11-23T00:00:00Z' })).toMatchObject([
      { uid, stillStopped: [], isMissed: false },
    ]);
  });

  it('leaves inhibited who a hand inhibited before or during it', async () => {
    await takes(await driver.command('Inhibit', { mac: unit(0).mac }), 0);
    const { commandId } = await hold(hours(2), { groupUID: 'FARM' });
    await takes(commandId, 0, 1, 2);
    await takes(await driver.command('Inhibit', { mac: unit(1).mac }), 1);
    await pass(2 * HOUR);
    expect(macsOf(commandTypes.UninhibitGroup)).toEqual(macs(2));
  });

  it('is still there after a hand took its own Inhibit back before it went out', async () => {
    const { commandId } = await hold(hours(2));
    await takes(commandId, 0, 1);
    // While another server sends to the gateway, nothing goes out here.
    const busy = await kit.server.database.pool.connect();
    await busy.query("select pg_advisory_lock(hashtext('headrace deliver'), $1)", [driver.gateway.id]);
    const uid = await driver.queue('Inhibit', { mac: unit(0).mac });
    const reply = await call('POST /commands/cancel', { commandId: uid, type: commandTypes.Inhibit });
    expect(reply.json()).toEqual({ cancelled: 1 });
    await busy.query('select pg_advisory_unlock_all()');
    busy.release();
    await pass(2 * HOUR);
    expect(macsOf(commandTypes.UninhibitGroup)).toEqual(macs(0, 1));
  });

  it('leaves inhibited whom a hand inhibited, though a second Inhibit of his was taken back', async () => {
    const { commandId } = await hold(hours(2));
    await takes(commandId, 0, 1);
    await takes(await driver.command('Inhibit', { mac: unit(0).mac }), 0);
    await whileBusy(async () => cancel(await driver.queue('Inhibit', { mac: unit(0).mac }), 'Inhibit'));
    await pass(2 * HOUR);
    expect(macsOf(commandTypes.UninhibitGroup)).toEqual(macs(1));
  });

  it('keeps what it stops where a hand took back the Inhibit that replaced its own', async () => {
    await whileBusy(async () => {
      await queueHold(hours(2));
      await cancel(await driver.queue('Inhibit', { mac: unit(0).mac }), 'Inhibit');
    });
    expect(await stops()).toEqual([
      { deviceId: unit(0).id, kind: 'hold' },
      { deviceId: unit(1).id, kind: 'hold' },
    ]);
    await pass(2 * HOUR);
    expect(macsOf(commandTypes.UninhibitGroup)).toEqual(macs(0, 1));
  });

  it('keeps what it stops where a hold that replaced its Inhibit was taken back, which is over', async () => {
    await whileBusy(async () => {
      const first = await queueHold(hours(2));
      const second = await queueHold(hours(4));
      await cancel(second.commandId, 'InhibitGroup');
      expect(await holds({ from: hours(-1), to: hours(5) })).toMatchObject([
        { uid: second.uid, endedAt: kit.clock.now.toISOString() },
        { uid: first.uid, endedAt: null },
      ]);
    });
    expect(await stops()).toHaveLength(2);
    await pass(2 * HOUR);
    expect(macsOf(commandTypes.UninhibitGroup)).toEqual(macs(0, 1));
  });

  it('lets nobody water whom a hand or another hold stopped while it ended', async () => {
    const { commandId } = await hold(hours(0.05), { groupUID: 'FARM' });
    await takes(commandId, 0, 1, 2);
    kit.pass(3);
    const { db } = kit.server.database;
    const repo = createHoldsRepo(db);
    const due = (await repo.due(kit.clock.now)).filter(({ farmId }) => farmId === driver.farm.id);
    const service = createHoldsService(
      {
        ...repo,
        due: async () => due,
        unreleased: async () => [],
        // Between the end and what it sends.
        async end(...ended) {
          const left = await repo.end(...ended);
          await driver.command('Inhibit', { mac: unit(0).mac });
          await hold(hours(2), { uids: uids(1) });
          return left;
        },
      },
      kit.server.commands.service,
    );
    await service.endDue(kit.clock.now);
    await kit.server.commands.done();
    expect(macsOf(commandTypes.UninhibitGroup)).toEqual(macs(2));
  });

  it('whose end takes several commands tells by sprinkler what each did, and asks for whoever took none', async () => {
    const { db } = kit.server.database;
    const { uid, commandId } = await hold(hours(2), { groupUID: 'FARM' });
    await takes(commandId, 0, 1, 2);
    // Two are to water by something else by now: by a schedule of their own length of cycle each. The third is uninhibited.
    await buildWanted(db, driver.farm.id, [unit(0)], [{ start: 90, duration: 20, cycle: 1 }]);
    await buildWanted(db, driver.farm.id, [unit(1)], [{ start: 30, duration: 10, cycle: 2 }]);
    await pass(2 * HOUR);
    const [ended] = await holds({ from: hours(-24), to: hours(1) });
    expect(ended).toMatchObject({ stillStopped: [], end: { again: 0, waiting: 3, others: [] } });
    expect(ended?.endCommandIds).toHaveLength(3);
    await driver.answers('set-1', 'failed', { mac: unit(0).mac ?? '', error: 'no answer' });
    await driver.answers(ended?.endCommandIds[2] ?? '', 'done', { mac: unit(2).mac ?? '' });
    expect(await holds()).toMatchObject([
      {
        uid,
        stillStopped: uids(0),
        end: {
          again: 1,
          waiting: 1,
          others: [{ uid: unit(0).uid, name: 'U001', why: 'failed', note: 'The gateway says: no answer' }],
        },
      },
    ]);
    await driver.answers('set-2', 'failed', { mac: unit(1).mac ?? '', error: 'no answer' });
    expect(await holds()).toMatchObject([{ stillStopped: uids(0, 1), end: { again: 1, waiting: 0 } }]);
    // Once more by a person; one of them takes it.
    await call('POST /paddock-hold/end', { holdUID: uid });
    await kit.server.commands.done();
    const [again] = await holds({ from: hours(-24), to: hours(1) });
    expect(again?.endCommandIds).toHaveLength(5);
    expect(again).toMatchObject({ stillStopped: [], end: { again: 1, waiting: 2 } });
    await driver.answers('set-3', 'done', { mac: unit(0).mac ?? '' });
    await driver.answers('set-4', 'failed', {
      mac: unit(1).mac ?? '',
      error: 'no answer',
    });
    expect(await holds()).toMatchObject([
      { stillStopped: uids(1), end: { again: 2, others: [{ uid: unit(1).uid }] } },
    ]);
    // A late answer to the first try counts.
    await driver.answers('set-2', 'done', { mac: unit(1).mac ?? '' });
    expect(await holds()).toEqual([]);
  });

  it('asks no more for whom a hand stopped or let water since, and says which hold or hand stops the others', async () => {
    const { uid, commandId } = await hold(hours(2), { groupUID: 'FARM' });
    await takes(commandId, 0, 1, 2);
    const other = await hold(hours(5), { uids: uids(2) });
    await pass(2 * HOUR);
    const [end] = await uninhibits();
    for (const index of [0, 1])
      await driver.answers(end?._id ?? '', 'failed', { mac: unit(index).mac ?? '', error: 'no answer' });
    expect(await holds()).toMatchObject([{ uid: other.uid }, { uid, stillStopped: uids(0, 1) }]);
    kit.pass(1);
    await driver.command('Inhibit', { mac: unit(0).mac });
    const again = await driver.command('Uninhibit', { mac: unit(1).mac });
    await driver.answers(again, 'done', { mac: unit(1).mac ?? '' });
    const over = (await holds({ from: hours(-24), to: hours(1) })).find((each) => each.uid === uid);
    expect(over).toMatchObject({
      stillStopped: [],
      end: {
        again: 1,
        waiting: 0,
        others: [
          { uid: unit(0).uid, why: 'inhibited', at: kit.clock.now.toISOString() },
          { uid: unit(2).uid, why: 'held', at: other.until },
        ],
      },
    });
  });

  it('that its server died over after the first of its commands lets the others water once another looks', async () => {
    const { db } = kit.server.database;
    const { commandId } = await hold(hours(0.05), { groupUID: 'FARM' });
    await takes(commandId, 0, 1, 2);
    await buildWanted(db, driver.farm.id, [unit(0)], [{ start: 90, duration: 20, cycle: 1 }]);
    kit.pass(3);
    const repo = createHoldsRepo(db);
    const due = (await repo.due(kit.clock.now)).filter(({ farmId }) => farmId === driver.farm.id);
    let kept = 0;
    const dies = createHoldsService(
      {
        ...repo,
        due: async () => due,
        unreleased: async () => [],
        async noteEnd(...ended) {
          if ((kept += 1) > 1) throw new Error('the server died');
          await repo.noteEnd(...ended);
        },
      },
      kit.server.commands.service,
    );
    await expect(dies.endDue(kit.clock.now)).rejects.toThrow();
    await kit.server.commands.done();
    expect(await uninhibits()).toEqual([]);
    await pass(2);
    expect(macsOf(commandTypes.UninhibitGroup)).toEqual(macs(1, 2));
    expect(driver.messages('schedules')).toHaveLength(1);
  });

  it('inhibits at once whom a hand took its own Inhibit back of, which had replaced the hold’s', async () => {
    await whileBusy(async () => {
      await queueHold(hours(2));
      await cancel(await driver.queue('InhibitGroup', { payload: { groupUID: north } }), 'InhibitGroup');
    });
    await kit.server.commands.done();
    await kit.tick();
    expect(macsOf(commandTypes.InhibitGroup)).toEqual(macs(0, 1));
    expect((await log())[0]).toMatchObject({ isAutomatic: true, name: '2 sprinklers', state: 'sent' });
    await kit.tick();
    expect((await log()).filter(({ type }) => type === commandTypes.InhibitGroup)).toHaveLength(3);
  });

  it('of two that are ended at once lets water what both stopped', async () => {
    await takes((await hold(hours(2))).commandId, 0, 1);
    await takes((await hold(hours(2))).commandId, 0, 1);
    const { db } = kit.server.database;
    const repo = createHoldsRepo(db);
    kit.pass(2 * HOUR);
    const due = await repo.due(kit.clock.now);
    const [first, second] = due.filter(({ farmId }) => farmId === driver.farm.id);
    // Another server's end, not yet committed.
    const other = await kit.server.database.pool.connect();
    await other.query('begin');
    await lockStops(other, driver.farm.id);
    await other.query('update paddock_hold set ended_at = $2 where id = $1', [first?.id, kit.clock.now]);
    const waits = repo.end(second!, { at: kit.clock.now, isMissed: false });
    await sleep(200);
    await other.query('commit');
    other.release();
    expect(await waits).toEqual(uids(0, 1));
  });

  it('of two that overlap lets nobody water before the last is over', async () => {
    const first = await hold(hours(2), { groupUID: 'FARM' });
    await takes(first.commandId, 0, 1, 2);
    const second = await hold(hours(4));
    await takes(second.commandId, 0, 1);
    await pass(2 * HOUR);
    expect(macsOf(commandTypes.UninhibitGroup)).toEqual(macs(2));
    await pass(2 * HOUR);
    expect(macsOf(commandTypes.UninhibitGroup)).toEqual(macs(0, 1));
  });

  it('that is made longer ends later, and one that is ended ends now', async () => {
    const { uid, commandId } = await hold(hours(2));
    await takes(commandId, 0, 1);
    expect((await call('PUT /paddock-hold', { holdUID: uid, until: hours(5) })).json()).toMatchObject({
      until: '2026-11-21T02:00:12.000Z',
    });
    await pass(3 * HOUR);
    expect(await uninhibits()).toEqual([]);
    const ended = (await call('POST /paddock-hold/end', { holdUID: uid })).json<PaddockHold>();
    expect(ended).toMatchObject({ isMissed: false, stillStopped: [] });
    expect(await uninhibits()).toMatchObject([{ isAutomatic: false, sentBy: 'Olive Owner' }]);
    expect((await call('POST /paddock-hold/end', { holdUID: uid })).statusCode).toBe(409);
    expect((await call('PUT /paddock-hold', { holdUID: uid, until: hours(9) })).statusCode).toBe(409);
  });

  it('whose end nobody could carry out within an hour stays stopped, and asks', async () => {
    const { uid, commandId } = await hold(hours(2));
    await takes(commandId, 0, 1);
    await pass(3 * HOUR + 1);
    expect(await uninhibits()).toEqual([]);
    expect(await holds()).toMatchObject([{ uid, isMissed: true, stillStopped: uids(0, 1) }]);
    await call('POST /paddock-hold/end', { holdUID: uid });
    await kit.server.commands.done();
    expect(macsOf(commandTypes.UninhibitGroup)).toEqual(macs(0, 1));
    expect(await holds()).toEqual([]);
  });

  it('asks for those that did not take its end', async () => {
    const { uid, commandId } = await hold(hours(2));
    await takes(commandId, 0, 1);
    await pass(2 * HOUR);
    const [end] = await uninhibits();
    await driver.answers(end?._id ?? '', 'done', { mac: unit(0).mac ?? '' });
    await driver.answers(end?._id ?? '', 'failed', { mac: unit(1).mac ?? '', error: 'no answer' });
    expect(await holds()).toMatchObject([{ uid, isMissed: false, stillStopped: uids(1) }]);
    await call('POST /paddock-hold/end', { holdUID: uid });
    await kit.server.commands.done();
    expect(macsOf(commandTypes.UninhibitGroup)).toEqual(macs(1));
  });

  it('sends what is wanted by now at its end where another set was sent meanwhile, and nothing of it before', async () => {
    const { commandId } = await hold(hours(2));
    await takes(commandId, 0, 1);
    const { db } = kit.server.database;
    await buildWanted(db, driver.farm.id, driver.units, [{ start: 90, duration: 20, cycle: 1 }]);
    await pass(2 * HOUR);
    expect(
      driver
        .messages('schedules')
        .map(({ body }) => (body['units'] as { mac: string }[]).map(({ mac }) => mac)),
    ).toEqual([macs(0, 1)]);
  });

  it('that can’t be ended holds up no other', async () => {
    const { db } = kit.server.database;
    await takes((await hold(hours(0.05), { uids: uids(0) })).commandId, 0);
    await takes((await hold(hours(0.1), { uids: uids(1) })).commandId, 1);
    kit.pass(10);
    const repo = createHoldsRepo(db);
    const due = (await repo.due(kit.clock.now)).filter(({ farmId }) => farmId === driver.farm.id);
    const fails = createHoldsService(
      {
        ...repo,
        due: async () => due,
        unreleased: async () => [],
        async end(which, how) {
          if (which.id === due[0]?.id) throw new Error('this one alone');
          return repo.end(which, how);
        },
      },
      kit.server.commands.service,
    );
    await expect(fails.endDue(kit.clock.now)).rejects.toThrow('Not all paddock holds could be ended');
    await kit.server.commands.done();
    expect(macsOf(commandTypes.UninhibitGroup)).toEqual(macs(1));
    await pass(1);
    expect(macsOf(commandTypes.UninhibitGroup)).toEqual(macs(0));
  });

  it('that its server died over lets its sprinklers water once another looks', async () => {
    const { commandId, uid } = await hold(hours(2));
    await takes(commandId, 0, 1);
    kit.pass(2 * HOUR);
    // It had noted the end and died before it could send anything.
    await kit.server.database.db
      .updateTable('paddock_hold')
      .set({ ended_at: kit.clock.now })
      .where('uid', '=', uid)
      .execute();
    await pass(5);
    expect(macsOf(commandTypes.UninhibitGroup)).toEqual(macs(0, 1));
  });

  it('refuses what is over, too long, or another farm’s', async () => {
    const add = (body: object) => call('POST /paddock-hold', { groupUID: north, ...body });
    expect((await add({ until: hours(-1) })).json()).toMatchObject({
      errorMessage: 'until: this time is over. Please choose a later one.',
    });
    expect((await add({ until: hours(91 * 24) })).json()).toMatchObject({
      errorMessage: 'until: a hold lasts 90 days at most.',
    });
    const other = await kit.farm();
    const { uid } = await hold(hours(2));
    const reply = await kit.server.call('POST /paddock-hold/end', {
      headers: other.headers,
      body: { farmUID: other.farm.uid, holdUID: uid },
    });
    expect(reply.statusCode).toBe(404);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandName, commandTypes } from '@headrace/contract/command-types';
import type { Api } from '@headrace/contract/api';
import { presets } from '@headrace/contract/permissions';
import type { DeviceRow } from '../../db/schema.ts';
import { buildAccount, buildShare } from '../../testing/factories.ts';
import { buildWanted } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { eventually } from './testing/eventually.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** An Inhibit that was not meant. */
let kit: CommandsKit;
let driver: FarmDriver;
const entries = [{ start: 60, duration: 45, cycle: 1 }];
/** Of the one watering above. */
const crc = '5D:63';
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm({ units: 3 });
  await buildWanted(kit.server.database.db, driver.farm.id, driver.units, entries);
  for (const each of driver.units) await driver.reportsSchedule(each, { ipcCrc: crc });
});

const unit = (index: number): DeviceRow => driver.units[index]!;
const mac = (index: number) => unit(index).mac ?? '';
const post = (key: string, body: object, headers = driver.headers) =>
  kit.server.call(key, { headers, body: { farmUID: driver.farm.uid, ...body } });
const undo = (commandId: string, name: CommandName = 'InhibitGroup', headers?: Record<string, string>) =>
  post('POST /commands/undo', { commandId, type: commandTypes[name] }, headers);
type Undone = Api['POST /commands/undo']['reply'];
async function undone(...asked: Parameters<typeof undo>): Promise<Undone> {
  const reply = await undo(...asked);
  expect(reply.statusCode, reply.body).toBe(200);
  await kit.server.commands.done();
  return reply.json();
}
async function inhibits(commandId: string, ...which: number[]): Promise<void> {
  for (const index of which) {
    await driver.answers(commandId, 'done', { mac: mac(index) });
    kit.pass(0.1);
    await driver.reportsSchedule(unit(index), { ipcCrc: 'D6:DA' });
  }
}
const inhibitAll = () => driver.command('InhibitGroup', { payload: { groupUID: 'FARM' } });
const uninhibited = () =>
  (
    driver.messages('cmd').findLast(({ body }) => body['type'] === commandTypes.UninhibitGroup)?.body[
      'payload'
    ] as { macs: string[] } | undefined
  )?.macs;
const stopped = async () =>
  (
    await kit.server.database.db
      .selectFrom('unit_stop')
      .select('device_id')
      .where('farm_id', '=', driver.farm.id)
      .where('lifted_by', 'is', null)
      .orderBy('device_id')
      .execute()
  ).map(({ device_id }) => device_id);

describe('an Inhibit that is undone', () => {
  it('uninhibits those that it stopped, and says by which command', async () => {
    const uid = await inhibitAll();
    await inhibits(uid, 0, 1);
    const reply = await undone(uid);
    expect(reply).toMatchObject({ cancelled: 0, uninhibited: 3, asBefore: 0, stayInhibited: 0 });
    expect(uninhibited()).toEqual([mac(0), mac(1), mac(2)]);
    expect((await driver.detail(reply.commandId ?? '')).steps[0]?.note).toBe(
      'Undone: the Inhibit before it was not meant.',
    );
    expect(await stopped()).toEqual([]);
    for (const index of [0, 1, 2]) {
      await driver.answers(reply.commandId ?? '', 'done', { mac: mac(index) });
      await driver.reportsSchedule(unit(index), { ipcCrc: crc });
    }
    expect((await undo(uid)).json()).toMatchObject({
      errorMessage: 'Nothing of this Inhibit is left to undo: no sprinkler is inhibited any more.',
    });
  });

  it('leaves those inhibited that were before it, by a hand, a hold or their own word', async () => {
    await inhibits(await driver.command('Inhibit', { mac: mac(0) }), 0);
    kit.pass(1);
    await driver.reportsSchedule(unit(2), { ipcCrc: 'D6:DA' });
    const until = new Date(kit.clock.now.getTime() + 7_200_000).toISOString();
    const hold = (await post('POST /paddock-hold', { uids: [unit(1).uid], until })).json<{
      commandId: string;
    }>();
    await kit.server.commands.done();
    await inhibits(hold.commandId, 1);
    kit.pass(1);
    const uid = await inhibitAll();
    await inhibits(uid, 0, 1, 2);
    expect(await undone(uid)).toEqual({
      cancelled: 0,
      uninhibited: 0,
      away: 0,
      commandId: null,
      asBefore: 3,
      stayInhibited: 3,
    });
    expect(uninhibited()).toBeUndefined();
    expect(await stopped()).toEqual([unit(0).id, unit(1).id]);
    // The hold's stop is the hold's again: its end lets it water.
    kit.pass(120);
    await kit.server.runJob('paddock holds');
    await kit.server.commands.done();
    expect(uninhibited()).toEqual([mac(1)]);
  });

  describe('after which somebody else inhibited one of its sprinklers', () => {
    let colleague: Record<string, string>;
    const inhibitToo = () => driver.send('Inhibit', { mac: mac(1) }, colleague);
    beforeEach(async () => {
      const account = await buildAccount(kit.server.database.db, { type: 'AGENT' });
      await buildShare(kit.server.database.db, driver.farm.id, account.id, presets.farmManager);
      colleague = await kit.server.signIn(account);
    });

    it('leaves that one inhibited, until the later one is undone too', async () => {
      const uid = await inhibitAll();
      await inhibits(uid, 0, 2);
      kit.pass(10);
      const later = (await inhibitToo()).json<{ commandId: string }>().commandId;
      await kit.server.commands.done();
      await inhibits(later, 1);
      kit.pass(10);
      expect(await undone(uid)).toMatchObject({ uninhibited: 2, asBefore: 1 });
      expect(uninhibited()).toEqual([mac(0), mac(2)]);
      expect(await stopped()).toEqual([unit(1).id]);
      expect(await undone(later, 'Inhibit', colleague)).toMatchObject({ uninhibited: 1, asBefore: 0 });
      expect(uninhibited()).toEqual([mac(1)]);
      expect(await stopped()).toEqual([]);
    });

    it('leaves it inhibited also where that came while it was being undone', async () => {
      const uid = await inhibitAll();
      await inhibits(uid, 0, 1, 2);
      const busy = await kit.server.database.pool.connect();
      const waiting = (count: number) =>
        eventually(async () => {
          const { rowCount } = await busy.query(
            `select from pg_locks where locktype = 'advisory' and not granted and objid = $1
              and classid::bigint = hashtext('headrace stops')::bigint & 4294967295`,
            [driver.farm.id],
          );
          return rowCount === count;
        });
      await busy.query("select pg_advisory_lock(hashtext('headrace stops'), $1)", [driver.farm.id]);
      const undoing = undo(uid);
      await waiting(1);
      const inhibiting = inhibitToo();
      await waiting(2);
      await busy.query('select pg_advisory_unlock_all()');
      busy.release();
      expect((await inhibiting).statusCode).toBe(200);
      expect((await undoing).statusCode).toBe(200);
      await kit.server.commands.done();
      expect(uninhibited()).toEqual([mac(0), mac(2)]);
      expect(await stopped()).toEqual([unit(1).id]);
    });
  });

  describe('that came after another Inhibit, whose word its sprinkler gave before it', () => {
    let earlier: string;
    let later: string;
    beforeEach(async () => {
      earlier = await driver.command('Inhibit', { mac: mac(0) });
      await inhibits(earlier, 0);
      kit.pass(10);
      later = await driver.command('Inhibit', { mac: mac(0) });
      await inhibits(later, 0);
      kit.pass(1);
    });
    const uninhibitedOne = () =>
      driver
        .messages('cmd')
        .some(
          ({ body }) =>
            body['type'] === commandTypes.UninhibitGroup || body['type'] === commandTypes.Uninhibit,
        );

    it('leaves it inhibited by that one, says so, and the other undone lets it water', async () => {
      expect(await undone(later, 'Inhibit')).toMatchObject({ uninhibited: 0, asBefore: 1, stayInhibited: 1 });
      expect(uninhibitedOne()).toBe(false);
      expect(await stopped()).toEqual([unit(0).id]);
      expect(await undone(earlier, 'Inhibit')).toMatchObject({ uninhibited: 1, asBefore: 0 });
      expect(uninhibited()).toEqual([mac(0)]);
      expect(await stopped()).toEqual([]);
    });

    it('lets it water where the other was undone before', async () => {
      expect(await undone(earlier, 'Inhibit')).toMatchObject({
        uninhibited: 0,
        asBefore: 1,
        stayInhibited: 1,
      });
      expect(uninhibitedOne()).toBe(false);
      expect(await undone(later, 'Inhibit')).toMatchObject({ uninhibited: 1, asBefore: 0, stayInhibited: 0 });
      expect(uninhibited()).toEqual([mac(0)]);
      expect(await stopped()).toEqual([]);
    });

    it('leaves it inhibited where it had said that before the other already', async () => {
      await driver.reportsSchedule(unit(1), { ipcCrc: 'D6:DA' });
      kit.pass(1);
      const first = await driver.command('Inhibit', { mac: mac(1) });
      kit.pass(1);
      const second = await driver.command('Inhibit', { mac: mac(1) });
      expect(await undone(first, 'Inhibit')).toMatchObject({ uninhibited: 0, stayInhibited: 1 });
      expect(await undone(second, 'Inhibit')).toMatchObject({ uninhibited: 0, stayInhibited: 1 });
      expect(await stopped()).toEqual([unit(0).id]);
    });
  });

  it('that stands over a hold which is over by now lets its sprinkler water', async () => {
    const until = new Date(kit.clock.now.getTime() + 1_800_000).toISOString();
    const { commandId } = (await post('POST /paddock-hold', { uids: [unit(1).uid], until })).json<{
      commandId: string;
    }>();
    await kit.server.commands.done();
    await inhibits(commandId, 1);
    kit.pass(5);
    const uid = await driver.command('Inhibit', { mac: mac(1) });
    await inhibits(uid, 1);
    kit.pass(30);
    await kit.server.runJob('paddock holds');
    await kit.server.commands.done();
    expect(await stopped()).toEqual([unit(1).id]);
    expect(await undone(uid, 'Inhibit')).toMatchObject({ uninhibited: 1, stayInhibited: 0 });
    expect(uninhibited()).toEqual([mac(1)]);
    expect(await stopped()).toEqual([]);
  });

  it('that waits is taken back and nothing is sent', async () => {
    const busy = await kit.server.database.pool.connect();
    await busy.query("select pg_advisory_lock(hashtext('headrace deliver'), $1)", [driver.gateway.id]);
    const uid = await driver.queue('Inhibit', { mac: mac(0) });
    expect((await undo(uid, 'Inhibit')).json()).toEqual({
      cancelled: 1,
      uninhibited: 0,
      away: 0,
      commandId: null,
      asBefore: 0,
      stayInhibited: 0,
    });
    await busy.query('select pg_advisory_unlock_all()');
    busy.release();
    expect(await stopped()).toEqual([]);
    expect(driver.messages('cmd')).toEqual([]);
  });

  it('says whose gateway is away, and what became of them', async () => {
    driver = await kit.farm({ units: 2, gateways: 2 });
    await buildWanted(kit.server.database.db, driver.farm.id, driver.units, entries);
    for (const each of driver.units) await driver.reportsSchedule(each, { ipcCrc: crc });
    const uid = await inhibitAll();
    // What was not sent yet would be taken back; here both have it.
    await kit.server.commands.done();
    const { db } = kit.server.database;
    const [, away] = driver.gateways;
    await db.updateTable('gateway_state').set({ online: false }).where('device_id', '=', away!.id).execute();
    const { commandId, ...reply } = await undone(uid);
    expect(reply).toMatchObject({ uninhibited: 2, away: 1 });
    kit.pass(11);
    await kit.tick();
    expect(
      (await driver.detail(commandId ?? '')).units.map(({ state, note }) => [state, note]),
    ).toContainEqual([
      'expired',
      'Not sent: its time ran out before the gateway could take it. If it was inhibited, it still is.',
    ]);
  });

  it('is refused after an hour, of another command, and to whom may not let water', async () => {
    const uid = await inhibitAll();
    const guest = await buildAccount(kit.server.database.db, { type: 'AGENT' });
    await buildShare(kit.server.database.db, driver.farm.id, guest.id, presets.guest);
    expect((await undo(uid, 'InhibitGroup', await kit.server.signIn(guest))).statusCode).toBe(403);
    expect((await undo(uid, 'Inhibit')).statusCode).toBe(404);
    const poll = await driver.queue('Poll', { mac: mac(0) });
    expect((await undo(poll, 'Poll')).json()).toMatchObject({
      errorMessage: 'Only an Inhibit can be undone.',
    });
    kit.pass(61);
    expect((await undo(uid)).json()).toMatchObject({
      errorMessage: 'This was done more than 60 minutes ago. Please send Uninhibit instead.',
    });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandName, commandTypes } from '@headrace/contract/command-types';
import { buildGroup } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** A gateway was given a stop, and another speaks for its unit by now. */
let kit: CommandsKit;
let driver: FarmDriver;
let groupUID: string;
const db = () => kit.server.database.db;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm({ units: 2, gateways: 2 });
  for (const each of driver.gateways)
    await driver.hello({ gateway: each, supports: ['priority', 'seq', 'within'], listRev: 1 });
  groupUID = await buildGroup(db(), driver.farm.id, 'North', driver.units);
});

const gateway = (index: number) => driver.gateways[index]!;
const unit = (index: number) => driver.units[index]!;
const toFirst = () => ({ mac: unit(0).mac });
const online = (index: number, is: boolean) =>
  db().updateTable('gateway_state').set({ online: is }).where('device_id', '=', gateway(index).id).execute();
async function turn(): Promise<void> {
  await kit.tick();
  await kit.server.commands.done();
}
/** The first unit is the second gateway's from now on. */
async function moved({ isThere }: { isThere: boolean }): Promise<void> {
  await online(1, isThere);
  await db()
    .updateTable('device')
    .set({ gateway_id: gateway(1).id })
    .where('id', '=', unit(0).id)
    .execute();
  await turn();
}
const post = (key: string, commandId: string, name: CommandName) =>
  kit.server.call(key, {
    headers: driver.headers,
    body: { farmUID: driver.farm.uid, commandId, type: commandTypes[name] },
  });
const sentToSecond = () =>
  kit.published
    .filter(({ topic }) => topic === `headrace/v1/${gateway(1).mac}/down/cmd`)
    .map(({ body }) => body);
const stopped = async () =>
  (
    await db()
      .selectFrom('unit_stop')
      .select('device_id')
      .where('farm_id', '=', driver.farm.id)
      .where('lifted_by', 'is', null)
      .execute()
  ).map(({ device_id }) => device_id);
const stateOf = async (uid: string) => (await driver.detail(uid)).units[0];

describe('an Inhibit that the gateway before was given', () => {
  let inhibit: string;
  beforeEach(async () => {
    inhibit = await driver.command('Inhibit', toFirst());
    await driver.answers(inhibit, 'accepted');
    await moved({ isThere: false });
  });

  it('can’t be cancelled as if it had not been sent: its sprinkler stays inhibited', async () => {
    const reply = await post('POST /commands/cancel', inhibit, 'Inhibit');
    expect([reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage]).toEqual([
      409,
      'Nothing is left to cancel: Inhibit: a gateway may have it already.',
    ]);
    expect(await stopped()).toEqual([unit(0).id]);
  });

  it('is undone by an Uninhibit, and not at all while no gateway would take that', async () => {
    expect((await post('POST /commands/undo', inhibit, 'Inhibit')).statusCode).toBe(505);
    expect(await stopped()).toEqual([unit(0).id]);
    const marked = await db()
      .selectFrom('command')
      .select('undone_at')
      .where('farm_id', '=', driver.farm.id)
      .where('uid', '=', inhibit)
      .executeTakeFirst();
    expect(marked?.undone_at).toBeNull();
    await online(1, true);
    expect((await post('POST /commands/undo', inhibit, 'Inhibit')).json()).toMatchObject({
      cancelled: 0,
      uninhibited: 1,
      stayInhibited: 0,
    });
    expect(await stopped()).toEqual([]);
  });

  it('is done where the gateway before carries it out after all, and the other is not told', async () => {
    await driver.answers(inhibit, 'failed', { error: 'no answer' });
    expect(await stateOf(inhibit)).toMatchObject({ state: 'queued' });
    await driver.answers(inhibit, 'done');
    expect(await stateOf(inhibit)).toMatchObject({ state: 'done' });
    await online(1, true);
    await turn();
    expect(sentToSecond()).toEqual([]);
  });
});

describe('a Valve Off that the gateway before was given', () => {
  it('of a group is done for the sprinkler that the answer names, and for no other', async () => {
    await online(1, false);
    const off = await driver.command('TurnGroupValvesOff', { payload: { groupUID } });
    await moved({ isThere: false });
    await driver.answers(off, 'done');
    expect((await driver.detail(off)).unitStates).toEqual({ queued: 2 });
    await driver.answers(off, 'done', { mac: unit(0).mac ?? '' });
    const { units } = await driver.detail(off);
    expect(units.map(({ name, state }) => [name, state])).toEqual([
      ['U001', 'done'],
      ['U002', 'queued'],
    ]);
  });

  it('that nobody answers says that nobody knows, not that it was not sent', async () => {
    const off = await driver.command('ValveOff', toFirst());
    await moved({ isThere: false });
    kit.pass(61);
    await turn();
    expect(await stateOf(off)).toMatchObject({
      state: 'expired',
      note: 'No answer came in time: it is not known whether it was carried out.',
    });
  });
});

describe('a Valve On that goes to a gateway which closes valves itself', () => {
  it('opens for no longer than that one may, and is expected closed by then', async () => {
    await online(0, false);
    const on = await driver.queue('TurnGroupValvesOn', { payload: { groupUID, maxOpenMinutes: 120 } });
    await kit.server.commands.done();
    await driver.hello({ gateway: gateway(1), supports: ['priority', 'seq', 'within', 'maxOpenMinutes'] });
    await moved({ isThere: true });
    const told = sentToSecond().map((body) => body['maxOpenMinutes']);
    expect([told[0], told.at(-1)]).toEqual([120, 60]);
    const cmdId = String(sentToSecond().at(-1)?.['cmdId']);
    await driver.answers(cmdId, 'done', { gateway: gateway(1), mac: unit(0).mac ?? '' });
    const { closes_by } = await db()
      .selectFrom('command_unit as u')
      .innerJoin('command as c', 'c.id', 'u.command_id')
      .select('u.closes_by')
      .where('c.uid', '=', on)
      .where('u.device_id', '=', unit(0).id)
      .executeTakeFirstOrThrow();
    expect(closes_by?.toISOString()).toBe('2026-11-20T22:00:00.000Z');
  });
});

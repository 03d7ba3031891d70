import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServerFrame } from '@headrace/contract/live';
import { buildDevice, buildGateway } from '../../testing/factories.ts';
import { buildGroup, buildSprinkler } from '../../testing/irrigation-factories.ts';
import type { GatewayAnswer } from './answers.ts';
import { settle } from './settle.ts';
import { inTransaction } from '../../db/partitions.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { eventually } from './testing/eventually.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** What answers change beside the command: lists, modes, units that change places; and whose answers count. */
let kit: CommandsKit;
let driver: FarmDriver;
const db = () => kit.server.database.db;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm({ units: 2 });
});

const revs = () =>
  db()
    .selectFrom('gateway_state')
    .select(['list_rev', 'acked_rev'])
    .where('device_id', '=', driver.gateway.id)
    .executeTakeFirstOrThrow();
const setRevs = (listRev: number, ackedRev: number) =>
  db()
    .updateTable('gateway_state')
    .set({ list_rev: listRev, acked_rev: ackedRev })
    .where('device_id', '=', driver.gateway.id)
    .execute();
const deviceRow = (id: number) =>
  db()
    .selectFrom('device')
    .select(['uid', 'name', 'serial_number', 'shares_serial', 'mac', 'settings', 'version'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

describe('the list of sprinklers', () => {
  it('is sent with units and repeaters, and its answer ends the command and lets others through', async () => {
    await setRevs(5, 4);
    const { farm, gateway, units } = driver;
    await buildDevice(db(), farm.id, 'repeater', {
      name: 'R',
      mac: '70B3D50000000AAA',
      serial_number: 'RPT',
    });
    const uid = await driver.command('UpdateINCList', {});
    expect(driver.messages()).toEqual([
      {
        topic: `headrace/v1/${gateway.mac}/down/ipc-list`,
        body: {
          rev: 5,
          part: 1,
          parts: 1,
          farmId: '01:01',
          channel: 1,
          ipcs: units.map(({ mac, name, serial_number: serialNumber }) => ({
            mac,
            name,
            serialNumber,
            farmId: '01:01',
            channel: 1,
            commsMode: 1,
          })),
          repeaters: [{ mac: '70B3D50000000AAA', name: 'R', serialNumber: 'RPT' }],
        },
      },
    ]);
    expect((await driver.send('Poll')).statusCode).toBe(466);
    await driver.answers('list-5', 'done');
    expect((await driver.detail(uid)).command.state).toBe('done');
    expect((await driver.send('Poll')).statusCode).toBe(200);
  });

  it('that was answered again ends the last command that sent it and no earlier one', async () => {
    const first = await driver.command('UpdateINCList', {});
    kit.pass(20);
    await kit.tick();
    const second = await driver.command('UpdateINCList', {});
    await driver.answers('list-1', 'done');
    expect((await driver.detail(first)).command.state).toBe('expired');
    expect((await driver.detail(second)).command.state).toBe('done');
  });

  it('gets a number above the one that the gateway holds: an older list would be forgotten', async () => {
    await driver.hello({ listRev: 9 });
    await driver.command('UpdateINCList', {});
    expect(driver.messages('ipc-list').at(-1)?.body['rev']).toBe(10);
    await driver.answers('list-10', 'done');
    expect((await driver.send('Poll')).statusCode).toBe(200);
  });
});

describe('a unit that changed its mode', () => {
  it('has it in its record, by one command or a group’s', async () => {
    const [first, second] = driver.units;
    const uid = await driver.command('IpcUpdate', {
      mac: first?.mac,
      payload: { name: 'Mode', value: 'Hybrid' },
    });
    expect(driver.messages('cmd').at(-1)?.body['payload']).toEqual({ name: 'Mode', value: 'Hybrid' });
    await driver.answers(uid, 'done');
    expect((await deviceRow(first?.id ?? 0)).settings).toMatchObject({ commsMode: 2 });
    const groupUID = await buildGroup(db(), driver.farm.id, 'North', driver.units);
    const group = await driver.command('ChangeGroupComms', { payload: { groupUID, commsMode: 0 } });
    await driver.answers(group, 'done', { mac: second?.mac ?? '' });
    expect((await deviceRow(second?.id ?? 0)).settings).toMatchObject({ commsMode: 0 });
    expect((await deviceRow(first?.id ?? 0)).settings).toMatchObject({ commsMode: 2 });
  });
});

describe('a record that a command changed', () => {
  const mode = { name: 'Mode', value: 'Hybrid' };
  const changes = async (uid: string) => {
    const query = { farmUID: driver.farm.uid, uid };
    const reply = await kit.server.call('GET /changes', { headers: driver.headers, query });
    return reply.json<{ changes: { by: string; what: string; fields: object[] }[] }>().changes;
  };

  it('is newer than the form that was open meanwhile, and the history says whose command it was', async () => {
    const [unit] = driver.units;
    if (!unit) throw new Error('no unit');
    const uid = await driver.command('IpcUpdate', { mac: unit.mac, payload: mode });
    await driver.answers(uid, 'done');
    const form = {
      id: unit.uid,
      version: unit.version,
      name: 'A1',
      serialNumber: unit.serial_number,
      macAddress: unit.mac,
      type: unit.type,
      farmId: '01:01',
      channel: 1,
      commsMode: 1,
      lat: unit.lat,
      lng: unit.lng,
      groups: [],
    };
    const saved = await kit.server.call('PUT /ipc', { headers: driver.headers, body: form });
    expect([saved.statusCode, saved.json()]).toMatchObject([409, { code: 'conflict' }]);
    expect(await deviceRow(unit.id)).toMatchObject({ name: unit.name, settings: { commsMode: 2 } });
    expect(await changes(unit.uid)).toMatchObject([
      {
        by: 'Olive Owner',
        what: 'changed by command',
        fields: [{ field: 'commsMode', from: null, to: 2 }],
      },
    ]);
  });

  it('stays as it is where the device has left the farm since', async () => {
    const [unit] = driver.units;
    if (!unit) throw new Error('no unit');
    const uid = await driver.command('IpcUpdate', { mac: unit.mac, payload: mode });
    await kit.server.call('DELETE /ipc', { headers: driver.headers, query: { deviceId: unit.uid } });
    await driver.answers(uid, 'done');
    expect((await deviceRow(unit.id)).settings).not.toHaveProperty('commsMode');
    expect((await changes(unit.uid)).map(({ what }) => what)).toEqual(['deleted']);
  });

  it('as units changed places: both say so, with what came and what went', async () => {
    const [place] = driver.units;
    if (!place) throw new Error('no unit');
    const spare = await buildSprinkler(db(), driver.farm.id, { settings: { isSpareUnit: true } });
    const payload = { serialNumber: 'any', mac: spare.mac };
    await driver.answers(await driver.command('Replace', { mac: place.mac, payload }), 'done');
    expect(await deviceRow(place.id)).toMatchObject({ version: place.version + 1 });
    expect(await deviceRow(spare.id)).toMatchObject({ version: spare.version + 1 });
    expect(await changes(spare.uid)).toMatchObject([
      { what: 'changed by command', fields: [{ field: 'serial_number' }, { field: 'mac', to: spare.mac }] },
    ]);
    expect(await changes(place.uid)).toMatchObject([
      {
        what: 'changed by command',
        fields: [{}, { field: 'mac', to: place.mac }, { field: 'outOfService', to: true }],
      },
    ]);
  });
});

describe('a unit that took the place of another', () => {
  let made = 0;
  let newMac = '';
  beforeEach(() => {
    made += 1;
    newMac = `0004A30B001C05${String(10 + made)}`;
  });
  const replace = (mac: string) => ({
    mac: driver.units[0]?.mac,
    payload: { serialNumber: 'IPC-NEW', mac },
  });

  it('changes the records over: the position keeps its name and history, the old unit is a spare', async () => {
    const [place] = driver.units;
    if (!place) throw new Error('no unit');
    const { list_rev: before } = await revs();
    await driver.reportsValve(place, 'closed');
    const series = () =>
      db().selectFrom('series').select(['id', 'metric']).where('device_id', '=', place.id).execute();
    const history = await series();
    expect(history).toMatchObject([{ metric: 'valve' }]);
    const uid = await driver.command('Replace', replace(newMac.toLowerCase().replaceAll(/..(?=.)/g, '$&:')));
    expect(driver.messages('cmd').at(-1)?.body['payload']).toEqual({ serialNumber: 'IPC-NEW', mac: newMac });
    await driver.answers(uid, 'done');
    expect(await deviceRow(place.id)).toMatchObject({
      name: place.name,
      mac: newMac,
      serial_number: 'IPC-NEW',
      settings: {},
    });
    const spare = await db()
      .selectFrom('device')
      .select(['uid', 'mac', 'settings', 'serial_number'])
      .where('farm_id', '=', driver.farm.id)
      .where('mac', '=', place.mac)
      .executeTakeFirstOrThrow();
    expect(spare).toEqual({
      uid: place.uid,
      mac: place.mac,
      serial_number: place.serial_number,
      settings: { isSpareUnit: true, outOfService: true, swappedAt: kit.clock.now.toISOString() },
    });
    expect(await series()).toEqual(history);
    expect((await revs()).list_rev).toBe(before + 1);
    const frame = await eventually(
      () =>
        kit.events.find((event) => event.farmId === driver.farm.id && event.frame.type === 'ipc_swap_result')
          ?.frame as Extract<ServerFrame, { type: 'ipc_swap_result' }> | undefined,
    );
    expect(frame.data).toMatchObject({
      farmUID: driver.farm.uid,
      success: true,
      from: { id: place.uid, serial: place.serial_number, mac: place.mac },
      to: { serial: 'IPC-NEW', mac: newMac },
    });
  });

  it('is one of two that were asked for at one instant: the second is refused', async () => {
    await driver.hello({ listRev: (await revs()).list_rev });
    const replies = await Promise.all([
      driver.send('Replace', replace(newMac)),
      driver.send('Replace', replace(`0004A30B001C06${newMac.slice(-2)}`)),
    ]);
    expect(replies.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([
      200, 409,
    ]);
    const refused = replies.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json<{ errorMessage: string }>().errorMessage).toBe(
      'U001 is being replaced already. Please wait until that is done or has failed, or cancel it.',
    );
  });

  it('is told to the farm where that failed, with what stays', async () => {
    const [place] = driver.units;
    if (!place) throw new Error('no unit');
    const results = () =>
      kit.events.flatMap(({ farmId, frame }) =>
        farmId === driver.farm.id && frame.type === 'ipc_swap_result' ? [frame.data] : [],
      );
    const uid = await driver.command('Replace', replace(newMac));
    await driver.answers(uid, 'failed', { error: 'no answer by radio' });
    await eventually(() => results().length === 1);
    const failed = {
      farmUID: driver.farm.uid,
      success: false,
      from: { id: place.uid, serial: place.serial_number, mac: place.mac },
      to: { id: '', serial: 'IPC-NEW', mac: newMac },
    };
    expect(results()).toEqual([
      { ...failed, message: 'Replace: failed. The gateway says: no answer by radio' },
    ]);
    const late = await driver.command('Replace', replace(newMac));
    kit.pass(120);
    await kit.tick();
    await driver.reaches(late, 'expired');
    await eventually(() => results().length === 2);
    expect(results()[1]).toMatchObject(failed);
  });

  it('was a spare of the farm: its record goes to the position, and it may go back', async () => {
    const [place] = driver.units;
    if (!place) throw new Error('no unit');
    const spare = await buildSprinkler(db(), driver.farm.id, { settings: { isSpareUnit: true } });
    const uid = await driver.command('Replace', replace(spare.mac ?? ''));
    await driver.answers(uid, 'done');
    await driver.answers(uid, 'done');
    expect(await deviceRow(place.id)).toMatchObject({ uid: spare.uid, mac: spare.mac });
    expect(await deviceRow(spare.id)).toMatchObject({ uid: place.uid, mac: place.mac });
    await driver.hello({ listRev: (await revs()).list_rev });
    const back = await driver.command('Replace', {
      mac: spare.mac,
      payload: { serialNumber: 'any', mac: place.mac },
    });
    await driver.answers(back, 'done');
    expect(await deviceRow(place.id)).toMatchObject({ uid: place.uid, mac: place.mac });
  });

  it('keeps its number also where another unit of the farm was given it meanwhile', async () => {
    const [place] = driver.units;
    if (!place) throw new Error('no unit');
    const uid = await driver.command('Replace', replace(newMac));
    const other = await buildSprinkler(db(), driver.farm.id, { serial_number: 'ipc-new' });
    await driver.answers(uid, 'done');
    expect(await deviceRow(place.id)).toMatchObject({
      mac: newMac,
      serial_number: 'IPC-NEW',
      shares_serial: true,
    });
    expect(await deviceRow(other.id)).toMatchObject({ serial_number: 'ipc-new', shares_serial: false });
  });

  it('was that of a placeholder: what was taken out stands there as a spare, and who has its number by now keeps it', async () => {
    const [place] = driver.units;
    if (!place) throw new Error('no unit');
    const settings = { isPlaceholder: true, outOfService: true };
    const empty = await buildSprinkler(db(), driver.farm.id, { serial_number: 'KEPT', settings });
    const other = await buildSprinkler(db(), driver.farm.id, { serial_number: 'kept' });
    await driver.answers(await driver.command('Replace', replace(empty.mac ?? '')), 'done');
    expect(await deviceRow(place.id)).toMatchObject({
      mac: empty.mac,
      serial_number: 'KEPT',
      shares_serial: true,
    });
    expect(await deviceRow(empty.id)).toMatchObject({
      mac: place.mac,
      serial_number: place.serial_number,
      settings: { isSpareUnit: true, outOfService: true, isPlaceholder: false },
    });
    expect(await deviceRow(other.id)).toMatchObject({ serial_number: 'kept', shares_serial: false });
  });

  it('is not said to hold a schedule that the unit before it reported', async () => {
    const [place] = driver.units;
    if (!place) throw new Error('no unit');
    await driver.reportsSchedule(place, { ipcCrc: '07:3B' });
    const uid = await driver.command('Replace', replace(newMac));
    await driver.answers(uid, 'done');
    const facts = await db()
      .selectFrom('device_fact')
      .select('value')
      .where('device_id', '=', place.id)
      .execute();
    expect(facts).toEqual([]);
  });

  it('is not said to have the charge and the mode of the unit before it, nor is that one ready by its words', async () => {
    const [place] = driver.units;
    if (!place) throw new Error('no unit');
    const spare = await buildSprinkler(db(), driver.farm.id, {
      settings: { isSpareUnit: true },
      gateway: driver.gateway,
    });
    const said = { at: kit.clock.now.toISOString(), clock: 0, mode: 'Local' };
    await driver.says('ipc', {
      items: [
        { ...said, mac: place.mac, charge: 12 },
        { ...said, mac: spare.mac, charge: 96 },
      ],
    });
    const spares = async () =>
      (
        await kit.server.call('GET /ipc/spare-units', {
          headers: driver.headers,
          query: { farmUID: driver.farm.uid },
        })
      ).json<{ ipcs: { serialNumber: string; spareStatus: number; spareReasons: string[] }[] }>().ipcs;
    const info = async () =>
      (
        await kit.server.call('GET /group/info', {
          headers: driver.headers,
          query: { farmUID: driver.farm.uid, name: 'FARM' },
        })
      )
        .json<{ ipcs: { name: string; serial: string; charge: number | null; mode: string | null }[] }>()
        .ipcs.find(({ name }) => name === place.name);
    expect(await spares()).toMatchObject([{ serialNumber: spare.serial_number, spareStatus: 2 }]);
    expect(await info()).toMatchObject({ serial: place.serial_number, charge: 12 });
    kit.clock.now = new Date(kit.clock.now.getTime() + 60_000);
    await driver.answers(await driver.command('Replace', replace(spare.mac ?? '')), 'done');
    expect(await spares()).toMatchObject([
      { serialNumber: place.serial_number, spareStatus: 1, spareReasons: ['never contacted'] },
    ]);
    expect(await info()).toMatchObject({ serial: spare.serial_number, charge: null, mode: null });
  });

  it('is in the groups of its place', async () => {
    const [place] = driver.units;
    if (!place) throw new Error('no unit');
    await buildGroup(db(), driver.farm.id, 'Line 1', [place]);
    await driver.answers(await driver.command('Replace', replace(newMac)), 'done');
    const members = await db()
      .selectFrom('device_group_member')
      .select('device_id')
      .where('farm_id', '=', driver.farm.id)
      .execute();
    expect(members).toEqual([{ device_id: place.id }]);
  });

  it('changes nothing where the gateway says failed, and that is said', async () => {
    const [place] = driver.units;
    if (!place) throw new Error('no unit');
    const before = await deviceRow(place.id);
    const uid = await driver.command('Replace', replace(newMac));
    await driver.answers(uid, 'failed', { error: 'no answer from the new unit' });
    expect(await deviceRow(place.id)).toEqual(before);
    expect((await driver.detail(uid)).command).toMatchObject({
      state: 'failed',
      message: 'Replace: failed. The gateway says: no answer from the new unit',
    });
  });

  it('went to another farm meanwhile: nothing changes, and the command says so', async () => {
    const [place] = driver.units;
    if (!place) throw new Error('no unit');
    const before = await deviceRow(place.id);
    const uid = await driver.command('Replace', replace(newMac));
    const other = await kit.farm({ units: 0 });
    await buildSprinkler(db(), other.farm.id, { mac: newMac });
    await driver.answers(uid, 'done');
    expect(await deviceRow(place.id)).toEqual(before);
    const { command } = await driver.detail(uid);
    expect(command.message).toBe(
      'Replace: The gateway says done, but our records stay as they were: the new unit is on another farm. ' +
        'Delete it there, then send Replace again.',
    );
    const reply = await driver.send('Replace', replace(newMac));
    expect([reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage]).toEqual([
      409,
      'Sorry, cannot replace: this unit is on another farm. Please delete it there first.',
    ]);
  });

  it('is refused while it, or the unit at the place, is being replaced', async () => {
    const [place, other] = driver.units;
    const uid = await driver.command('Replace', replace(newMac));
    const errorOf = async (mac: string | null | undefined, newOne: string) => {
      const reply = await driver.send('Replace', { mac, payload: { serialNumber: 'B', mac: newOne } });
      return [reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage];
    };
    const refused = [
      409,
      `${place?.name} is being replaced already. Please wait until that is done or has failed, or cancel it.`,
    ];
    expect(await errorOf(place?.mac, '0004A30B001C0599')).toEqual(refused);
    expect(await errorOf(other?.mac, newMac)).toEqual(refused);
    await driver.answers(uid, 'failed', { error: 'not heard' });
    expect((await errorOf(other?.mac, newMac))[0]).toBe(200);
  });

  it('is refused when it is in use, is something else or is there already', async () => {
    const [place, other] = driver.units;
    const errorOf = async (payload: object) => {
      const reply = await driver.send('Replace', { mac: place?.mac, payload });
      return [reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage];
    };
    expect(await errorOf({ serialNumber: 'x', mac: other?.mac })).toEqual([
      409,
      `${other?.serial_number} is in use as U002. Please make it a spare first.`,
    ]);
    expect(await errorOf({ serialNumber: 'x', mac: driver.gateway.mac })).toEqual([
      409,
      `This MAC address belongs to ${driver.gateway.name}, which is no sprinkler.`,
    ]);
    expect(await errorOf({ serialNumber: other?.serial_number, mac: newMac })).toEqual([
      409,
      `The serial number ${other?.serial_number} belongs to U002, with another MAC address.`,
    ]);
    expect(await errorOf({ serialNumber: 'x', mac: place?.mac })).toEqual([
      409,
      'This is the unit that is there already.',
    ]);
    expect(await errorOf({ serialNumber: 'x', mac: 'not a mac address' })).toEqual([
      400,
      'payload: mac must be the 12 or 16 hex digits of the new unit.',
    ]);
  });
});

describe('an answer of a unit that was taken out meanwhile', () => {
  it('counts for the command that it was sent, and not for the unit that came after it', async () => {
    const [place] = driver.units;
    if (!place) throw new Error('no unit');
    const on = await driver.command('ValveOn', { mac: place.mac, payload: { maxOpenMinutes: 30 } });
    await driver.answers(on, 'done');
    const off = await driver.command('ValveOff', { mac: place.mac });
    const newMac = '0004A30B001C0599';
    await db()
      .updateTable('device')
      .set({ mac: newMac, serial_number: 'IPC-NEW' })
      .where('id', '=', place.id)
      .execute();
    kit.pass(1);
    await driver.answers(off, 'done', { mac: newMac });
    expect((await driver.detail(off)).command.state).toBe('sent');
    await driver.answers(off, 'done', { mac: place.mac ?? '' });
    expect((await driver.detail(off)).command.state).toBe('done');
    expect((await driver.detail(on)).units[0]?.valve).toMatchObject({
      why: 'Closed by a Valve Off command.',
    });
  });

  it('nor does the unit that came after it say whether the valve is open', async () => {
    const [place] = driver.units;
    if (!place) throw new Error('no unit');
    const on = await driver.command('ValveOn', { mac: place.mac, payload: { maxOpenMinutes: 30 } });
    await db().updateTable('device').set({ mac: '0004A30B001C0532' }).where('id', '=', place.id).execute();
    kit.ingest.forget(driver.farm.id);
    const after = { ...place, mac: '0004A30B001C0532' };
    kit.pass(1);
    await driver.reportsValve(after, 'open');
    expect((await driver.detail(on)).command.state).toBe('sent');
    await driver.answers(on, 'done', { mac: place.mac ?? '' });
    kit.pass(1);
    await driver.reportsValve(after, 'closed');
    expect((await driver.detail(on)).units[0]?.valve).toMatchObject({ closedAt: null });
  });
});

describe('a gateway that says done without saying for which units', () => {
  it('of several: it is kept as a step, and each unit waits for its own word', async () => {
    const uid = await driver.command('PollGroup', { payload: { groupUID: 'FARM' } });
    await driver.answers(uid, 'done');
    await driver.answers(uid, 'done');
    const said = 'The gateway says done, not for which units.';
    const { command, units, steps } = await driver.detail(uid);
    expect([command.state, command.done]).toEqual(['sent', 0]);
    expect(units.map(({ state, note }) => [state, note])).toEqual([
      ['sent', said],
      ['sent', said],
    ]);
    expect(steps.filter(({ note }) => note === said)).toHaveLength(1);
    await driver.answers(uid, 'done', { mac: driver.units[0]?.mac ?? '' });
    kit.pass(60);
    await kit.tick();
    expect((await driver.detail(uid)).units.map(({ state, note }) => [state, note])).toEqual([
      ['expired', `${said} This unit did not say so in time: it is not known whether it was carried out.`],
      ['done', ''],
    ]);
    await driver.answers(uid, 'done', { done: 2, total: 2 });
    expect((await driver.detail(uid)).command.state).toBe('done');
  });

  it('after their time: the end says so too', async () => {
    const uid = await driver.command('PollGroup', { payload: { groupUID: 'FARM' } });
    kit.pass(60);
    await kit.tick();
    await driver.answers(uid, 'done', { done: 1, total: 2 });
    const { command, units } = await driver.detail(uid);
    expect(command.state).toBe('expired');
    expect(units[1]?.note).toBe(
      'The gateway says 1 of 2, not which. This unit did not say so in time: it is not known whether it was carried out.',
    );
  });

  it('of one: it is done', async () => {
    const one = await kit.farm();
    const uid = await one.command('PollGroup', { payload: { groupUID: 'FARM' } });
    await one.answers(uid, 'done');
    expect((await one.detail(uid)).command.state).toBe('done');
  });
});

describe('an answer that contradicts the one before', () => {
  it('done after failed: it was done, and both stay in its steps', async () => {
    const uid = await driver.command('Inhibit');
    await driver.answers(uid, 'failed', { error: 'the unit did not answer' });
    kit.pass(1);
    await driver.answers(uid, 'done');
    const { command, units, steps } = await driver.detail(uid);
    expect([command.state, units[0]?.note]).toEqual(['done', 'Done after all: the gateway had said failed.']);
    expect(steps.filter(({ name }) => name).map(({ state, note }) => [state, note])).toEqual([
      ['sent', ''],
      ['failed', 'The gateway says: the unit did not answer'],
      ['done', 'Done after all: the gateway had said failed.'],
    ]);
  });

  it('failed after done: it stays done', async () => {
    const uid = await driver.command('Inhibit');
    await driver.answers(uid, 'done');
    await driver.answers(uid, 'failed', { error: 'no answer' });
    expect((await driver.detail(uid)).command.state).toBe('done');
  });
});

describe('answers that are not for this command', () => {
  it('of another farm’s gateway, another gateway of the farm or with another id change nothing', async () => {
    const uid = await driver.command('Poll');
    const stranger = await kit.farm();
    const second = await buildGateway(db(), driver.farm.id);
    await driver.answers(uid, 'done', { gateway: stranger.gateway });
    await driver.answers(uid, 'done', { gateway: second });
    await driver.answers(`${uid}-2`, 'done');
    await driver.answers('set-1', 'done');
    await driver.answers(uid, 'done', { mac: driver.units[1]?.mac ?? '' });
    const { command, steps } = await driver.detail(uid);
    expect(command.state).toBe('sent');
    expect(steps.map(({ state }) => state)).toEqual(['queued', 'sent', 'sent']);
    await driver.answers(uid, 'done', { mac: driver.units[0]?.mac ?? '' });
    expect((await driver.detail(uid)).command.state).toBe('done');
  });
});

describe('answers of two gateways to one command, heard together', () => {
  it('count for the units of each', async () => {
    const farm = await kit.farm({ units: 2, gateways: 2 });
    const groupUID = await buildGroup(db(), farm.farm.id, 'North', farm.units);
    const uid = await farm.command('PollGroup', { payload: { groupUID } });
    await eventually(() => farm.messages('cmd').length === 2);
    await Promise.all([
      farm.answers(uid, 'failed', { error: 'no power' }),
      farm.answers(uid, 'done', { gateway: farm.gateways[1] ?? farm.gateway }),
    ]);
    expect((await farm.detail(uid)).units.map(({ state }) => state)).toEqual(['failed', 'done']);
  });
});

describe('transactions that take answers for the same commands', () => {
  it('never wait for each other in a circle, and every answer counts once', async () => {
    const farm = await kit.farm({ units: 6 });
    const uids: string[] = [];
    for (const unit of farm.units) uids.push(await farm.command('ValveOn', { mac: unit.mac }));
    const { pool } = kit.server.database;
    const answersOf = (order: readonly string[], at: number): GatewayAnswer[] =>
      order.map((cmdId) => ({
        farmId: farm.farm.id,
        gatewayId: farm.gateway.id,
        cmdId,
        mac: null,
        answer: at % 2 ? 'done' : 'accepted',
        at: kit.clock.now.getTime(),
        receivedAt: kit.clock.now.getTime(),
        error: '',
        done: null,
        total: null,
        attempts: null,
      }));
    const valves = farm.units.map((unit) => ({
      farmId: farm.farm.id,
      deviceId: unit.id,
      at: kit.clock.now.getTime() + 60_000,
      isOpen: true,
    }));
    const batches = Array.from({ length: 40 }, (_, index) => {
      const turned = uids.map((_uid, place) => uids[(place * 5 + index) % uids.length] ?? '');
      const half = turned.slice(0, 3);
      const opposite = valves.filter((_valve, place) => !half.includes(uids[place] ?? ''));
      return inTransaction(pool, (client) =>
        settle(client, answersOf(half, index), index % 3 ? opposite : [], kit.clock.now),
      );
    });
    await expect(Promise.all(batches)).resolves.toHaveLength(40);
    for (const uid of uids) {
      const { command, steps } = await farm.detail(uid);
      expect(command.state).toBe('done');
      expect(steps.filter(({ state, name }) => state === 'done' && name !== null)).toHaveLength(1);
    }
  });
});

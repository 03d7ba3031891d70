import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { Command } from '@headrace/contract/commands';
import type { ImportDone, ImportPlan } from '@headrace/contract/imports';
import type { IpcListDown } from '@headrace/device/downlinks';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import { buildScheduleSet, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { eventually } from './testing/eventually.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** What the server sends of its own accord. */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm({ units: 2 });
});

const call = (key: string, body: object) => kit.server.call(key, { headers: driver.headers, body });
const log = async () =>
  (
    await kit.server.call('GET /commands', { headers: driver.headers, query: { farmUID: driver.farm.uid } })
  ).json<{
    commands: Command[];
  }>().commands;
const edit = (channel: number) => {
  const [unit] = driver.units;
  return call('PUT /ipc', {
    id: unit?.uid,
    name: unit?.name,
    channel,
    serialNumber: unit?.serial_number || 'IPC-1',
    macAddress: unit?.mac,
  });
};
/** Turns of the clock every five seconds. */
async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    kit.pass(5 / 60);
    await kit.tick();
  }
}
const listsSent = () => driver.messages('ipc-list').map(({ body }) => body['rev']);

describe('the list of sprinklers', () => {
  it('is sent by itself a minute after its last change, and commands go again', async () => {
    expect((await edit(7)).statusCode).toBe(200);
    await pass(40);
    await edit(8);
    await pass(55);
    expect(await log()).toEqual([]);
    expect((await driver.send('Poll')).statusCode).toBe(466);
    await pass(15);
    const [command] = await log();
    expect(command).toMatchObject({
      type: commandTypes.UpdateINCList,
      title: 'Send Sprinklers List',
      name: driver.gateway.name,
      sentBy: '',
      isAutomatic: true,
    });
    const [rev] = listsSent();
    await driver.answers(`list-${String(rev)}`, 'done');
    expect((await log())[0]?.state).toBe('done');
    expect((await driver.send('Poll')).statusCode).toBe(200);
    await pass(120);
    expect(listsSent()).toHaveLength(1);
  });

  it('is not sent while one is under way', async () => {
    await edit(7);
    await kit.tick();
    await driver.command('UpdateINCList', {});
    await pass(120);
    expect(listsSent()).toHaveLength(1);
  });

  /** Lists that went out, each with its minute, while `minutes` pass and `each` happens every half minute. */
  async function sendingsOver(minutes: number, each: () => Promise<unknown>): Promise<number[]> {
    const start = kit.clock.now.getTime();
    const sent: number[] = [];
    for (let turn = 0; turn < minutes * 2; turn += 1) {
      const before = listsSent().length;
      await kit.tick();
      for (let more = listsSent().length - before; more > 0; more -= 1)
        sent.push((kit.clock.now.getTime() - start) / 60_000);
      await each();
      kit.pass(0.5);
    }
    return sent;
  }
  const refuse = async () => {
    const [command] = await log();
    if (command?.state === 'sent')
      await driver.answers(`list-${String(listsSent().at(-1))}`, 'failed', { error: 'no room' });
  };

  it('that a gateway refuses goes again after minutes, more with each, and never floods it', async () => {
    await edit(7);
    const sent = await sendingsOver(75, refuse);
    expect(sent).toEqual([1, 2, 4, 9, 19, 34, 49, 64]);
    // It starts anew: perhaps it has room now.
    await driver.hello({ listRev: 1 });
    expect(await sendingsOver(0.5, refuse)).toHaveLength(1);
  });

  it('that a gateway lost by starting anew goes at once, and commands go again', async () => {
    await edit(7);
    await pass(70);
    const rev = Number(listsSent()[0]);
    await driver.answers(`list-${rev}`, 'done');
    kit.pass(60);
    await driver.hello({ listRev: 0 });
    expect((await driver.send('Poll')).statusCode).toBe(466);
    await kit.tick();
    expect(listsSent()).toEqual([rev, rev]);
    await driver.answers(`list-${rev}`, 'done');
    expect((await driver.send('Poll')).statusCode).toBe(200);
    // One that starts over and over, and loses it each time.
    const again = await sendingsOver(30, async () => {
      await driver.answers(`list-${rev}`, 'done');
      kit.pass(1 / 60);
      await driver.hello({ listRev: 0 });
    });
    expect(again.length).toBeLessThanOrEqual(9);
    expect(again.length).toBeGreaterThanOrEqual(4);
  });

  it('that a gateway never answered goes again with its next word', { timeout: 90_000 }, async () => {
    await edit(7);
    await pass(70);
    expect(listsSent()).toHaveLength(1);
    kit.pass(10);
    await kit.tick();
    expect((await log())[0]?.state).toBe('expired');
    await driver.says('status', { at: kit.clock.now.toISOString(), settings: {}, info: {}, data: {} });
    await kit.tick();
    kit.pass(1 / 60);
    await driver.says('status', { at: kit.clock.now.toISOString(), settings: {}, info: {}, data: {} });
    await kit.tick();
    expect(listsSent()).toHaveLength(2);
    // Silent for three hours: each has its ten minutes, then there is a wait.
    const sent = await sendingsOver(180, async () => {});
    expect(sent.length).toBeGreaterThanOrEqual(6);
    expect(sent.length).toBeLessThanOrEqual(9);
  });

  it('waits for a gateway that is away, and goes to it once it is back', async () => {
    await edit(7);
    const online = (is: boolean) =>
      kit.server.database.db
        .updateTable('gateway_state')
        .set({ online: is })
        .where('device_id', '=', driver.gateway.id)
        .execute();
    await online(false);
    await pass(180);
    expect(await log()).toEqual([]);
    await online(true);
    await pass(70);
    expect(listsSent()).toHaveLength(1);
  });

  it('is queued once by two servers', async () => {
    const other = await kit.another();
    await edit(7);
    for (let turn = 0; turn < 15; turn += 1) {
      kit.pass(5 / 60);
      await Promise.all([kit.tick(), other.tick()]);
    }
    expect(await log()).toHaveLength(1);
    await other.close();
  });
});

describe('a unit that is marked to be set up anew', () => {
  const mark = (status = true) =>
    call('PUT /ipc/flag-reconfigure', { deviceId: driver.units[0]?.uid, status });
  const unit = async () =>
    (
      await kit.server.call('GET /ipc', {
        headers: driver.headers,
        query: { deviceId: driver.units[0]?.uid ?? '' },
      })
    ).json<Ipc>();
  const heard = async () => {
    const [first] = driver.units;
    if (first) await driver.reportsSchedule(first, { ipcCrc: 'AA:BB' });
  };

  it('is asked to once it is heard, and the mark goes when it is done', async () => {
    await heard();
    kit.pass(5);
    await mark();
    await pass(60);
    expect(await log()).toEqual([]);
    await heard();
    await pass(90);
    const commands = await log();
    expect(commands).toMatchObject([
      { type: commandTypes.IpcReconfigure, serialNumber: driver.units[0]?.serial_number, isAutomatic: true },
    ]);
    expect((await unit()).reconfigure).toBe(true);
    const uid = commands[0]?._id ?? '';
    await eventually(() => driver.messages('cmd').length > 0);
    expect(
      driver.messages('cmd').map(({ body }) => [body['cmdId'], body['type'], body['mac'], body['payload']]),
    ).toEqual([[uid, commandTypes.IpcReconfigure, driver.units[0]?.mac, {}]]);
    await driver.answers(uid, 'done', { mac: driver.units[0]?.mac ?? '' });
    expect((await unit()).reconfigure).toBe(false);
    await heard();
    await pass(90);
    expect(await log()).toHaveLength(1);
  });

  it('is not asked twice for one mark, but again for another', async () => {
    await mark();
    kit.pass(1);
    await heard();
    await pass(60);
    const [first] = await log();
    await driver.answers(first?._id ?? '', 'failed', { error: 'no answer from the unit' });
    await heard();
    await pass(60);
    expect(await log()).toHaveLength(1);
    expect((await unit()).reconfigure).toBe(true);
    await mark(false);
    await mark();
    kit.pass(1);
    await heard();
    await pass(60);
    expect(await log()).toHaveLength(2);
  });

  it('keeps a mark that was set after the command was made', async () => {
    const uid = await driver.command('IpcReconfigure');
    kit.pass(1);
    await mark();
    await driver.answers(uid, 'done');
    expect((await unit()).reconfigure).toBe(true);
  });
});

describe('a unit that is spare or out of service and holds a schedule', () => {
  const unit = (index = 0) => driver.units[index]!;
  const holds = (index = 0, ipcCrc = 'AA:BB') => driver.reportsSchedule(unit(index), { ipcCrc, cycleLen: 1 });
  const flag = (status: boolean, index = 0) =>
    call('PUT /ipc/flag-as-spare', { deviceId: unit(index).uid, status });
  const outOfService = (index = 0) =>
    call('PUT /placeholder/convert-to-placeholder', { deviceId: unit(index).uid });
  /** The gateway has the list with the mark, and nothing is on its way. */
  async function settled(): Promise<void> {
    const rev = await kit.server.database.db
      .selectFrom('gateway_state')
      .select('list_rev')
      .where('device_id', '=', driver.gateway.id)
      .executeTakeFirstOrThrow();
    await driver.hello({ listRev: rev.list_rev });
    await kit.server.commands.done();
  }
  const cleared = () =>
    driver.messages('schedules').map(({ body }) => body['units'] as { mac: string; crc: string }[]);
  const empty = (index = 0) => [{ mac: unit(index).mac, crc: 'D6:DA', entries: [] }];
  /** Long enough for a look, some turns of the clock. */
  async function turn(): Promise<void> {
    await pass(35);
    await kit.server.commands.done();
  }

  it('is cleared, so that it waters no more, and the log says why', async () => {
    await holds();
    await holds(1);
    kit.pass(1);
    await outOfService();
    await settled();
    await turn();
    expect(cleared()).toEqual([empty()]);
    const [command] = await log();
    expect(command).toMatchObject({ type: commandTypes.UpdateSchedule, isAutomatic: true, total: 1 });
    expect((await driver.detail(command?._id ?? '')).steps[0]?.note).toBe(
      'Cleared: it is spare or out of service and holds a schedule (AA:BB).',
    );
    await driver.answers('set-1', 'done', { mac: unit().mac ?? '' });
    kit.pass(60 * 24);
    await settled();
    await turn();
    expect(cleared()).toHaveLength(1);
  });

  it('waters again by what it is to once it is back in service and uninhibited', async () => {
    const { db } = kit.server.database;
    const setUID = await buildScheduleSet(
      db,
      driver.farm.id,
      [unit()],
      [{ start: 60, duration: 45, cycle: 1 }],
    );
    await driver.command('UpdateSchedule', { payload: { setUID, serialNumbers: [unit().serial_number] } });
    await driver.answers('set-1', 'done', { mac: unit().mac ?? '' });
    const sent = cleared()[0]?.[0]?.crc;
    await holds(0, sent);
    kit.pass(10);
    await flag(true);
    await settled();
    await holds(0, sent);
    await turn();
    expect(cleared().at(-1)).toEqual(empty());
    await driver.answers('set-2', 'done', { mac: unit().mac ?? '' });
    kit.pass(10);
    await holds(0, 'D6:DA');
    await flag(false);
    await settled();
    await driver.command('Uninhibit', { mac: unit().mac });
    expect(cleared().at(-1)).toMatchObject([{ mac: unit().mac, crc: sent }]);
  });

  /** It is to water by a schedule, which it holds; its checksum. */
  async function scheduled(): Promise<string> {
    const { db } = kit.server.database;
    const entries = [{ start: 60, duration: 45, cycle: 1 }];
    const setUID = await buildScheduleSet(db, driver.farm.id, [unit()], entries);
    await driver.command('UpdateSchedule', { payload: { setUID, serialNumbers: [unit().serial_number] } });
    await driver.answers('set-1', 'done', { mac: unit().mac ?? '' });
    const crc = cleared()[0]?.[0]?.crc ?? '';
    kit.pass(10);
    await holds(0, crc);
    return crc;
  }
  const undo = async (batchId: string) =>
    call('POST /undo', { farmUID: driver.farm.uid, batchId, act: 'flag sprinkler' });

  it('is sent its schedule again where its being spare is undone after that', async () => {
    const crc = await scheduled();
    const { batchId } = (await flag(true)).json<{ batchId: string }>();
    await settled();
    await turn();
    expect(cleared().at(-1)).toEqual(empty());
    await driver.answers('set-2', 'done', { mac: unit().mac ?? '' });
    kit.pass(1);
    expect((await undo(batchId)).statusCode).toBe(200);
    await settled();
    await turn();
    expect(cleared().at(-1)).toMatchObject([{ mac: unit().mac, crc }]);
  });

  it('is not cleared any more where its being spare is undone before that went out', async () => {
    const crc = await scheduled();
    const { batchId } = (await flag(true)).json<{ batchId: string }>();
    await settled();
    const busy = await kit.server.database.pool.connect();
    await busy.query("select pg_advisory_lock(hashtext('headrace deliver'), $1)", [driver.gateway.id]);
    // A turn would wait for what goes out.
    const waits = pass(35);
    await eventually(async () => (await log()).some(({ isAutomatic }) => isAutomatic));
    await undo(batchId);
    await busy.query('select pg_advisory_unlock_all()');
    busy.release();
    await waits;
    await settled();
    await turn();
    expect(cleared()).toMatchObject([[{ crc }]]);
    const clear = (await log()).find(({ isAutomatic }) => isAutomatic);
    expect((await driver.detail(clear?._id ?? '')).units).toMatchObject([
      { state: 'cancelled', note: 'Not sent: it is in service again.' },
    ]);
  });

  it('gets nothing of what waited for it when it was made one, and what is sent to it after that', async () => {
    const { db } = kit.server.database;
    const entries = [{ start: 60, duration: 45, cycle: 1 }];
    const setUID = await buildScheduleSet(db, driver.farm.id, driver.units, entries);
    const busy = await kit.server.database.pool.connect();
    await busy.query("select pg_advisory_lock(hashtext('headrace deliver'), $1)", [driver.gateway.id]);
    await driver.queue('SendScheduleSet', { payload: { setUID } });
    kit.pass(1);
    await flag(true);
    await busy.query('select pg_advisory_unlock_all()');
    busy.release();
    await settled();
    await turn();
    // The other's went once more, as the gateway said hello.
    expect(new Set(cleared().flatMap((units) => units.map(({ mac }) => mac)))).toEqual(
      new Set([unit(1).mac]),
    );
    await driver.command('UpdateSchedule', { payload: { setUID, serialNumbers: [unit().serial_number] } });
    expect(cleared().at(-1)).toMatchObject([{ mac: unit().mac }]);
  });

  it('gets what it was left out of for that once its being spare is undone', async () => {
    const { db } = kit.server.database;
    const entries = [{ start: 60, duration: 45, cycle: 1 }];
    const setUID = await buildScheduleSet(db, driver.farm.id, driver.units, entries);
    const busy = await kit.server.database.pool.connect();
    await busy.query("select pg_advisory_lock(hashtext('headrace deliver'), $1)", [driver.gateway.id]);
    const send = await driver.queue('SendScheduleSet', { payload: { setUID } });
    kit.pass(1);
    const { batchId } = (await flag(true)).json<{ batchId: string }>();
    await busy.query('select pg_advisory_unlock_all()');
    busy.release();
    await settled();
    await turn();
    expect((await driver.detail(send)).unitStates).toMatchObject({ cancelled: 1 });
    expect((await undo(batchId)).statusCode).toBe(200);
    await settled();
    await turn();
    expect(cleared().at(-1)).toMatchObject([{ mac: unit().mac, entries }]);
  });

  it('that does not answer is cleared again when it is heard, after six hours at the earliest', async () => {
    await holds();
    await flag(true);
    await settled();
    await turn();
    await driver.answers('set-1', 'failed', { mac: unit().mac ?? '', error: 'no answer' });
    kit.pass(60 * 5);
    await holds();
    await settled();
    await turn();
    expect(cleared()).toHaveLength(1);
    kit.pass(62);
    await settled();
    await turn();
    expect(cleared()).toEqual([empty(), empty()]);
    await driver.answers('set-2', 'failed', { mac: unit().mac ?? '', error: 'no answer' });
    // Nobody heard it since.
    kit.pass(60 * 7);
    await settled();
    await turn();
    expect(cleared()).toHaveLength(2);
  });

  it('as the one that was taken out of its place is cleared once it is heard', async () => {
    const [place] = driver.units;
    await settled();
    const uid = await driver.command('Replace', {
      mac: unit().mac,
      payload: { serialNumber: 'IPC-NEW', mac: `0004A30B0077${unit().mac?.slice(-4) ?? ''}` },
    });
    await holds();
    await driver.answers(uid, 'done');
    await settled();
    kit.pass(1);
    await turn();
    expect(cleared()).toEqual([]);
    await driver.says('ipc', {
      items: [{ mac: place?.mac, at: kit.clock.now.toISOString(), ipcCrc: 'AA:BB', cycleLen: 1 }],
    });
    await turn();
    expect(cleared()).toEqual([empty()]);
  });

  it('is left alone where it holds nothing, is in service or was sent that schedule as a spare', async () => {
    await holds(0, 'D6:DA');
    await flag(true);
    await flag(true, 1);
    const entries = [{ start: 60, duration: 45, cycle: 1 }];
    const setUID = await buildScheduleSet(kit.server.database.db, driver.farm.id, [unit(1)], entries);
    await settled();
    kit.pass(1);
    await driver.command('UpdateSchedule', { payload: { setUID, serialNumbers: [unit(1).serial_number] } });
    await driver.answers('set-1', 'done', { mac: unit(1).mac ?? '' });
    await turn();
    expect(cleared()).toHaveLength(1);
    await driver.hello();
    driver = await kit.farm({ units: 1 });
    await holds();
    await settled();
    await turn();
    expect(cleared()).toEqual([]);
  });
});

describe('a unit that left the farm', () => {
  const unit = (index = 0) => driver.units[index]!;
  const remove = (index = 0) =>
    kit.server.call('DELETE /ipc', { headers: driver.headers, query: { deviceId: unit(index).uid } });
  const listed = () =>
    (driver.messages('ipc-list').at(-1)?.body['ipcs'] as { mac: string }[] | undefined)?.map(
      ({ mac }) => mac,
    );
  const sent = () =>
    driver.messages('schedules').map(({ body }) => body['units'] as { mac: string; crc: string }[]);
  const empty = (index = 0) => [{ mac: unit(index).mac, crc: 'D6:DA', entries: [] }];
  async function turn(seconds = 35): Promise<void> {
    await pass(seconds);
    await kit.server.commands.done();
  }
  /** The newest list goes out after its minute, and the gateway has it. */
  async function takesList(): Promise<void> {
    await turn(1);
    await turn(61);
    const rev = driver.messages('ipc-list').at(-1)?.body['rev'];
    await driver.answers(`list-${String(rev)}`, 'done');
    await turn();
  }

  it('with a schedule stays on its gateway’s list until it is cleared, and then goes off it', async () => {
    await driver.reportsSchedule(unit(), { ipcCrc: 'AA:BB', cycleLen: 1 });
    await remove();
    await takesList();
    expect(listed()).toContain(unit().mac);
    expect(sent()).toEqual([empty()]);
    const [command] = await log();
    expect((await driver.detail(command?._id ?? '')).steps[0]?.note).toBe(
      'Cleared: it left the farm and may hold a schedule.',
    );
    await driver.answers('set-1', 'done', { mac: unit().mac ?? '' });
    await turn();
    await takesList();
    expect(listed()).not.toContain(unit().mac);
    expect(sent()).toHaveLength(1);
  });

  it('is tried again six hours later where it did not answer, for two weeks', async () => {
    await driver.reportsSchedule(unit(), { ipcCrc: 'AA:BB', cycleLen: 1 });
    await remove();
    await takesList();
    await driver.answers('set-1', 'failed', { mac: unit().mac ?? '', error: 'no answer' });
    kit.pass(5 * 60);
    await driver.says('status', { at: kit.clock.now.toISOString() });
    await turn();
    expect(sent()).toHaveLength(1);
    kit.pass(62);
    await driver.says('status', { at: kit.clock.now.toISOString() });
    await turn();
    expect(sent()).toEqual([empty(), empty()]);
    await driver.answers('set-2', 'failed', { mac: unit().mac ?? '', error: 'no answer' });
    kit.pass(14 * 24 * 60);
    await driver.hello();
    await takesList();
    expect(sent()).toHaveLength(2);
    expect(listed()).not.toContain(unit().mac);
  });

  it('is left alone where it holds nothing, is back, or has a new record', async () => {
    const { db } = kit.server.database;
    await driver.reportsSchedule(unit(1), { ipcCrc: 'AA:BB', cycleLen: 1 });
    await driver.reportsSchedule(unit(0), { ipcCrc: 'D6:DA', cycleLen: 1 });
    await remove(0);
    await remove(1);
    await buildSprinkler(db, driver.farm.id, {
      name: 'A new record',
      gateway: driver.gateway,
      mac: unit(1).mac ?? '',
    });
    await takesList();
    expect(sent()).toEqual([]);
    expect(listed()?.filter((mac) => mac === unit(1).mac)).toHaveLength(1);
    expect(listed()).not.toContain(unit(0).mac);
  });

  it('gets a stop that waited for it, and is cleared after that', async () => {
    await driver.reportsSchedule(unit(), { ipcCrc: 'AA:BB', cycleLen: 1 });
    const busy = await kit.server.database.pool.connect();
    await busy.query("select pg_advisory_lock(hashtext('headrace deliver'), $1)", [driver.gateway.id]);
    const off = await driver.queue('ValveOff');
    await remove();
    await busy.query('select pg_advisory_unlock_all()');
    busy.release();
    await turn(5);
    expect(driver.messages('cmd').map(({ body }) => [body['cmdId'], body['mac']])).toEqual([
      [off, unit().mac],
    ]);
    await driver.answers(off, 'done', { mac: unit().mac ?? '' });
    await takesList();
    expect(sent()).toEqual([empty()]);
  });

  it('gets nothing else of what waited for it', async () => {
    const entries = [{ start: 60, duration: 45, cycle: 1 }];
    const setUID = await buildScheduleSet(kit.server.database.db, driver.farm.id, driver.units, entries);
    const busy = await kit.server.database.pool.connect();
    await busy.query("select pg_advisory_lock(hashtext('headrace deliver'), $1)", [driver.gateway.id]);
    const send = await driver.queue('SendScheduleSet', { payload: { setUID } });
    await remove();
    await busy.query('select pg_advisory_unlock_all()');
    busy.release();
    await turn();
    expect(
      sent()
        .flat()
        .map(({ mac }) => mac),
    ).toEqual([unit(1).mac]);
    expect((await driver.detail(send)).units).toContainEqual(
      expect.objectContaining({
        state: 'cancelled',
        note: 'Not sent: it left the farm meanwhile, or is spare or out of service by now.',
      }),
    );
  });
});

/** Lists as the gateway put them together: the number of sprinklers of each, by its revision. */
function fetchedLists(): (readonly [rev: number, sprinklers: number])[] {
  const lists: IpcListDown[][] = [];
  for (const message of driver.messages('ipc-list')) {
    const part = message.body as unknown as IpcListDown;
    if (part.part === 1) lists.push([]);
    lists.at(-1)?.push(part);
  }
  return lists.map((parts) => {
    const [first] = parts;
    expect(parts.map(({ rev, part, parts: of }) => [rev, part, of])).toEqual(
      parts.map((_part, index) => [first?.rev, index + 1, parts.length]),
    );
    return [first?.rev ?? 0, parts.flatMap(({ ipcs }) => ipcs).length];
  });
}

it('the list that a gateway fetches while 5,000 sprinklers are imported is that of before or of after, and neither waits', async () => {
  const rows = Array.from(
    { length: 5000 },
    (_none, n) => `${n};FETCH${n};0004E9${n.toString(16).toUpperCase().padStart(6, '0')}`,
  );
  const data = ['name;serial;mac', ...rows].join('\n');
  const file = { farmUID: driver.farm.uid, typeFile: 'podlist', filename: 'pods.csv', data };
  // The broker takes its time with the old list.
  const slow = { isAsked: false, letGo: () => {} };
  const held = new Promise<void>((resolve) => (slow.letGo = resolve));
  kit.broker.take = async (topic) => {
    if (!topic.endsWith('/down/ipc-list')) return;
    slow.isAsked = true;
    await held;
  };
  const fetching = driver.command('UpdateINCList', {});
  await eventually(async () => slow.isAsked);
  const { revision, counts } = (await call('POST /import/plan', file)).json<ImportPlan>();
  expect(counts).toMatchObject({ add: 5000, choose: 0, 'left out': 0 });
  const answered = { isSo: false };
  const importing = call('POST /import/apply', { ...file, revision }).finally(() => (answered.isSo = true));
  slow.letGo();
  await fetching;
  kit.broker.take = async () => {};
  while (!answered.isSo) {
    await driver.answers(`list-${String(listsSent().at(-1))}`, 'done');
    await driver.command('UpdateINCList', {});
  }
  expect((await importing).json<ImportDone>().msg.res_message).toBe('5000 imported, 0 skipped');
  const since = performance.now();
  await driver.answers(`list-${String(listsSent().at(-1))}`, 'done');
  await driver.command('UpdateINCList', {});
  // It took twelve seconds while the database knew nothing of so many.
  expect(performance.now() - since).toBeLessThan(5000);
  const lists = fetchedLists();
  const [before, after] = [lists.filter(([, n]) => n === 2), lists.filter(([, n]) => n === 5002)];
  expect([...before, ...after]).toEqual(lists);
  expect(before.length).toBeGreaterThan(1);
  expect(lists.at(-1)).toEqual([(before[0]?.[0] ?? 0) + 1, 5002]);
}, 120_000);

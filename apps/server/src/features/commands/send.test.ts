import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandName, commandTypes, type CommandName } from '@headrace/contract/command-types';
import { commandTable } from '@headrace/device/commands';
import { buildGroup, buildScheduleSet, buildWanted } from '../../testing/irrigation-factories.ts';
import { scheduleCrc } from '@headrace/device/schedule-crc';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { eventually, pause } from './testing/eventually.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** What is taken and what is refused when somebody sends a command. */
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

const change = (values: object, index = 0) =>
  db()
    .updateTable('gateway_state')
    .set(values)
    .where('device_id', '=', driver.gateways[index]?.id ?? 0)
    .execute();
async function refusal(name: CommandName, request?: object): Promise<[number, string]> {
  const reply = await driver.send(name, request);
  return [reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage];
}

const gone: [number, string] = [505, 'Gateway currently unavailable.'];
const blocked: [number, string] = [466, 'Commands blocked until sprinklers list is loaded.'];

/** A good request for every command. */
async function samples(): Promise<Record<CommandName, object>> {
  const mac = driver.units[0]?.mac;
  const groupUID = await buildGroup(db(), driver.farm.id, 'North', driver.units);
  const setUID = await buildWanted(db(), driver.farm.id, driver.units, [
    { start: 60, duration: 45, cycle: 1 },
  ]);
  const unit = { mac };
  const group = { payload: { groupUID } };
  return {
    Poll: unit,
    ValveOn: unit,
    ValveOff: unit,
    Inhibit: unit,
    Uninhibit: unit,
    UpdateSchedule: { payload: { setUID, serialNumbers: [driver.units[0]?.serial_number] } },
    Replace: { mac, payload: { serialNumber: 'NEW', mac: '0004A30B001C0530' } },
    InhibitGroup: group,
    UninhibitGroup: group,
    SendScheduleSet: { payload: { setUID } },
    UpdateInc: {},
    UpdateSettings: { payload: { settings: { statusPeriod: 600 } } },
    UpdateINCList: {},
    IncCommStart: {},
    IncTimeSet: {},
    IncStatusReq: {},
    IncScheduleAll: {},
    IncSaveIpcList: {},
    IncSaveItuList: {},
    ChangeGroupComms: { payload: { groupUID, commsMode: 1 } },
    IncClearStatus: {},
    PollGroup: group,
    Ping: {},
    ToggleIO: { payload: { relay: 3, set: true, overriddenAt: null } },
    IpcReconfigure: unit,
    IncReconfigure: {},
    IpcUpdate: { mac, payload: { name: 'Mode', value: 'Mesh' } },
    ReconfigureGroup: group,
    RefreshAll: {},
    TurnGroupValvesOn: group,
    TurnGroupValvesOff: group,
  };
}

describe('a gateway that is not there', () => {
  it('is offline: 505', async () => {
    await change({ online: false });
    expect(await refusal('Poll')).toEqual(gone);
  });

  it('has been silent for longer than twice the time it reports in: 505', async () => {
    await change({ settings: JSON.stringify({ statusPeriod: 300 }) });
    kit.pass(10);
    expect((await driver.send('Poll')).statusCode).toBe(200);
    kit.pass(0.1);
    expect(await refusal('Poll')).toEqual(gone);
  });

  it('has not said how often it reports: 505 after half an hour', async () => {
    kit.pass(30);
    expect((await driver.send('Poll')).statusCode).toBe(200);
    kit.pass(0.1);
    expect(await refusal('Poll')).toEqual(gone);
  });

  it('is one of several: the others do, and it gets its part when it comes back', async () => {
    driver = await kit.farm({ units: 2, gateways: 2 });
    await change({ online: false }, 1);
    const groupUID = await buildGroup(db(), driver.farm.id, 'North', driver.units);
    const uid = await driver.command('PollGroup', { payload: { groupUID } });
    await pause();
    expect(driver.messages('cmd')).toHaveLength(1);
    expect((await driver.detail(uid)).units.map(({ state }) => state)).toEqual(['sent', 'queued']);
    expect(await refusal('Poll', { mac: driver.units[1]?.mac })).toEqual(gone);
    await driver.hello({ gateway: driver.gateways[1]! });
    await eventually(() => driver.messages('cmd').length === 2);
    expect(driver.messages('cmd')[1]).toMatchObject({
      topic: `headrace/v1/${driver.gateways[1]?.mac}/down/cmd`,
      body: { cmdId: uid, payload: { macs: [driver.units[1]?.mac] } },
    });
  });

  it('does not exist: 505, or 404 for a unit that does not exist', async () => {
    await db()
      .updateTable('device')
      .set({ deleted_at: kit.clock.now })
      .where('id', '=', driver.gateway.id)
      .execute();
    expect(await refusal('IncStatusReq', {})).toEqual(gone);
    expect((await refusal('Poll'))[0]).toBe(409);
    expect(await refusal('Poll', { mac: '0004A30B001C0530' })).toEqual([
      404,
      'This farm has no sprinkler with this MAC address or serial number.',
    ]);
  });
});

it('an owner whose subscription has ended goes on reading and sending', async () => {
  await db()
    .updateTable('account')
    .set({ subscription_valid_until: new Date('2026-11-20T20:59:59Z') })
    .where('id', '=', driver.farm.owner_id)
    .execute();
  expect((await driver.send('Poll')).statusCode).toBe(200);
  for (const [key, query] of [
    ['GET /farms', {}],
    ['GET /group/info', { farmUID: driver.farm.uid, name: 'FARM' }],
    ['GET /commands', { farmUID: driver.farm.uid }],
  ] as const)
    expect([key, (await kit.server.call(key, { headers: driver.headers, query })).statusCode]).toEqual([
      key,
      200,
    ]);
});

describe('a gateway that has not loaded the list', () => {
  it('lets what stops water through, and what needs no list, and no other', async () => {
    await change({ list_rev: 7, acked_rev: 6 });
    const through: string[] = [];
    for (const [name, request] of Object.entries(await samples())) {
      const [status] = name === 'Ping' ? [505] : await refusal(name as CommandName, request);
      if (status !== 466) through.push(name);
    }
    expect(through.toSorted()).toEqual([
      'IncStatusReq',
      'IncTimeSet',
      'Inhibit',
      'InhibitGroup',
      'Ping',
      'RefreshAll',
      'ToggleIO',
      'TurnGroupValvesOff',
      'UpdateINCList',
      'ValveOff',
    ]);
    expect(await refusal('Poll')).toEqual(blocked);
  });

  it('may say by its hello that it has it', async () => {
    await change({ list_rev: 7, acked_rev: 6 });
    await driver.hello({ listRev: 7 });
    expect((await driver.send('Poll')).statusCode).toBe(200);
    await driver.hello({ listRev: 5 });
    expect(await refusal('Uninhibit')).toEqual(blocked);
  });
});

describe('a Ping', () => {
  it('is answered by a gateway that answers, whatever else it is busy with, and is in no log', async () => {
    await driver.command('UpdateInc', {});
    kit.broker.take = async (topic) => {
      if (!topic.includes(driver.gateway.mac ?? '-')) return;
      void eventually(() => driver.messages('cmd').find(({ body }) => body['type'] === 23)).then(({ body }) =>
        driver.answers(String(body['cmdId']), 'done'),
      );
    };
    const reply = await driver.send('Ping', {});
    kit.broker.take = async () => {};
    expect([reply.statusCode, reply.json<{ status: string }>().status]).toEqual([200, 'done']);
    const log = await kit.server.call('GET /commands', {
      headers: driver.headers,
      query: { farmUID: driver.farm.uid },
    });
    expect(log.json<{ commands: { type: number }[] }>().commands.map(({ type }) => type)).toEqual([11]);
  });

  it('is answered by the gateway that the command is for, and by no other', async () => {
    const two = await kit.farm({ gateways: 2, units: 2 });
    const [near, far] = two.gateways;
    const [atNear, atFar] = two.units;
    const groupUID = await buildGroup(db(), two.farm.id, 'Far', atFar ? [atFar] : []);
    // Only the first gateway answers.
    kit.broker.take = async (topic) => {
      if (!topic.includes(near?.mac ?? '-')) return;
      const count = two.messages('cmd').length;
      void eventually(() => two.messages('cmd')[count]).then(({ body }) =>
        two.answers(String(body['cmdId']), 'done'),
      );
    };
    const status = async (request: object) => (await two.send('Ping', request)).statusCode;
    expect(await status({ mac: '-', serialNumber: '-' })).toBe(200);
    expect(await status({ mac: near?.mac })).toBe(200);
    expect(await status({ mac: atNear?.mac })).toBe(200);
    expect(
      await Promise.all([
        status({ serialNumber: far?.serial_number }),
        status({ serialNumber: atFar?.serial_number }),
        status({ payload: { groupUID } }),
      ]),
    ).toEqual([505, 505, 505]);
    kit.broker.take = async () => {};
    expect((await two.send('Ping', { mac: '0004A30B001C0530' })).statusCode).toBe(404);
  });

  it('is 505 when nobody answers, and holds nothing up', async () => {
    expect(await refusal('Ping', {})).toEqual(gone);
    const uid = await driver.command('IncStatusReq', {});
    expect(driver.messages('cmd').map(({ body }) => body['type'])).toEqual([23, 16]);
    await driver.hello();
    await eventually(() => driver.messages('cmd').length === 3);
    await pause();
    expect(
      driver
        .messages('cmd')
        .slice(2)
        .map(({ body }) => body['cmdId']),
    ).toEqual([uid]);
  });
});

/** What a gateway is told beside `macs`, by hand. */
const sentMembers: Record<string, readonly string[]> = {
  Replace: ['serialNumber', 'mac'],
  ChangeGroupComms: ['commsMode'],
  ToggleIO: ['relay', 'set'],
  IpcUpdate: ['name', 'value'],
};

describe('each of the commands', () => {
  // Thirty-one commands, one after the other.
  it('goes to the topic of its row, with the members of its row', async () => {
    const macs = driver.units.map(({ mac }) => mac);
    const requests = Object.entries(await samples());
    // Who holds something else is sent its schedule in place of an Uninhibit.
    const ipcCrc = scheduleCrc([{ start: 60, duration: 45, cycle: 1 }]);
    for (const unit of driver.units) await driver.reportsSchedule(unit, { ipcCrc });
    for (const [name, request] of requests) {
      const before = driver.messages().length;
      if (name === 'Ping') await driver.send('Ping', {});
      else await driver.command(name as CommandName, request);
      const row = commandTable.find((each) => each.name === name);
      const message = await eventually(() => driver.messages()[before]);
      expect([name, message.topic]).toEqual([name, `headrace/v1/${driver.gateway.mac}/down/${row?.topic}`]);
      if (row?.topic === 'cmd') {
        const members = [...(row.target === 'units' ? ['macs'] : []), ...(sentMembers[name] ?? [])];
        expect([name, Object.keys(message.body['payload'] as object).toSorted()]).toEqual([
          name,
          members.toSorted(),
        ]);
        expect(message.body['type']).toBe(commandTypes[name as CommandName]);
        expect('mac' in message.body).toBe(row.target === 'unit');
        if (row.target === 'units') expect(message.body['payload']).toMatchObject({ macs });
      }
      await kit.server.database.pool.query(`update command_unit set state = 'done' where farm_id = $1`, [
        driver.farm.id,
      ]);
    }
  }, 120_000);

  it('UpdateSettings and IncTimeSet carry what they say, and are answered by their id', async () => {
    const settings = await driver.command('UpdateSettings', {
      payload: { settings: { statusPeriod: 600, clockTreshold: 30 } },
    });
    expect(driver.messages('config')[0]?.body).toEqual({
      configId: settings,
      mac: driver.gateway.mac,
      configType: 'IncSettings',
      config: { statusPeriod: 600, clockTreshold: 30 },
      expiresAt: '2026-11-20T21:10:00.000Z',
    });
    await driver.answers(settings, 'done');
    expect((await driver.detail(settings)).command.state).toBe('done');
    const time = await driver.command('IncTimeSet', {});
    // Auckland in November: UTC + 13 h.
    expect(driver.messages('time')[0]?.body).toEqual({
      utc: '2026-11-20T21:00:00.000Z',
      offsetSeconds: 46_800,
      cmdId: time,
    });
    await driver.answers(time, 'done');
    expect((await driver.detail(time)).command.state).toBe('done');
  });
});

describe('what is wrong with a request is named', () => {
  const group = { groupUID: 'FARM' };
  const set = { setUID: 'a'.repeat(24) };
  const wrong: [CommandName, payload: object, message: RegExp][] = [
    ['Poll', { hideNotification: 'yes' }, /^payload: hideNotification must be boolean/],
    ['Poll', { resultMessage: 'a\u0000b' }, /^payload: resultMessage must match pattern/],
    ['ValveOn', { maxOpenMinutes: 0 }, /^payload: maxOpenMinutes must be >= 1/],
    ['ValveOn', { maxOpenMinutes: 1441 }, /^payload: maxOpenMinutes must be <= 1440/],
    ['TurnGroupValvesOn', { ...group, maxOpenMinutes: 1.5 }, /^payload: maxOpenMinutes must be integer/],
    ['InhibitGroup', {}, /^payload: message must have required properties groupUID/],
    [
      'UpdateSchedule',
      { ...set, serialNumbers: [] },
      /^payload: serialNumbers must not have fewer than 1 items/,
    ],
    [
      'UpdateSchedule',
      { ...set, serialNumbers: Array.from({ length: 5001 }, (_, n) => `S${n}`) },
      /^payload: serialNumbers must not have more than 5000 items/,
    ],
    [
      'UpdateSchedule',
      { ...set, serialNumbers: ['a', ''] },
      /^payload: serialNumbers\/1 must not have fewer than 1 characters/,
    ],
    ['SendScheduleSet', { setUID: 'short' }, /^payload: setUID must/],
    ['ChangeGroupComms', group, /^payload: message must have required properties commsMode/],
    ['ChangeGroupComms', { ...group, commsMode: 3 }, /^payload: commsMode must be <= 2/],
    ['Replace', { serialNumber: 'X' }, /^payload: message must have required properties mac/],
    [
      'IpcUpdate',
      { name: 'Mode', value: 'Fast' },
      /^payload: value must be equal to one of the allowed values/,
    ],
    ['ToggleIO', { relay: 7, set: true }, /^payload: relay must be <= 6/],
    ['UpdateSettings', { settings: {} }, /^payload: settings must not have fewer than 1 properties/],
    ['UpdateSettings', { settings: { statusPeriod: 5 } }, /^payload: settings\/statusPeriod must be >= 30/],
  ];
  for (const [name, payload, message] of wrong)
    it(`${name} ${JSON.stringify(payload).slice(0, 60)}`, async () => {
      const [status, text] = await refusal(name, { mac: driver.units[0]?.mac, payload });
      expect(status).toBe(400);
      expect(text).toMatch(message);
    });

  it('a MAC address that is none, a type that is none, a member with a NUL', async () => {
    expect(await refusal('IncStatusReq', { mac: 'the pump' })).toEqual([
      400,
      'mac: give the 12 or 16 hex digits of the unit, or "-".',
    ]);
    expect((await refusal('Poll', { type: 32 }))[0]).toBe(400);
    expect((await refusal('Poll', { serialNumber: 'a\u0000' }))[0]).toBe(400);
    expect((await refusal('PollGroup', { payload: { groupUID: 'a\u0000' } }))[0]).toBe(400);
  });

  it('5,000 units are taken, a payload of more than 1 MB is not', async () => {
    const serialNumbers = Array.from({ length: 5000 }, (_, n) => `S${n}`);
    const [status, text] = await refusal('UpdateSchedule', {
      payload: { setUID: await buildScheduleSet(db(), driver.farm.id, driver.units, []), serialNumbers },
    });
    expect([status, text]).toEqual([400, 'Not sprinklers of this farm: s0, s1, s2, s3, s4 and 4995 more.']);
    const reply = await driver.send('Poll', { payload: { resultMessage: 'x'.repeat(1_100_000) } });
    expect(reply.statusCode).toBe(413);
  });

  it('members that a command does not take are not kept', async () => {
    const uid = await driver.command('Poll', {
      mac: driver.units[0]?.mac,
      payload: { maxOpenMinutes: 5, secret: 'x' },
    });
    const { rows } = await kit.server.database.pool.query('select payload from command where uid = $1', [
      uid,
    ]);
    expect(rows).toEqual([{ payload: {} }]);
    expect(commandName(32)).toBeUndefined();
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { ImportDone, ImportPlan } from '@headrace/contract/imports';
import { levels, type Permissions, presets } from '@headrace/contract/permissions';
import type { DeviceRow } from '../../db/schema.ts';
import { type DeviceKit, deviceKit } from '../../testing/device-kit.ts';
import {
  buildAccount,
  buildDevice,
  buildFarm,
  buildGateway,
  buildQueuedCommand,
  buildShare,
} from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { DISK_FULL, withoutRoomFor } from '../../testing/without-room.ts';

let server: TestServer;
let kit: DeviceKit;
let world: FarmWorld;
let gateway: DeviceRow;
let a1: DeviceRow;
beforeAll(async () => {
  server = await createTestServer();
  kit = deviceKit(server);
});
afterAll(() => server.close());

let number = 0;
const mac = () => `0004B1${(number += 1).toString(16).toUpperCase().padStart(6, '0')}`;
/** Each test calls from a place of its own: a place has so many calls a minute. */
let address = '';
const db = () => server.database.db;
beforeEach(async () => {
  address = `198.51.100.${(number += 1)}`;
  world = await buildFarmWorld(server);
  gateway = await buildGateway(db(), world.farm.id, 'key', { mac: mac() });
  a1 = await buildSprinkler(db(), world.farm.id, { name: 'A1', mac: mac(), serial_number: 'IPC1' });
  await buildGroup(db(), world.farm.id, 'North', [a1]);
});

const fileOf = (data: string, typeFile = 'podlist') => ({
  farmUID: world.farm.uid,
  typeFile,
  data,
  filename: 'pods.csv',
});
const send = (key: string, body: object, headers = world.headers) =>
  server.call(key, { headers, body, address });
async function plan(data: string, typeFile?: string, more: object = {}): Promise<ImportPlan> {
  const reply = await send('POST /import/plan', { ...fileOf(data, typeFile), ...more });
  expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)]);
  return reply.json<ImportPlan>();
}
async function apply(data: string, choice: object = {}, typeFile?: string): Promise<ImportDone> {
  const { revision } = await plan(data, typeFile);
  const reply = await send('POST /import/apply', { ...fileOf(data, typeFile), revision, ...choice });
  expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)]);
  return reply.json<ImportDone>();
}
/** What this unit said of itself: texts, until when it held programmes, and newest readings. */
async function textsOf({ id }: DeviceRow) {
  const facts = await db().selectFrom('device_fact').select('name').where('device_id', '=', id).execute();
  const held = await db().selectFrom('unit_held').select('until').where('device_id', '=', id).execute();
  const latest = await db()
    .selectFrom('latest as l')
    .innerJoin('series as s', (join) =>
      join.onRef('s.farm_id', '=', 'l.farm_id').onRef('s.id', '=', 'l.series_id'),
    )
    .select('l.value')
    .where('s.device_id', '=', id)
    .execute();
  return { facts, held: held.map(({ until }) => until), values: latest.map(({ value }) => value) };
}
type Stored = 'device_group' | 'farm_backup' | 'change_batch' | 'change_log';
async function countOf(table: Stored): Promise<number> {
  const { count } = await db()
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('farm_id', '=', world.farm.id)
    .executeTakeFirstOrThrow();
  return Number(count);
}
/** What people have entered of the farm's devices and groups. */
async function entered() {
  const devices = await db()
    .selectFrom('device')
    .select(['uid', 'kind', 'name', 'serial_number', 'mac', 'lat', 'lng', 'settings'])
    .where('farm_id', '=', world.farm.id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  const members = await db()
    .selectFrom('device_group_member as m')
    .innerJoin('device_group as g', 'g.id', 'm.group_id')
    .select(['g.name', 'm.device_id'])
    .where('m.farm_id', '=', world.farm.id)
    .orderBy('g.name')
    .orderBy('m.device_id')
    .execute();
  return { devices, members };
}

describe('a list of sprinklers', () => {
  it('is planned row by row, and nothing is written', async () => {
    const before = await entered();
    const free = mac();
    const planned = await plan(
      [
        'name;serial;mac;channel;group;lat;lng',
        `A1;ipc1;;16;North;-43.751;171.951`,
        `A2;IPC2;${free};;West;;`,
        `A3;IPC3;${gateway.mac};;;;`,
        `Trough4;IPC4;${mac()};;;;`,
        `A1;IPC9;${mac()};;;;`,
        `A6;IPC2;${mac()};;;;`,
        `A7;IPC7;;;;;`,
      ].join('\n'),
    );
    expect(planned.counts).toEqual({ add: 1, change: 1, choose: 1, same: 0, 'left out': 4 });
    expect(planned.newGroups).toEqual(['West']);
    expect(
      planned.rows.map(({ line, name, action, fields, why }) => [line, name, action, fields, why]),
    ).toEqual([
      [
        2,
        'A1',
        'change',
        [
          { field: 'serialNumber', from: 'IPC1', to: 'ipc1' },
          { field: 'lat', from: '', to: '-43.751' },
          { field: 'lng', from: '', to: '171.951' },
          { field: 'channel', from: '1', to: '16' },
        ],
        '',
      ],
      [
        3,
        'A2',
        'add',
        [
          { field: 'name', from: '', to: 'A2' },
          { field: 'serialNumber', from: '', to: 'IPC2' },
          { field: 'macAddress', from: '', to: free },
          { field: 'farmId', from: '', to: '01:01' },
          { field: 'channel', from: '', to: '1' },
          { field: 'groups', from: '', to: 'West' },
        ],
        '',
      ],
      [
        4,
        'A3',
        'left out',
        [],
        `Row 4, column mac, '${gateway.mac}': The gateway ${gateway.name} has this MAC address. Compare it with the label.`,
      ],
      [5, 'Trough4', 'left out', [], "Row 5, column name, 'Trough4': Name can have at most 5 characters."],
      [
        6,
        'A1',
        'left out',
        [],
        "Row 6, column serial, 'IPC9': A1 has the serial number IPC1. A list changes no serial numbers: replace the unit instead.",
      ],
      [
        7,
        'A6',
        'choose',
        expect.arrayContaining([{ field: 'serialNumber', from: '', to: 'IPC2' }]),
        "Row 7, column serial, 'IPC2': Line 3 is about the same serial number. Tick this one to have it instead.",
      ],
      [8, 'A7', 'left out', [], 'Row 8: MAC address is required.'],
    ]);
    expect(await entered()).toEqual(before);
  });

  it('does what was shown, in one step that can be undone, and tells the gateway’s list once', async () => {
    const before = await entered();
    const revisions = await kit.revisions(gateway);
    const data = `name;serial;mac;channel;group\nA1;IPC1;;16;\nA2;IPC2;${mac()};;West|North\nA3;IPC3;${mac()};;\n`;
    const done = await apply(data, { skip: [2] });
    expect(done).toEqual({
      result: true,
      msg: { res_message: '2 imported, 1 skipped#A3-not ticked' },
      batchId: expect.any(String),
    });
    const { devices, members } = await entered();
    expect(devices.find(({ name }) => name === 'A1')?.settings).toEqual({ channel: 16 });
    expect(devices.find(({ name }) => name === 'A2')).toMatchObject({
      serial_number: 'IPC2',
      settings: { channel: 1, farmId: '01:01', isSpareUnit: false },
    });
    expect(devices.some(({ name }) => name === 'A3')).toBe(false);
    expect(members.map(({ name }) => name)).toEqual(['North', 'North', 'West']);
    // One for the change and one for what is new.
    expect((await kit.revisions(gateway)).list - revisions.list).toBe(2);
    expect((await plan(data)).counts).toEqual({ add: 1, change: 0, choose: 0, same: 2, 'left out': 0 });

    const undone = await send('POST /undo', {
      farmUID: world.farm.uid,
      batchId: done.batchId,
      act: 'import',
    });
    expect(undone.statusCode).toBe(200);
    expect(await entered()).toEqual(before);
  });

  it('of two rows about one unit does the one that is ticked, and never both', async () => {
    const [one, other] = [mac(), mac()];
    const data = [
      'name;serial;mac;channel',
      'A1;IPC1;;16',
      'A1;IPC1;;17',
      'A1;IPC1;;16',
      'A1;IPC1;;',
      `A2;IPC2;${one};`,
      `A3;IPC3;${one};`,
      `A4;ipc 2;${other};`,
    ].join('\n');
    const { rows, revision } = await plan(data);
    const instead = 'Tick this one to have it instead.';
    expect(rows.map(({ line, action, apart, why }) => [line, action, apart, why])).toEqual([
      [2, 'change', [0, 1, 2], ''],
      [3, 'choose', [0, 1, 2], `Row 3: Line 2 is about the same unit. ${instead}`],
      [4, 'left out', undefined, 'Row 4: Line 2 says the same.'],
      [
        5,
        'left out',
        undefined,
        'Row 5: Line 2 is about the same unit. Untick that one to leave the unit as it is.',
      ],
      [6, 'add', [3, 4], ''],
      [7, 'choose', [4], `Row 7, column mac, '${one}': Line 6 is about the same MAC address. ${instead}`],
      [8, 'choose', [3], `Row 8, column serial, 'ipc 2': Line 6 is about the same serial number. ${instead}`],
    ]);
    const before = await entered();
    const both = await send('POST /import/apply', { ...fileOf(data), revision, take: [1] });
    expect([both.statusCode, both.json()]).toMatchObject([
      400,
      { errorMessage: 'Lines 2 and 3 are about the same device: choose one of them.', field: 'take' },
    ]);
    expect(await entered()).toEqual(before);
    const { msg } = await apply(data, { skip: [0, 4], take: [1, 5, 6] });
    expect(msg.res_message).toMatch(/^3 imported, 4 skipped/);
    const { devices } = await entered();
    expect(devices.find(({ name }) => name === 'A1')?.settings).toEqual({ channel: 17 });
    expect(
      devices.flatMap(({ name, mac: has }) => (name === 'A3' || name === 'A4' ? [[name, has]] : [])),
    ).toEqual([
      ['A3', one],
      ['A4', other],
    ]);
  });

  it('is refused with the new plan when the farm changed since, and nothing is done', async () => {
    const data = 'name;serial;channel\nA1;IPC1;16';
    const { revision } = await plan(data);
    await world.send('POST /group', { farmUID: world.farm.uid, name: 'River' });
    const before = await entered();
    const reply = await send('POST /import/apply', { ...fileOf(data), revision });
    expect(reply.statusCode).toBe(409);
    const { field, current } = reply.json<{ field: string; current: ImportPlan }>();
    expect(field).toBe('revision');
    expect(current.counts).toMatchObject({ change: 1 });
    expect(await entered()).toEqual(before);
    const again = await send('POST /import/apply', { ...fileOf(data), revision: current.revision });
    expect(again.statusCode).toBe(200);
  });

  it('of two who apply at once is done by one, and the other is shown what is left', async () => {
    const data = 'name;serial;mac\nB1;NEW1;0004B1FFFF01';
    const { revision } = await plan(data);
    const both = [1, 2].map(() => send('POST /import/apply', { ...fileOf(data), revision }));
    const [first, second] = (await Promise.all(both)).toSorted(
      (one, other) => one.statusCode - other.statusCode,
    );
    expect([first?.statusCode, second?.statusCode]).toEqual([200, 409]);
    expect(second?.json<{ current: ImportPlan }>().current.counts).toMatchObject({ add: 0, same: 1 });
  });

  it('of a farm that was deleted meanwhile is refused', async () => {
    const data = 'name;serial;channel\nA1;IPC1;16';
    const { revision } = await plan(data);
    await db()
      .updateTable('farm')
      .set({ deleted_at: server.clock.now })
      .where('id', '=', world.farm.id)
      .execute();
    expect((await send('POST /import/apply', { ...fileOf(data), revision })).statusCode).toBe(404);
  });

  it('puts a sprinkler into another lateral group, and takes it out of no other', async () => {
    await kit.lateral(world.farm.id, 'Line 1');
    await kit.lateral(world.farm.id, 'Line 2');
    await apply('name;serial;group\nA1;IPC1;Line 1');
    const moved = { field: 'groups', from: 'Line 1, North', to: 'Line 2, North' };
    expect((await plan('name;serial;group\nA1;IPC1;line 2')).rows[0]).toMatchObject({
      action: 'choose',
      fields: [moved],
      stay: [],
      why: 'It is in the lateral group Line 1, and a sprinkler is in one only: it moves to Line 2, or stays.',
    });
    const data = 'name;serial;channel;group\nA1;IPC1;16;Line 2|West';
    const { rows, revision } = await plan(data);
    expect([rows[0]?.fields, rows[0]?.stay]).toEqual([
      [
        { field: 'channel', from: '1', to: '16' },
        { ...moved, to: 'Line 2, North, West' },
      ],
      [
        { field: 'channel', from: '1', to: '16' },
        { ...moved, to: 'Line 1, North, West' },
      ],
    ]);
    const both = await send('POST /import/apply', { ...fileOf(data), revision, take: [0], stay: [0] });
    expect([both.statusCode, both.json<{ field: string }>().field]).toEqual([400, 'stay']);
    const groups = async () => (await entered()).members.map(({ name }) => name);
    const before = await entered();
    expect((await apply(data)).msg.res_message).toMatch(/^0 imported, 1 skipped#A1-It is in the lateral/);
    const stayed = await apply(data, { stay: [0] });
    expect([stayed.msg.res_message, await groups()]).toEqual([
      '1 imported, 0 skipped',
      ['Line 1', 'North', 'West'],
    ]);
    const undo = { farmUID: world.farm.uid, act: 'import' };
    await send('POST /undo', { ...undo, batchId: stayed.batchId });
    expect(await entered()).toEqual(before);
    await apply(data, { take: [0] });
    expect(await groups()).toEqual(['Line 2', 'North', 'West']);
    expect((await plan('name;serial;group\nA1;IPC1;Line 1|Line 2')).rows[0]?.why).toBe(
      "Row 2, column group, 'Line 1|Line 2': A sprinkler can be in one lateral group only, and these are lateral: Line 1, Line 2. Leave one of them.",
    );
  });

  it('asks about a place that is hardly meant, and leaves one out that cannot be', async () => {
    const data = 'name;serial;lat;lng\nA1;IPC1;-43.75;172.4';
    const { rows, counts } = await plan(data);
    expect([rows[0]?.action, counts.choose]).toEqual(['choose', 1]);
    expect(rows[0]?.why).toMatch(/^This place is \d+(\.\d)? km from Farm/);
    expect((await apply(data)).msg.res_message).toMatch(/^0 imported, 1 skipped#A1-This place is/);
    expect((await apply(data, { take: [0] })).msg.res_message).toBe('1 imported, 0 skipped');
    expect((await plan('name;serial;lat;lng\nA1;IPC1;171.9;-43.7')).rows[0]?.why).toBe(
      "Row 2, column lat, '171.9': Latitude and longitude are the wrong way round: swap the columns.",
    );
  });

  it('takes a place whole or not at all', async () => {
    await db().updateTable('device').set({ lat: -43.75, lng: 171.95 }).where('id', '=', a1.id).execute();
    const { rows } = await plan(
      `name;serial;mac;lat;lng\nA1;IPC1;;-43.76;\nA2;IPC2;${mac()};;171.95\nA3;IPC3;${mac()};;`,
    );
    expect(rows.map(({ action, why }) => [action, why])).toEqual([
      ['left out', "Row 2, column lat, '-43.76': It has a latitude only. A place needs both."],
      ['left out', "Row 3, column lng, '171.95': It has a longitude only. A place needs both."],
      ['add', ''],
    ]);
  });

  it('judges the name of each new group as its form does', async () => {
    const long = 'x'.repeat(41);
    const { rows, newGroups } = await plan(
      `name;serial;group\nA1;IPC1;West|${long}\nA1;IPC1;West|Ea\u0007st\nA1;IPC1;${'x'.repeat(40)}`,
    );
    expect(rows.map(({ why }) => why)).toEqual([
      `Row 2, column group, 'West|${'x'.repeat(34)}…': ${'x'.repeat(39)}…: Group can have at most 40 characters.`,
      "Row 3, column group, 'West|Ea␀st': Ea␀st: Group holds a character that can't be shown. Please type it again.",
      '',
    ]);
    expect(newGroups).toEqual(['x'.repeat(40)]);
  });

  it('makes 500 groups, and is refused where it would make more', async () => {
    const named = (count: number) => {
      const names = Array.from({ length: count }, (_none, n) => `G${n}`);
      const cells = [0, 1].map((half) => names.filter((_name, n) => n % 2 === half).join('|'));
      return `name;serial;mac;group\nA1;IPC1;;${cells[0]}\nA2;IPC2;0004B1FFFFFF;${cells[1]}`;
    };
    const refused = await send('POST /import/plan', fileOf(named(501)));
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      expect.objectContaining({
        field: 'data',
        errorMessage: 'The file would add 501 groups. The most is 500: please look at its column of groups.',
      }),
    ]);
    const { msg } = await apply(named(500));
    expect(msg.res_message).toBe('2 imported, 0 skipped');
    // With North, in which A1 is.
    expect((await entered()).members).toHaveLength(501);
  });

  it.each(['another farm', 'the farm'])('gives no MAC back that a unit of %s has by now', async (where) => {
    const { batchId } = await apply(`name;serial;mac\nA1;IPC1;${mac()}`);
    const farm = where === 'the farm' ? world.farm : (await buildFarmWorld(server)).farm;
    const holder = await buildSprinkler(db(), farm.id, { name: 'Z1', mac: a1.mac ?? '' });
    const before = await entered();
    const body = { farmUID: world.farm.uid, batchId, act: 'import' };
    const reply = await send('POST /undo', { ...body, putBack: [a1.uid] });
    expect([reply.statusCode, reply.json<{ current: unknown }>().current]).toMatchObject([
      409,
      {
        conflicts: [{ name: 'A1', canPutBack: false, why: 'Its MAC address is in use by another device.' }],
      },
    ]);
    expect(await entered()).toEqual(before);
    await db().updateTable('device').set({ mac: mac() }).where('id', '=', holder.id).execute();
    expect((await send('POST /undo', body)).statusCode).toBe(200);
    expect((await entered()).devices.find(({ uid }) => uid === a1.uid)?.mac).toBe(a1.mac);
  });

  it('as spares adds spares, and takes nothing out of service', async () => {
    const data = `name;serial;mac\nA1;IPC1;\nS1;IPC8;${mac()}`;
    const { rows } = await plan(data, 'sparelist', { options: { farmId: '02:03', channel: 2 } });
    expect(rows.map(({ action, why }) => [action, why])).toEqual([
      [
        'left out',
        'Row 2: It is in service as A1: only new units are imported as spares. Take it out, or import it without Import as Spares.',
      ],
      ['add', ''],
    ]);
    expect(rows[1]?.fields).toContainEqual({ field: 'farmId', from: '', to: '02:03' });
    await apply(data, {}, 'sparelist');
    expect((await entered()).devices.find(({ name }) => name === 'S1')?.settings).toMatchObject({
      isSpareUnit: true,
    });
  });

  it('asks about a new serial number that is one of the farm without its zeros', async () => {
    await buildSprinkler(db(), world.farm.id, { name: 'Z1', mac: mac(), serial_number: '00123' });
    const data = `name;serial;mac\nZ2;123;${mac()}\nZ1;0123;`;
    const { rows } = await plan(data);
    expect(rows.map(({ action, why }) => [action, why])).toEqual([
      [
        'choose',
        'Z1 has the serial number 00123: were zeros lost in a spreadsheet? Tick it if it is another unit.',
      ],
      [
        'left out',
        "Row 3, column serial, '0123': Z1 has the serial number 00123: were zeros lost in a spreadsheet? Format the column as text.",
      ],
    ]);
    expect((await apply(data, { take: [0] })).msg.res_message).toMatch(/^1 imported, 1 skipped/);
  });

  it.each(['somebody else’s', 'one’s own'])(
    'tells nothing of %s other farm but that it has a MAC',
    async (whose) => {
      const farm =
        whose === 'one’s own' ? await buildFarm(db(), world.owner.id) : (await buildFarmWorld(server)).farm;
      const theirs = await buildSprinkler(db(), farm.id, { name: 'Z1', mac: mac() });
      const data = `name;serial;mac\nA2;IPC2;${theirs.mac}\nA1;IPC1;${theirs.mac}`;
      const { rows, revision } = await plan(data);
      const why = (line: number) =>
        `Row ${line}, column mac, '${theirs.mac}': It is in use on another farm. Compare it with the label.`;
      expect(rows.map((row) => [row.action, row.why, row.others])).toEqual([
        ['left out', why(2), undefined],
        ['left out', why(3), undefined],
      ]);
      const reply = await send('POST /import/apply', { ...fileOf(data), revision, take: [0, 1] });
      expect(reply.json<ImportDone>().msg.res_message).toMatch(/^0 imported, 2 skipped/);
    },
  );

  it('swaps two units whose MACs were mixed up, where that is ticked; undone, or swapped again, they are as before', async () => {
    const a2 = await buildSprinkler(db(), world.farm.id, { name: 'A2', mac: mac(), serial_number: 'IPC2' });
    const before = await entered();
    const data = `name;serial;mac\nA1;IPC1;${a2.mac}`;
    const { rows, counts } = await plan(data);
    expect([counts.choose, rows]).toEqual([
      1,
      [
        {
          row: 0,
          line: 2,
          kind: 'sprinkler',
          name: 'A1',
          action: 'choose',
          fields: [{ field: 'macAddress', from: a1.mac, to: a2.mac }],
          why: `A2 has this MAC address. Ticked, they swap: A2 gets ${a1.mac}.`,
          others: [{ name: 'A2', fields: [{ field: 'macAddress', from: a2.mac, to: a1.mac }] }],
        },
      ],
    ]);
    expect((await apply(data)).msg.res_message).toBe(
      `0 imported, 1 skipped#A1-A2 has this MAC address. Ticked, they swap: A2 gets ${a1.mac}.`,
    );
    expect(await entered()).toEqual(before);
    const revisions = await kit.revisions(gateway);
    const { batchId } = await apply(data, { take: [0] });
    const macs = async () =>
      (await entered()).devices.filter(({ kind }) => kind === 'sprinkler').map((unit) => unit.mac);
    expect(await macs()).toEqual([a2.mac, a1.mac]);
    expect((await kit.revisions(gateway)).list - revisions.list).toBe(1);
    expect((await plan(data)).counts).toMatchObject({ same: 1, choose: 0 });
    await send('POST /undo', { farmUID: world.farm.uid, batchId, act: 'import' });
    expect(await entered()).toEqual(before);
    await apply(data, { take: [0] });
    await apply(`name;serial;mac\nA1;IPC1;${a1.mac}`, { take: [0] });
    expect(await entered()).toEqual(before);
  });

  it('asks whether what a command is on its way to is to be another unit for its gateway; a plan from before that is refused', async () => {
    const a2 = await buildSprinkler(db(), world.farm.id, { name: 'A2', mac: mac(), serial_number: 'IPC2' });
    const data = `name;serial;channel;lat;lng\nA1;IPC1;16;;\nA2;IPC2;;-43.751;171.951`;
    const first = await plan(data);
    expect(first.counts).toMatchObject({ change: 2, choose: 0 });
    for (const unit of [a1, a2])
      await buildQueuedCommand(db(), gateway, server.clock.now, {
        unit,
        type: commandTypes.ValveOn,
        state: 'sent',
      });
    const late = await send('POST /import/apply', { ...fileOf(data), revision: first.revision });
    const { current } = late.json<{ current: ImportPlan }>();
    const why =
      'Valve On is on its way to A1, and its gateway calls it by what it has now. Wait for its end and look again, or tick it to change it all the same.';
    expect([late.statusCode, current.rows.map((row) => [row.name, row.action, row.why])]).toEqual([
      409,
      [
        ['A1', 'choose', why],
        // Where it stands is nothing to its gateway.
        ['A2', 'change', ''],
      ],
    ]);
    const file = { ...fileOf(data), revision: current.revision };
    expect(
      (await send('POST /import/apply', { ...file, take: [0] })).json<ImportDone>().msg.res_message,
    ).toBe('2 imported, 0 skipped');
  });
});

describe('what was exported, read back, changes nothing:', () => {
  beforeEach(async () => {
    for (const [name, group] of [
      ["'=A2", 'West; east'],
      ['"B"', 'a|b'],
    ] as const) {
      const unit = await buildSprinkler(db(), world.farm.id, { name, mac: mac(), settings: { channel: 16 } });
      await buildGroup(db(), world.farm.id, group, [a1, unit]);
      await db()
        .updateTable('device')
        .set({ lat: -43.7512345678, lng: 171.95 })
        .where('id', '=', unit.id)
        .execute();
    }
    await buildSprinkler(db(), world.farm.id, { name: 'S1', mac: mac(), settings: { isSpareUnit: true } });
    await buildSprinkler(db(), world.farm.id, { name: 'P1', mac: mac(), settings: { isPlaceholder: true } });
    await buildDevice(db(), world.farm.id, 'repeater', { name: 'R1', mac: mac() });
  });

  it.each([
    ['podlist', 'project', 3],
    ['rptrlist', 'project', 1],
    ['devices.csv', 'podlist', 5],
    // With the placeless gateway's place unsaid; the placeholder has no unit.
    ['site-json', 'ims', 5],
  ])('%s as %s', async (path, typeFile, units) => {
    const { body } = await world.get(`GET /export/${path}`, { farmUID: world.farm.uid });
    expect(await plan(body, typeFile)).toMatchObject({
      counts: { add: 0, change: 0, choose: 0, same: units, 'left out': 0 },
      newGroups: [],
      rows: [],
    });
  });
});

describe('a project', () => {
  const project = () =>
    [
      '[farm]',
      'name=Hill',
      'lat=-35',
      'lng=150',
      '[gateway1]',
      `name=${gateway.name}`,
      'lat=-43.751',
      'lng=171.951',
      '[group1]',
      'name=North',
      '[group2]',
      'name=West',
      '[group3]',
      'name=East',
      '[pod1]',
      'name=A1',
      'serial=IPC1',
      'group=East',
      '[boundary]',
      'p1=-43.74,171.94',
      'p2=-43.74,171.96',
      'p3=-43.76,171.96',
      'p4=-43.76,171.94',
    ].join('\n');
  const site = async () => {
    const { body } = await world.get('GET /export/site-json', { farmUID: world.farm.uid });
    const { exportedAt: _at, ...rest } = JSON.parse(body) as {
      exportedAt: string;
      farm: { name: string; lat: number; boundary: unknown[]; timezone: { timeZoneId: string } };
      groups: { name: string }[];
    };
    return rest;
  };

  it('brings groups, the places of gateways and the boundary; what the farm is called and where it is, where that is ticked', async () => {
    await db()
      .updateTable('farm')
      .set({ lat: -43.75, lng: 171.95, boundary: '[]' })
      .where('id', '=', world.farm.id)
      .execute();
    const before = await site();
    const planned = await plan(project(), 'project');
    expect(planned.newGroups).toEqual(['East']);
    expect(planned.rows.map(({ kind, name, action }) => [kind, name, action])).toEqual([
      ['sprinkler', 'A1', 'change'],
      ['group', 'West', 'add'],
      ['farm', before.farm.name, 'choose'],
      ['boundary', 'Hill', 'change'],
      ['gateway', gateway.name, 'change'],
    ]);
    const farmRow = planned.rows.find(({ kind }) => kind === 'farm');
    expect(farmRow?.fields).toEqual([
      { field: 'name', from: before.farm.name, to: 'Hill' },
      { field: 'lat', from: '-43.75', to: '-35' },
      { field: 'lng', from: '171.95', to: '150' },
    ]);
    expect([farmRow?.why, farmRow?.stay]).toEqual([
      'That is 2,114 km from where the farm stands, and its devices stay where they are. The file may be of another farm. Tick it if this farm is to be called and to stand so.',
      [{ field: 'name', from: before.farm.name, to: 'Hill' }],
    ]);
    const named = await apply(project(), { stay: [farmRow?.row] }, 'project');
    expect((await site()).farm).toMatchObject({ name: 'Hill', lat: -43.75 });
    await send('POST /undo', { farmUID: world.farm.uid, batchId: named.batchId, act: 'import' });
    const { batchId } = await apply(project(), { take: [farmRow?.row] }, 'project');
    const after = await site();
    expect(after.farm).toMatchObject({ name: 'Hill', lat: -35, boundary: { length: 4 } });
    // Of its place now: New South Wales.
    expect(after.farm.timezone.timeZoneId).toBe('Australia/Sydney');
    expect(after.groups.map(({ name }) => name)).toEqual(['East', 'North', 'West']);
    const undone = await send('POST /undo', { farmUID: world.farm.uid, batchId, act: 'import' });
    expect([undone.statusCode, await site()]).toEqual([200, before]);
  });

  it('read back as it was applied changes nothing, but for what was not ticked', async () => {
    await apply(project().replace('lat=-35', 'lat=-43.7').replace('lng=150', 'lng=171.9'), {}, 'project');
    const { counts } = await plan(project(), 'project');
    expect(counts).toMatchObject({ add: 0, change: 0 });
  });
});

describe('rights', () => {
  const as = async (rights: Partial<Permissions>) => {
    const agent = await buildAccount(db(), { type: 'AGENT' });
    await buildShare(db(), world.farm.id, agent.id, { ...presets.none, import: true, ...rights });
    return server.signIn(agent);
  };
  const data = () => `name;serial;mac;channel\nA1;IPC1;;16\nA2;IPC2;${mac()};1`;

  it.each([
    [
      {},
      [
        "Row 2: You may not see sprinklers of this farm. Ask the farm's owner for that.",
        "Row 3: You may not see sprinklers of this farm. Ask the farm's owner for that.",
      ],
    ],
    [
      { irrigationDevices: levels.Read | levels.Edit },
      ['', "Row 3: You may not add sprinklers. Ask the farm's owner for that."],
    ],
    [
      { irrigationDevices: levels.Read | levels.Create },
      ["Row 2: You may not change sprinklers. Ask the farm's owner for that.", ''],
    ],
  ])('with %j rows are left out that the person may not do', async (rights, why) => {
    const reply = await send('POST /import/plan', fileOf(data()), await as(rights));
    expect(reply.json<ImportPlan>().rows.map((row) => row.why)).toEqual(why);
  });

  it('to undo it are those to do it', async () => {
    const { batchId } = await apply(data());
    const body = { farmUID: world.farm.uid, batchId, act: 'import' };
    const headers = await as({ farms: levels.Read, irrigationDevices: levels.Read | levels.Edit });
    const reply = await send('POST /undo', body, headers);
    expect([reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage]).toEqual([
      403,
      'It is about a sprinkler too, and you may not add those.',
    ]);
  });
});

describe('for programs', () => {
  it('a file is planned and applied in one', async () => {
    const data = `[pod1]\nname=A1\nserial=IPC1\nchannel=2\n[pod2]\nname=A-2\nserial=IPC2\nmac=zz\n[repeater1]\nname=R1\nserial=R1\nmac=${mac()}\n`;
    const reply = await send('POST /import/file', fileOf(data, 'project'));
    expect(reply.json()).toEqual({
      result: true,
      msg: {
        res_message: "2 imported, 1 skipped#A‑2-Line 8, mac, 'zz': MAC address must be 12 or 16 hex digits.",
      },
      batchId: expect.any(String),
    });
    expect((await entered()).devices.find(({ name }) => name === 'R1')).toMatchObject({ kind: 'repeater' });
  });

  it('a file that cannot be read is answered with the reason', async () => {
    const reply = await send('POST /import/file', fileOf('<html>'));
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      {
        result: false,
        msg: {
          res_message:
            'File pods.csv was not uploaded. This is a web page. Sign in where you got it and download the file again.',
        },
        batchId: null,
      },
    ]);
  });
});

describe('a site.json', () => {
  const site = (ipcs: object[], more: object = {}) =>
    JSON.stringify({ version: 1, groups: [{ _id: 'g', name: 'West|East' }], ipcs, ...more });

  it('matches units by their id, whatever they are called by now', async () => {
    const ipc = { _id: a1.uid, name: 'B7', serialNumber: 'IPC1', groups: ['g'], settings: { channel: 16 } };
    const { rows, newGroups } = await plan(site([ipc]), 'ims');
    expect(rows.map(({ action, fields }) => [action, fields])).toEqual([
      [
        'change',
        [
          { field: 'name', from: 'A1', to: 'B7' },
          { field: 'channel', from: '1', to: '16' },
          { field: 'groups', from: 'North', to: 'North, West|East' },
        ],
      ],
    ]);
    expect(newGroups).toEqual(['West|East']);
  });

  it('has schedules, for sprinklers that are there', async () => {
    const set = {
      _id: 'e'.repeat(24),
      name: 'Summer',
      settings: { cycleLen: 1440 },
      schedules: [
        {
          name: 'A1',
          serialNumber: 'IPC1',
          group: 'North',
          scheduleGroup: 'North',
          schedules: [{ start: 330, duration: 30, cycle: 1 }],
        },
        {
          name: 'A2',
          serialNumber: 'IPC2',
          group: 'North',
          scheduleGroup: 'North',
          schedules: [{ start: 360, duration: 30, cycle: 1 }],
        },
      ],
    };
    const ipc = { name: 'A2', serialNumber: 'IPC2', macAddress: mac(), groups: ['g'] };
    const data = site([ipc], { groups: [{ _id: 'g', name: 'North' }], schedules: [set] });
    const told = ({ rows }: ImportPlan) => rows.map(({ name, action, why }) => [name, action, why]);
    expect(told(await plan(data, 'ims'))).toEqual([
      ['A2', 'add', ''],
      [
        'Summer',
        'left out',
        "Line 1, name, 'Summer': 1 of its 2 turns are of sprinklers that this file adds. Import the file once more when they are there.",
      ],
    ]);
    await apply(data, {}, 'ims');
    expect(told(await plan(data, 'ims'))).toEqual([['Summer', 'add', 'It is sent to no sprinkler by this.']]);
  });

  it('with Replace IPCs puts other units where those of its ids and names stand', async () => {
    const ipcs = [
      { _id: a1.uid, name: 'A1', serialNumber: 'IPC2', macAddress: '0004B1FFFF02' },
      { _id: 'f'.repeat(24), name: 'A2', serialNumber: 'IPC1', macAddress: '0004B1FFFF03' },
    ];
    await buildSprinkler(db(), world.farm.id, { name: 'A2', mac: mac(), serial_number: 'IPC3' });
    const options = { replaceIpcs: true };
    const before = await entered();
    const { rows, revision } = await plan(site(ipcs), 'ims', { options });
    expect(rows.map(({ name, action, why }) => [name, action, why])).toEqual([
      [
        'A1',
        'choose',
        'Another unit stands there: it keeps the place and its history, and has still to get its schedule. A2 gets its serial number on line 1. It goes together with line 1.',
      ],
      [
        'A2',
        'choose',
        'Another unit stands there: it keeps the place and its history, and has still to get its schedule. A1 has this serial number, and another one on line 1. It goes together with line 1.',
      ],
    ]);
    const file = { ...fileOf(site(ipcs), 'ims'), options };
    const half = await send('POST /import/apply', { ...file, revision, take: [0] });
    expect([half.statusCode, half.json()]).toEqual([
      400,
      expect.objectContaining({
        field: 'take',
        errorMessage: 'Lines 1 and 1 go together: choose both of them, or neither.',
      }),
    ]);
    const reply = await send('POST /import/apply', { ...file, revision, take: [0, 1] });
    const { batchId } = reply.json<ImportDone>();
    const units = (await entered()).devices.filter(({ kind }) => kind === 'sprinkler');
    expect(units.map(({ name, serial_number, mac: of }) => [name, serial_number, of])).toEqual([
      ['A1', 'IPC2', '0004B1FFFF02'],
      ['A2', 'IPC1', '0004B1FFFF03'],
    ]);
    await send('POST /undo', { farmUID: world.farm.uid, batchId, act: 'import' });
    expect(await entered()).toEqual(before);
  });

  it('with Replace IPCs what the old unit said is not the word of the new one, and a schedule waits for the second import', async () => {
    await world.record(a1, [{ at: server.clock.now.toISOString(), values: { batteryMv: 3600 } }]);
    const key = { farm_id: world.farm.id, device_id: a1.id };
    const since = new Date(server.clock.now.getTime() - 1000);
    await db()
      .insertInto('unit_held')
      .values({ ...key, since, crc: 'AB12', entries: '[]', cycle_days: 1, how: 'said' })
      .execute();
    await db()
      .insertInto('device_fact')
      .values({ ...key, name: 'ipcCrc', at: since, value: 'AB12' })
      .execute();
    const turn = { name: 'A1', serialNumber: 'IPC2', group: 'North', scheduleGroup: 'North' };
    const schedules = [{ ...turn, schedules: [{ start: 330, duration: 30, cycle: 1 }] }];
    const set = { _id: 'e'.repeat(24), name: 'Summer', settings: { cycleLen: 1440 }, schedules };
    const ipc = { _id: a1.uid, name: 'A1', serialNumber: 'IPC2', macAddress: mac() };
    const options = { replaceIpcs: true };
    const file = { ...fileOf(site([ipc], { schedules: [set] }), 'ims'), options };
    const { rows, revision } = await plan(file.data, 'ims', { options });
    expect(rows.map(({ name, action, why }) => [name, action, why])).toContainEqual([
      'Summer',
      'left out',
      "Line 1, name, 'Summer': 1 of its 1 turns are of sprinklers that this file adds. Import the file once more when they are there.",
    ]);
    expect((await send('POST /import/apply', { ...file, revision })).statusCode).toBe(200);
    expect(await textsOf(a1)).toEqual({ facts: [], held: [server.clock.now], values: [null] });
  });

  it('with two schedules of one name adds both, and finds each again', async () => {
    const turn = { name: 'A1', serialNumber: a1.serial_number, group: 'North', scheduleGroup: 'North' };
    const sets = [330, 700].map((start, index) => ({
      _id: `${index}`.repeat(24),
      name: 'Summer',
      settings: { cycleLen: 1440 },
      schedules: [{ ...turn, schedules: [{ start, duration: 30, cycle: 1 }] }],
    }));
    const file = { ...fileOf(site([], { schedules: sets }), 'ims') };
    const { rows, revision } = await plan(file.data, 'ims');
    expect(rows.map(({ name, action }) => [name, action])).toEqual([
      ['Summer', 'add'],
      ['Summer', 'add'],
    ]);
    expect((await send('POST /import/apply', { ...file, revision })).statusCode).toBe(200);
    const other = await plan(site([], { schedules: sets.toReversed() }), 'ims');
    expect(other.counts).toMatchObject({ same: 2, add: 0, change: 0 });
  });

  it.each([
    [
      'that can’t be stored',
      { group: 'South' },
      "Line 1, group, 'South': the farm has no such group. Add it first.",
    ],
    [
      'whose sprinklers come with the file',
      { serialNumber: 'IPC9' },
      "Line 1, name, 'Summer': 1 of its 1 turns are of sprinklers that this file adds. Import the file once more when they are there.",
    ],
  ])(
    'a schedule %s leaves the one of its name on the farm to another of the file',
    async (_what, of, why) => {
      const turn = { name: 'A1', serialNumber: a1.serial_number, group: 'North', scheduleGroup: 'North' };
      const set = (uid: string, start: number, other: object = {}) => ({
        _id: uid.repeat(24),
        name: 'Summer',
        settings: { cycleLen: 1440 },
        schedules: [{ ...turn, ...other, schedules: [{ start, duration: 30, cycle: 1 }] }],
      });
      await apply(site([], { schedules: [set('1', 330)] }), {}, 'ims');
      const ipc = { name: 'A9', serialNumber: 'IPC9', macAddress: mac() };
      const file = site([ipc], { schedules: [set('2', 500, of), set('3', 600)] });
      const { rows } = await plan(file, 'ims');
      expect(rows.slice(1).map((row) => [row.action, row.why])).toEqual([
        ['left out', why],
        ['change', 'It is sent to no sprinkler by this.'],
      ]);
    },
  );

  it('Replace IPCs is for site.json alone', async () => {
    const file = { ...fileOf('name;serial\nA1;IPC2'), options: { replaceIpcs: true } };
    const reply = await send('POST /import/plan', file);
    expect([reply.statusCode, reply.json()]).toMatchObject([
      400,
      { field: 'options', errorMessage: 'Replace IPCs is possible with site.json alone.' },
    ]);
  });

  it('changes no serial number, and adds no gateway', async () => {
    const ipc = { _id: a1.uid, name: 'A1', serialNumber: 'IPC2' };
    const away = { name: 'G9', serialNumber: 'G9', lat: -43.7, lng: 171.9 };
    const { rows } = await plan(site([ipc], { gateways: [away] }), 'ims');
    expect(rows.map(({ why }) => why)).toEqual([
      "Line 1, serial, 'IPC2': A1 has the serial number IPC1. A list changes no serial numbers: replace the unit instead.",
      "Line 1, name, 'G9': The farm has no such gateway, and a file adds none: only sprinklers, repeaters and points of interest. Add it on the farm first.",
    ]);
  });

  it('an RXP site is planned as a list of sprinklers is', async () => {
    const { rows } = await plan('<site><pod name="A1" serial="IPC1" lat="x" lng="171.9"/></site>', 'rxp');
    expect(rows.map(({ why }) => why)).toEqual(["Line 1, lat: 'x' isn't a number of degrees, like -43.75."]);
  });
});

it('300 sprinklers are added and undone, and what devices say meanwhile is stored', async () => {
  const rows = Array.from({ length: 300 }, (_none, n) => `${n};N${n};${mac()};G${n % 8}`);
  const stored = { isOver: false, count: 0 };
  const reporting = (async () => {
    while (!stored.isOver) {
      const at = new Date(server.clock.now.getTime() - 3_600_000 + stored.count * 1000).toISOString();
      await world.record(a1, [{ at, values: { batteryMv: 3600 } }]);
      stored.count += 1;
    }
  })();
  const { msg, batchId } = await apply(['name;serial;mac;group', ...rows].join('\n'));
  expect(msg.res_message).toBe('300 imported, 0 skipped');
  expect((await entered()).devices).toHaveLength(302);
  await send('POST /undo', { farmUID: world.farm.uid, batchId, act: 'import' });
  stored.isOver = true;
  await reporting;
  expect((await entered()).devices).toHaveLength(2);
  const { count } = await db()
    .selectFrom('reading')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('farm_id', '=', world.farm.id)
    .executeTakeFirstOrThrow();
  expect([stored.count > 2, Number(count)]).toEqual([true, stored.count]);
});

it.each([
  ['for the backup before it', 'farm_backup', false],
  ['for its sprinklers', 'device', false],
  ['for its history', 'change_log', false],
  ['when all of it is to be kept', 'change_batch', true],
])(
  'an import that finds no room on the disk %s says so, and nothing of it is stored',
  async (_what, table, isAtTheEnd) => {
    const data = `name;serial;mac;channel;group\nA1;IPC1;;16;West\nA2;IPC2;${mac()};;West`;
    const { revision } = await plan(data);
    const all = async () => ({
      entered: await entered(),
      lists: await kit.revisions(gateway),
      groups: await countOf('device_group'),
      backups: await countOf('farm_backup'),
      batches: await countOf('change_batch'),
      changes: await countOf('change_log'),
    });
    const before = await all();
    await withoutRoomFor(server.database.pool, { table, isAtTheEnd }, async () => {
      for (const key of ['POST /import/apply', 'POST /import/file']) {
        const reply = await send(key, { ...fileOf(data), revision });
        expect([key, reply.statusCode, reply.json()]).toEqual([key, 503, DISK_FULL]);
      }
    });
    expect(await all()).toEqual(before);
    // With room again it is the same plan.
    expect((await send('POST /import/apply', { ...fileOf(data), revision })).statusCode).toBe(200);
  },
);

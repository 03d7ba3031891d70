import { describe, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { ImportDone, ImportPlan } from '@headrace/contract/imports';
import { buildFarm, buildQueuedCommand } from '../../testing/factories.ts';
import { buildFarmWorld } from '../../testing/farm-world.ts';
import { buildSprinkler } from '../../testing/irrigation-factories.ts';
import { DISK_FULL, withoutRoomFor } from '../../testing/without-room.ts';
import { importStage } from './testing/import-stage.ts';

const { db, mac, fileOf, send, plan, apply, countOf, entered, is } = importStage();

describe('a list of sprinklers', () => {
  it('is planned row by row, and nothing is written', async () => {
    const before = await entered();
    const free = mac();
    const planned = await plan(
      [
        'name;serial;mac;channel;group;lat;lng',
        `A1;ipc1;;16;North;-43.751;171.951`,
        `A2;IPC2;${free};;West;;`,
        `A3;IPC3;${is.gateway.mac};;;;`,
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
        `Row 4, column mac, '${is.gateway.mac}': The gateway ${is.gateway.name} has this MAC address. Compare it with the label.`,
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
    const revisions = await is.kit.revisions(is.gateway);
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
    expect((await is.kit.revisions(is.gateway)).list - revisions.list).toBe(2);
    expect((await plan(data)).counts).toEqual({ add: 1, change: 0, choose: 0, same: 2, 'left out': 0 });

    const undone = await send('POST /undo', {
      farmUID: is.world.farm.uid,
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
    await is.world.send('POST /group', { farmUID: is.world.farm.uid, name: 'River' });
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
      .set({ deleted_at: is.server.clock.now })
      .where('id', '=', is.world.farm.id)
      .execute();
    expect((await send('POST /import/apply', { ...fileOf(data), revision })).statusCode).toBe(404);
  });

  it('puts a sprinkler into another lateral group, and takes it out of no other', async () => {
    await is.kit.lateral(is.world.farm.id, 'Line 1');
    await is.kit.lateral(is.world.farm.id, 'Line 2');
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
    const undo = { farmUID: is.world.farm.uid, act: 'import' };
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
    await db().updateTable('device').set({ lat: -43.75, lng: 171.95 }).where('id', '=', is.a1.id).execute();
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
    const farm = where === 'the farm' ? is.world.farm : (await buildFarmWorld(is.server)).farm;
    const holder = await buildSprinkler(db(), farm.id, { name: 'Z1', mac: is.a1.mac ?? '' });
    const before = await entered();
    const body = { farmUID: is.world.farm.uid, batchId, act: 'import' };
    const reply = await send('POST /undo', { ...body, putBack: [is.a1.uid] });
    expect([reply.statusCode, reply.json<{ current: unknown }>().current]).toMatchObject([
      409,
      {
        conflicts: [{ name: 'A1', canPutBack: false, why: 'Its MAC address is in use by another device.' }],
      },
    ]);
    expect(await entered()).toEqual(before);
    await db().updateTable('device').set({ mac: mac() }).where('id', '=', holder.id).execute();
    expect((await send('POST /undo', body)).statusCode).toBe(200);
    expect((await entered()).devices.find(({ uid }) => uid === is.a1.uid)?.mac).toBe(is.a1.mac);
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
    await buildSprinkler(db(), is.world.farm.id, { name: 'Z1', mac: mac(), serial_number: '00123' });
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
        whose === 'one’s own'
          ? await buildFarm(db(), is.world.owner.id)
          : (await buildFarmWorld(is.server)).farm;
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
    const a2 = await buildSprinkler(db(), is.world.farm.id, {
      name: 'A2',
      mac: mac(),
      serial_number: 'IPC2',
    });
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
          fields: [{ field: 'macAddress', from: is.a1.mac, to: a2.mac }],
          why: `A2 has this MAC address. Ticked, they swap: A2 gets ${is.a1.mac}.`,
          others: [{ name: 'A2', fields: [{ field: 'macAddress', from: a2.mac, to: is.a1.mac }] }],
        },
      ],
    ]);
    expect((await apply(data)).msg.res_message).toBe(
      `0 imported, 1 skipped#A1-A2 has this MAC address. Ticked, they swap: A2 gets ${is.a1.mac}.`,
    );
    expect(await entered()).toEqual(before);
    const revisions = await is.kit.revisions(is.gateway);
    const { batchId } = await apply(data, { take: [0] });
    const macs = async () =>
      (await entered()).devices.filter(({ kind }) => kind === 'sprinkler').map((unit) => unit.mac);
    expect(await macs()).toEqual([a2.mac, is.a1.mac]);
    expect((await is.kit.revisions(is.gateway)).list - revisions.list).toBe(1);
    expect((await plan(data)).counts).toMatchObject({ same: 1, choose: 0 });
    await send('POST /undo', { farmUID: is.world.farm.uid, batchId, act: 'import' });
    expect(await entered()).toEqual(before);
    await apply(data, { take: [0] });
    await apply(`name;serial;mac\nA1;IPC1;${is.a1.mac}`, { take: [0] });
    expect(await entered()).toEqual(before);
  });

  it('asks whether what a command is on its way to is to be another unit for its gateway; a plan from before that is refused', async () => {
    const a2 = await buildSprinkler(db(), is.world.farm.id, {
      name: 'A2',
      mac: mac(),
      serial_number: 'IPC2',
    });
    const data = `name;serial;channel;lat;lng\nA1;IPC1;16;;\nA2;IPC2;;-43.751;171.951`;
    const first = await plan(data);
    expect(first.counts).toMatchObject({ change: 2, choose: 0 });
    for (const unit of [is.a1, a2])
      await buildQueuedCommand(db(), is.gateway, is.server.clock.now, {
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

it('300 sprinklers are added and undone, and what devices say meanwhile is stored', async () => {
  const rows = Array.from({ length: 300 }, (_none, n) => `${n};N${n};${mac()};G${n % 8}`);
  const stored = { isOver: false, count: 0 };
  const reporting = (async () => {
    while (!stored.isOver) {
      const at = new Date(is.server.clock.now.getTime() - 3_600_000 + stored.count * 1000).toISOString();
      await is.world.record(is.a1, [{ at, values: { batteryMv: 3600 } }]);
      stored.count += 1;
    }
  })();
  const { msg, batchId } = await apply(['name;serial;mac;group', ...rows].join('\n'));
  expect(msg.res_message).toBe('300 imported, 0 skipped');
  expect((await entered()).devices).toHaveLength(302);
  await send('POST /undo', { farmUID: is.world.farm.uid, batchId, act: 'import' });
  stored.isOver = true;
  await reporting;
  expect((await entered()).devices).toHaveLength(2);
  const { count } = await db()
    .selectFrom('reading')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('farm_id', '=', is.world.farm.id)
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
      lists: await is.kit.revisions(is.gateway),
      groups: await countOf('device_group'),
      backups: await countOf('farm_backup'),
      batches: await countOf('change_batch'),
      changes: await countOf('change_log'),
    });
    const before = await all();
    await withoutRoomFor(is.server.database.pool, { table, isAtTheEnd }, async () => {
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

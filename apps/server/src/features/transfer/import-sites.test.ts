import { describe, expect, it } from 'vitest';
import type { ImportDone, ImportPlan } from '@headrace/contract/imports';
import { buildSprinkler } from '../../testing/irrigation-factories.ts';
import { importStage } from './testing/import-stage.ts';

const { db, mac, fileOf, send, plan, apply, textsOf, entered, is } = importStage();

describe('a site.json', () => {
  const site = (ipcs: object[], more: object = {}) =>
    JSON.stringify({ version: 1, groups: [{ _id: 'g', name: 'West|East' }], ipcs, ...more });

  it('matches units by their id, whatever they are called by now', async () => {
    const ipc = {
      _id: is.a1.uid,
      name: 'B7',
      serialNumber: 'IPC1',
      groups: ['g'],
      settings: { channel: 16 },
    };
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
      { _id: is.a1.uid, name: 'A1', serialNumber: 'IPC2', macAddress: '0004B1FFFF02' },
      { _id: 'f'.repeat(24), name: 'A2', serialNumber: 'IPC1', macAddress: '0004B1FFFF03' },
    ];
    await buildSprinkler(db(), is.world.farm.id, { name: 'A2', mac: mac(), serial_number: 'IPC3' });
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
    await send('POST /undo', { farmUID: is.world.farm.uid, batchId, act: 'import' });
    expect(await entered()).toEqual(before);
  });

  it('with Replace IPCs what the old unit said is not the word of the new one, and a schedule waits for the second import', async () => {
    await is.world.record(is.a1, [{ at: is.server.clock.now.toISOString(), values: { batteryMv: 3600 } }]);
    const key = { farm_id: is.world.farm.id, device_id: is.a1.id };
    const since = new Date(is.server.clock.now.getTime() - 1000);
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
    const ipc = { _id: is.a1.uid, name: 'A1', serialNumber: 'IPC2', macAddress: mac() };
    const options = { replaceIpcs: true };
    const file = { ...fileOf(site([ipc], { schedules: [set] }), 'ims'), options };
    const { rows, revision } = await plan(file.data, 'ims', { options });
    expect(rows.map(({ name, action, why }) => [name, action, why])).toContainEqual([
      'Summer',
      'left out',
      "Line 1, name, 'Summer': 1 of its 1 turns are of sprinklers that this file adds. Import the file once more when they are there.",
    ]);
    expect((await send('POST /import/apply', { ...file, revision })).statusCode).toBe(200);
    expect(await textsOf(is.a1)).toEqual({ facts: [], held: [is.server.clock.now], values: [null] });
  });

  it('with two schedules of one name adds both, and finds each again', async () => {
    const turn = { name: 'A1', serialNumber: is.a1.serial_number, group: 'North', scheduleGroup: 'North' };
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
      const turn = { name: 'A1', serialNumber: is.a1.serial_number, group: 'North', scheduleGroup: 'North' };
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
    const ipc = { _id: is.a1.uid, name: 'A1', serialNumber: 'IPC2' };
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

import { beforeEach, describe, expect, it } from 'vitest';
import type { ImportPlan } from '@headrace/contract/imports';
import { levels, type Permissions, presets } from '@headrace/contract/permissions';
import { buildAccount, buildDevice, buildShare } from '../../testing/factories.ts';
import { buildGroup, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { importStage } from './testing/import-stage.ts';

const { db, mac, fileOf, send, plan, apply, entered, is } = importStage();

describe('what was exported, read back, changes nothing:', () => {
  beforeEach(async () => {
    for (const [name, group] of [
      ["'=A2", 'West; east'],
      ['"B"', 'a|b'],
    ] as const) {
      const unit = await buildSprinkler(db(), is.world.farm.id, {
        name,
        mac: mac(),
        settings: { channel: 16 },
      });
      await buildGroup(db(), is.world.farm.id, group, [is.a1, unit]);
      await db()
        .updateTable('device')
        .set({ lat: -43.7512345678, lng: 171.95 })
        .where('id', '=', unit.id)
        .execute();
    }
    await buildSprinkler(db(), is.world.farm.id, { name: 'S1', mac: mac(), settings: { isSpareUnit: true } });
    await buildSprinkler(db(), is.world.farm.id, {
      name: 'P1',
      mac: mac(),
      settings: { isPlaceholder: true },
    });
    await buildDevice(db(), is.world.farm.id, 'repeater', { name: 'R1', mac: mac() });
  });

  it.each([
    ['podlist', 'project', 3],
    ['rptrlist', 'project', 1],
    ['devices.csv', 'podlist', 5],
    // With the placeless gateway's place unsaid; the placeholder has no unit.
    ['site-json', 'ims', 5],
  ])('%s as %s', async (path, typeFile, units) => {
    const { body } = await is.world.get(`GET /export/${path}`, { farmUID: is.world.farm.uid });
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
      `name=${is.gateway.name}`,
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
    const { body } = await is.world.get('GET /export/site-json', { farmUID: is.world.farm.uid });
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
      .where('id', '=', is.world.farm.id)
      .execute();
    const before = await site();
    const planned = await plan(project(), 'project');
    expect(planned.newGroups).toEqual(['East']);
    expect(planned.rows.map(({ kind, name, action }) => [kind, name, action])).toEqual([
      ['sprinkler', 'A1', 'change'],
      ['group', 'West', 'add'],
      ['farm', before.farm.name, 'choose'],
      ['boundary', 'Hill', 'change'],
      ['gateway', is.gateway.name, 'change'],
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
    await send('POST /undo', { farmUID: is.world.farm.uid, batchId: named.batchId, act: 'import' });
    const { batchId } = await apply(project(), { take: [farmRow?.row] }, 'project');
    const after = await site();
    expect(after.farm).toMatchObject({ name: 'Hill', lat: -35, boundary: { length: 4 } });
    // Of its place now: New South Wales.
    expect(after.farm.timezone.timeZoneId).toBe('Australia/Sydney');
    expect(after.groups.map(({ name }) => name)).toEqual(['East', 'North', 'West']);
    const undone = await send('POST /undo', { farmUID: is.world.farm.uid, batchId, act: 'import' });
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
    await buildShare(db(), is.world.farm.id, agent.id, { ...presets.none, import: true, ...rights });
    return is.server.signIn(agent);
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
    const body = { farmUID: is.world.farm.uid, batchId, act: 'import' };
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

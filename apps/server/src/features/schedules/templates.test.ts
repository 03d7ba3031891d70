import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { levels, presets } from '@headrace/contract/permissions';
import type {
  computeTemplate,
  listTemplates,
  scheduleFarmDetails,
  ScheduleTemplate,
} from '@headrace/contract/schedule-templates';
import { buildFarm, buildShare } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { createTemplatesRepo } from './templates.repo.ts';

/** Templates of schedules, by their calls. */
let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

const DAY = 86_400_000;
const db = () => server.database.db;
const farmUID = () => world.farm.uid;
/** A group with sprinklers `A1`… named after `letter`; its uid. */
async function group(name: string, letter: string, count: number, farmId = world.farm.id): Promise<string> {
  const units = [];
  for (let number = 1; number <= count; number += 1)
    units.push(await buildSprinkler(db(), farmId, { name: `${letter}${number}` }));
  return buildGroup(db(), farmId, name, units);
}
const design = (uid: string, more: object = {}) => ({
  name: 'Summer',
  groups: [{ uid }],
  settings: { duration: 28 },
  ...more,
});
const add = async (uid: string, more: object = {}) =>
  (
    await world.send('POST /schedule-template', { farmUID: farmUID(), ...design(uid, more) })
  ).json<ScheduleTemplate>();
const list = async (of: FarmWorld = world) =>
  (await of.get('GET /schedule-templates', { farmUID: of.farm.uid })).json<ReplyOf<typeof listTemplates>>()
    .schedules;
const one = (uid: string) => world.get('GET /schedule-template', { templateUID: uid });
const remove = (uid: string) =>
  server.call('DELETE /schedule-template', { headers: world.headers, query: { templateUID: uid } });
const batchOf = async (uid: string) => (await remove(uid)).json<{ batchId: string }>().batchId;
const undo = (batchId: string) =>
  world.send('POST /undo', { farmUID: world.farm.uid, batchId, act: 'delete schedule template' });
const compute = (uid: string, more: object = {}) =>
  world.send('POST /schedule-template/compute', { farmUID: farmUID(), ...design(uid, more) });

describe('a template', () => {
  it('is kept as it was designed, and listed by name', async () => {
    const uid = await group('North', 'A', 1);
    const more = { groups: [{ uid, lines: 2, duration: 30 }], windy: true, startMin: 1260 };
    const { _id } = await add(uid, { name: 'Summer 10', ...more });
    await add(uid, { name: 'Summer 9' });
    expect((await list()).map(({ name }) => name)).toEqual(['Summer 9', 'Summer 10']);
    expect((await one(_id)).json()).toEqual({
      _id,
      farmUID: farmUID(),
      name: 'Summer 10',
      groups: [{ uid, name: 'North', isGone: false, lines: 2, duration: 30 }],
      settings: { duration: 28 },
      windy: true,
      leveling: false,
      startMin: 1260,
      limits: null,
      version: 1,
      updatedAt: server.clock.now.toISOString(),
    });
  });

  it('is refused with a name that another has, without a group, with one twice and with another farm’s', async () => {
    const uid = await group('North', 'A', 1);
    await add(uid);
    const other = await buildFarmWorld(server);
    const theirs = await group('North', 'A', 1, other.farm.id);
    const tried = async (more: object) => {
      const reply = await world.send('POST /schedule-template', {
        farmUID: farmUID(),
        ...design(uid, { name: 'Other', ...more }),
      });
      const { errorMessage, field } = reply.json<{ errorMessage: string; field?: string }>();
      return [reply.statusCode, field, errorMessage];
    };
    expect(await tried({ name: 'SUMMER' })).toEqual([
      409,
      'name',
      'The farm has a schedule template named SUMMER already. Please choose another name.',
    ]);
    expect((await tried({ name: '   ' }))[0]).toBe(400);
    expect((await tried({ groups: [] }))[0]).toBe(400);
    expect((await tried({ settings: { duration: 1441 } }))[0]).toBe(400);
    expect(await tried({ groups: [{ uid }, { uid: uid.toUpperCase() }] })).toEqual([
      400,
      'groups',
      'A group can be chosen once only.',
    ]);
    expect(await tried({ groups: [{ uid: theirs }] })).toEqual([
      400,
      'groups',
      'One of the groups is not on this farm, or no longer. Please choose them again.',
    ]);
    expect(await list()).toHaveLength(1);
  });

  it.each([0, 1.5, '28', 1441])('is refused with a duration of %j', async (duration) => {
    const uid = await group('North', 'A', 1);
    const reply = await world.send('POST /schedule-template', {
      farmUID: farmUID(),
      ...design(uid, { settings: { duration } }),
    });
    expect([reply.statusCode, reply.json<{ field?: string }>().field]).toEqual([400, 'settings.duration']);
  });

  it('is refused over 64 KiB, before it is looked at', async () => {
    const groups = Array.from({ length: 2000 }, (_, n) => ({ uid: n.toString(16).padStart(24, '0') }));
    const body = { farmUID: farmUID(), ...design('a'.repeat(24), { groups }) };
    expect(JSON.stringify(body).length).toBeGreaterThan(64 * 1024);
    expect((await world.send('POST /schedule-template', body)).statusCode).toBe(413);
  });

  it('is changed once by two people: the second is shown the newer one', async () => {
    const uid = await group('North', 'A', 1);
    const { _id } = await add(uid);
    const change = (name: string) =>
      world.send('PUT /schedule-template', { _id, version: 1, ...design(uid, { name }) });
    expect((await change('Spring')).json()).toMatchObject({ name: 'Spring', version: 2 });
    const late = await change('Autumn');
    expect([late.statusCode, late.json()]).toEqual([
      409,
      expect.objectContaining({ field: 'version', current: expect.objectContaining({ name: 'Spring' }) }),
    ]);
    expect((await one(_id)).json()).toMatchObject({ name: 'Spring', version: 2 });
  });

  it('keeps the name of a group that is gone, and may be saved with it', async () => {
    const uid = await group('North', 'A', 1);
    const { _id } = await add(uid);
    await db().deleteFrom('device_group').where('uid', '=', uid).execute();
    const gone = { groups: [{ uid, name: 'North', isGone: true }] };
    expect((await one(_id)).json()).toMatchObject(gone);
    const saved = await world.send('PUT /schedule-template', { _id, ...design(uid, { windy: true }) });
    expect([saved.statusCode, saved.json()]).toEqual([200, expect.objectContaining(gone)]);
    expect((await compute(uid)).statusCode).toBe(400);
  });

  it('stands in the history with what was changed', async () => {
    const uid = await group('North', 'A', 1);
    const { _id } = await add(uid);
    await world.send('PUT /schedule-template', {
      _id,
      ...design(uid, { groups: [{ uid, lines: 2 }], startMin: 75 }),
    });
    const { changes } = (await world.get('GET /changes', { farmUID: farmUID(), uid: _id })).json<{
      changes: unknown[];
    }>();
    expect(changes).toMatchObject([
      {
        kind: 'schedule template',
        what: 'changed',
        fields: [
          { field: 'groups', from: ['North'], to: ['North (2 lines)'] },
          { field: 'start', from: '00:00', to: '01:15' },
        ],
      },
      { kind: 'schedule template', name: 'Summer', what: 'created' },
    ]);
  });
});

describe('a template with mains', () => {
  const within = (groups: readonly string[]) => ({
    limits: { maxLps: null, windows: [], avoid: [], mains: [{ name: 'West', maxLps: 12, groups }] },
  });
  const put = (_id: string, uid: string, groups: readonly string[]) =>
    world.send('PUT /schedule-template', { _id, ...design(uid, within(groups)) });
  const changes = async (uid: string) =>
    (await world.get('GET /changes', { farmUID: farmUID(), uid })).json<{ changes: { fields: unknown }[] }>()
      .changes;

  it('keeps a change of the groups on them alone, and tells it by name', async () => {
    const [north, south] = [await group('North', 'A', 1), await group('South', 'B', 1)];
    const { _id } = await add(north, within([north]));
    const saved = (await put(_id, north, [north, south.toUpperCase()])).json<ScheduleTemplate>();
    expect([saved.version, saved.limits]).toEqual([2, within([north, south]).limits]);
    expect((await one(_id)).json()).toMatchObject(within([north, south]));
    expect((await changes(_id))[0]?.fields).toEqual([
      { field: 'mains', from: ['West: 12 L/s (North)'], to: ['West: 12 L/s (North, South)'] },
    ]);
    // The same again is no change.
    expect((await put(_id, north, [north, south])).json()).toMatchObject({ version: 2 });
  });

  it('leaves out groups that are gone, may be saved by a page that had them, and refuses strangers', async () => {
    const [north, south] = [await group('North', 'A', 1), await group('South', 'B', 1)];
    const { _id } = await add(north, within([north, south]));
    await db().deleteFrom('device_group').where('uid', '=', south).execute();
    expect((await one(_id)).json()).toMatchObject(within([north]));
    for (const groups of [[north], [north, south]])
      expect((await put(_id, north, groups)).json()).toMatchObject({ version: 1, ...within([north]) });
    const other = await buildFarmWorld(server);
    const refused = await put(_id, north, [await group('North', 'A', 1, other.farm.id)]);
    expect([refused.statusCode, refused.json<{ field: string }>().field]).toEqual([400, 'mains']);
  });
});

describe('a template that was deleted', () => {
  it('comes back within 30 days', async () => {
    const { _id } = await add(await group('North', 'A', 1));
    const batchId = await batchOf(_id);
    expect(await list()).toEqual([]);
    expect((await one(_id)).statusCode).toBe(404);
    expect((await remove(_id)).statusCode).toBe(404);
    expect((await undo(batchId)).json()).toMatchObject({ undone: 1, kept: 0 });
    expect(await list()).toMatchObject([{ _id, name: 'Summer', version: 2 }]);
  });

  it('stays away while another has its name', async () => {
    const uid = await group('North', 'A', 1);
    const { _id } = await add(uid);
    const batchId = await batchOf(_id);
    await add(uid);
    const reply = await undo(batchId);
    const why = 'The farm has another schedule template named Summer now. Please rename that one first.';
    expect([reply.statusCode, reply.json()]).toMatchObject([
      409,
      { current: { conflicts: [{ uid: _id, canPutBack: false, why }] } },
    ]);
  });

  it('is forgotten after 30 days', async () => {
    const uid = await group('North', 'A', 1);
    const [old, recent] = [await add(uid), await add(uid, { name: 'Spring' })];
    await remove(old._id);
    const batchId = await batchOf(recent._id);
    const at = server.clock.now.getTime();
    await db()
      .updateTable('schedule_template')
      .set({ deleted_at: new Date(at - 30 * DAY - 1000) })
      .where('uid', '=', old._id)
      .execute();
    await createTemplatesRepo(db()).forget(new Date(at - 30 * DAY));
    expect((await undo(batchId)).statusCode).toBe(200);
    const kept = await db()
      .selectFrom('schedule_template')
      .select('uid')
      .where('farm_id', '=', world.farm.id)
      .execute();
    expect(kept).toEqual([{ uid: recent._id }]);
  });
});

describe('what a template is made of', () => {
  it('are the groups with their sprinklers in service, by name', async () => {
    const units = [
      await buildSprinkler(db(), world.farm.id, { name: 'A10' }),
      await buildSprinkler(db(), world.farm.id, { name: 'A2' }),
      await buildSprinkler(db(), world.farm.id, { name: 'A3', settings: { outOfService: true } }),
      await buildSprinkler(db(), world.farm.id, { name: 'A4', settings: { isSpareUnit: true } }),
    ];
    await buildGroup(db(), world.farm.id, 'North 10', []);
    await buildGroup(db(), world.farm.id, 'North 9', units);
    const reply = (await world.get('GET /schedule-template/farm-details', { farmUID: farmUID() })).json<
      ReplyOf<typeof scheduleFarmDetails>
    >();
    expect(reply).toMatchObject({ farm: { _id: farmUID() }, v3Site: false });
    expect(reply.groups.map(({ name, ipcs }) => [name, ipcs.map((unit) => unit.name)])).toEqual([
      ['North 9', ['A2', 'A10']],
      ['North 10', []],
    ]);
  });
});

describe('computed', () => {
  it('three of 28 min follow one another daily', async () => {
    const uid = await group('North', 'A', 3);
    const reply = (await compute(uid)).json<ReplyOf<typeof computeTemplate>>();
    expect(reply.settings).toEqual({ duration: 28, cycleLen: 1440 });
    expect(
      reply.schedules.map(({ name, scheduleGroup, schedules }) => [name, scheduleGroup, schedules]),
    ).toEqual([
      ['A1', 'North', [{ start: 0, duration: 28, cycle: 1 }]],
      ['A2', 'North', [{ start: 28, duration: 28, cycle: 1 }]],
      ['A3', 'North', [{ start: 56, duration: 28, cycle: 1 }]],
    ]);
    expect(await list()).toEqual([]);
  });

  it('two rounds a day are two waterings of each', async () => {
    const uid = await group('North', 'A', 1);
    const reply = (await compute(uid, { settings: { duration: 28, cycleLen: 720 } })).json<
      ReplyOf<typeof computeTemplate>
    >();
    expect([reply.settings.cycleLen, reply.schedules[0]?.schedules]).toEqual([
      720,
      [
        { start: 0, duration: 28, cycle: 1 },
        { start: 720, duration: 28, cycle: 1 },
      ],
    ]);
  });

  it('in wind odd places come first, level leaves equal gaps, and version 3 adds a minute at midnight', async () => {
    const uid = await group('North', 'A', 5);
    const starts = async (more: object) =>
      (await compute(uid, more))
        .json<ReplyOf<typeof computeTemplate>>()
        .schedules.map(({ name, schedules: [entry] }) => `${name} ${entry?.start}+${entry?.duration}`);
    expect(await starts({ windy: true })).toEqual([
      'A1 0+28',
      'A2 84+28',
      'A3 28+28',
      'A4 112+28',
      'A5 56+28',
    ]);
    // 1,440 − 140 are 5 × 260.
    expect(await starts({ leveling: true })).toEqual([
      'A1 0+28',
      'A2 288+28',
      'A3 576+28',
      'A4 864+28',
      'A5 1152+28',
    ]);
    await db().updateTable('farm').set({ v3_site: true }).where('id', '=', world.farm.id).execute();
    expect(await starts({})).toEqual(['A1 0+29', 'A2 29+28', 'A3 57+28', 'A4 85+28', 'A5 113+28']);
  });

  it('past 1,440 min the second day begins: the 52nd of 52 × 28 min ends after midnight, the 53rd is on day 2', async () => {
    const reply = await compute(await group('North', 'A', 53));
    const { schedules, settings } = reply.json<ReplyOf<typeof computeTemplate>>();
    expect([settings.cycleLen, schedules[51]?.schedules, schedules[52]?.schedules]).toEqual([
      2880,
      [{ start: 1428, duration: 28, cycle: 1 }],
      [{ start: 1456, duration: 28, cycle: 2 }],
    ]);
  });

  it('a cycle of two days is kept where a day would do', async () => {
    const uid = await group('North', 'A', 3);
    const reply = (await compute(uid, { settings: { duration: 28, cycleLen: 2880 } })).json<
      ReplyOf<typeof computeTemplate>
    >();
    expect([reply.settings.cycleLen, reply.schedules[2]?.schedules]).toEqual([
      2880,
      [{ start: 56, duration: 28, cycle: 1 }],
    ]);
  });

  it('what does not fit is refused with what would', async () => {
    // 3 × 1,000 = 3,000 of 2,880 min: 960 min each fit; of two lines the longer takes 2,000.
    const reply = await compute(await group('North', 'A', 3), { settings: { duration: 1000 } });
    expect([reply.statusCode, reply.json()]).toEqual([
      400,
      expect.objectContaining({
        errorMessage:
          'Group North does not fit: it needs 3,000 min, and the cycle has 2,880. 960 min each fit, or 2 lines do.',
        current: {
          findings: [expect.objectContaining({ code: 'doesNotFit', severity: 'error', group: 'North' })],
        },
      }),
    ]);
  });
});

describe('a copy', () => {
  const clone = (templateUID: string, to: string, headers = world.headers) =>
    server.call('POST /schedule-template/clone', {
      headers,
      body: { templateUID, farmUID: to, name: 'Copy' },
    });

  it('on another farm has the groups of the same names, and says which are missing', async () => {
    const [north, south] = [await group('North', 'A', 1), await group('South', 'B', 1)];
    const { _id } = await add(north, { groups: [{ uid: north, lines: 2 }, { uid: south }], windy: true });
    const farm = await buildFarm(db(), world.owner.id);
    const theirs = await buildGroup(db(), farm.id, 'NORTH', []);
    const reply = await clone(_id, farm.uid);
    expect([reply.statusCode, reply.json()]).toEqual([200, expect.objectContaining({ missing: ['South'] })]);
    expect(await list({ ...world, farm })).toMatchObject([
      { name: 'Copy', windy: true, version: 1, groups: [{ uid: theirs, name: 'NORTH', lines: 2 }] },
    ]);
  });

  it('keeps its mains, with the groups of the same names on them', async () => {
    const [north, south] = [await group('North', 'A', 1), await group('South', 'B', 1)];
    const mains = [{ name: 'West', maxLps: 12, groups: [north, south] }];
    const limits = { maxLps: null, windows: [], avoid: [], mains };
    const { _id } = await add(north, { groups: [{ uid: north }], limits });
    const farm = await buildFarm(db(), world.owner.id);
    const theirs = await buildGroup(db(), farm.id, 'north', []);
    await clone(_id, farm.uid);
    expect((await list({ ...world, farm }))[0]?.limits).toEqual({
      ...limits,
      mains: [{ name: 'West', maxLps: 12, groups: [theirs] }],
    });
  });

  it('is refused where no group has the name of one', async () => {
    const { _id } = await add(await group('North', 'A', 1));
    const farm = await buildFarm(db(), world.owner.id);
    const reply = await clone(_id, farm.uid);
    expect([reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage]).toEqual([
      400,
      `${farm.name} has no group with a name of this template's groups (North). Please add one first.`,
    ]);
  });

  it('needs to read schedules where the template is', async () => {
    const { _id } = await add(await group('North', 'A', 1));
    const own = await buildFarmWorld(server);
    await buildGroup(db(), own.farm.id, 'North', []);
    expect((await clone(_id, own.farm.uid, own.headers)).statusCode).toBe(404);
    const blind = { ...presets.farmManager, schedules: levels.Create };
    await buildShare(db(), world.farm.id, own.owner.id, blind);
    expect((await clone(_id, own.farm.uid, own.headers)).statusCode).toBe(404);
    expect(await list(own)).toEqual([]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { farmSchedules, listSchedules } from '@headrace/contract/schedules';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildScheduleSet, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { createScheduleSets } from './schedule-sets.ts';

/** Sets of schedules, by their calls. */
let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

const db = () => server.database.db;
const farmUID = () => world.farm.uid;
const sprinkler = (name: string): Promise<DeviceRow> => buildSprinkler(db(), world.farm.id, { name });
const schedules = async (query: object = {}) =>
  (await world.get('GET /schedules', { farmUID: farmUID(), ...query })).json<ReplyOf<typeof farmSchedules>>();
const list = async () =>
  (await world.get('GET /schedules/list', { farmUID: farmUID() })).json<ReplyOf<typeof listSchedules>>();
const ofGroup = (groupUid: string, groupName: string) => ({ groupUid, groupName });
const watersBy = (uid: string) =>
  db()
    .updateTable('farm')
    .set(({ selectFrom }) => ({
      current_set_id: selectFrom('schedule_set').select('id').where('uid', '=', uid),
    }))
    .where('id', '=', world.farm.id)
    .execute();

describe('sets of a farm', () => {
  it('are none at first', async () => {
    expect(await schedules()).toEqual({ _id: farmUID(), farmUID: farmUID(), curr_set: null, sets: [] });
    expect(await list()).toEqual([]);
  });

  it('have their waterings by sprinkler, in minutes of the cycle', async () => {
    const units = [await sprinkler('A10'), await sprinkler('A2')];
    const uid = await buildScheduleSet(db(), world.farm.id, units, [
      { start: 60, duration: 30, cycle: 1 },
      // As sets were stored before: minutes of the second day.
      { start: 16, duration: 28, cycle: 2 },
    ]);
    await watersBy(uid);
    const reply = await schedules();
    expect(reply.curr_set).toBe(uid);
    const waterings = [
      { start: 60, duration: 30, cycle: 1 },
      { start: 1456, duration: 28, cycle: 2 },
    ];
    expect(reply.sets).toMatchObject([
      {
        _id: uid,
        schedules: [
          { name: 'A2', serialNumber: units[1]?.serial_number, schedules: waterings },
          { name: 'A10', serialNumber: units[0]?.serial_number, schedules: waterings },
        ],
        settings: { cycleLen: 2880 },
      },
    ]);
  });

  it('are listed with the first as default and the one that the farm waters by as selected', async () => {
    const first = await buildScheduleSet(db(), world.farm.id, [], []);
    const second = await buildScheduleSet(db(), world.farm.id, [], []);
    await watersBy(second);
    expect((await list()).map(({ id, default: isDefault, selected }) => [id, isDefault, selected])).toEqual([
      [first, true, false],
      [second, false, true],
    ]);
    expect((await schedules({ setUID: second })).sets.map(({ _id }) => _id)).toEqual([second]);
  });

  it('name the groups that their lines belong to, also one that is no longer on the farm', async () => {
    const [a1, a2] = [await sprinkler('A1'), await sprinkler('A2')];
    const groupUID = await buildGroup(db(), world.farm.id, 'North', [a1]);
    const entries = [{ start: 0, duration: 28, cycle: 1 }];
    const units = [
      { deviceId: a1.id, ...ofGroup(groupUID, 'North'), scheduleGroup: 'North/2', entries },
      { deviceId: a2.id, ...ofGroup(newUid(), 'South'), scheduleGroup: 'South', entries },
    ];
    const set = { uid: newUid(), name: 'Summer', cycleMinutes: 2880, units };
    await createScheduleSets(db()).store(world.farm.id, set);
    expect((await schedules()).sets).toMatchObject([
      {
        name: 'Summer',
        groups: [
          { name: 'North', uid: groupUID },
          { name: 'South', uid: '' },
        ],
        schedules: [
          { name: 'A1', group: 'North', scheduleGroup: 'North/2' },
          { name: 'A2', group: 'South', scheduleGroup: 'South' },
        ],
        settings: { cycleLen: 2880 },
      },
    ]);
  });

  it('have the name that a group had then, also one that ends like the name of a line', async () => {
    const [a1, a2] = [await sprinkler('A1'), await sprinkler('A2')];
    const groupUID = await buildGroup(db(), world.farm.id, 'Block/2', [a1]);
    await db().updateTable('device_group').set({ name: 'Orchard' }).where('uid', '=', groupUID).execute();
    const entries = [{ start: 0, duration: 28, cycle: 1 }];
    const units = [
      { deviceId: a1.id, ...ofGroup(groupUID, 'Block/2'), scheduleGroup: 'Block/2', entries },
      // Of a set from before groups were kept: by the name of its line.
      { deviceId: a2.id, ...ofGroup('', ''), scheduleGroup: 'Orchard/3', entries },
    ];
    await createScheduleSets(db()).store(world.farm.id, {
      uid: newUid(),
      name: 'Summer',
      cycleMinutes: 1440,
      units,
    });
    expect((await schedules()).sets).toMatchObject([
      {
        groups: [
          { name: 'Block/2', uid: groupUID },
          { name: 'Orchard', uid: groupUID },
        ],
        schedules: [
          { name: 'A1', group: 'Block/2', scheduleGroup: 'Block/2' },
          { name: 'A2', group: 'Orchard', scheduleGroup: 'Orchard/3' },
        ],
      },
    ]);
  });

  it('have all waterings of a sprinkler that is in two groups, for who sends them in the order that units keep', async () => {
    const a3 = await sprinkler('A3');
    const units = [
      {
        deviceId: a3.id,
        ...ofGroup(newUid(), 'North'),
        scheduleGroup: 'North',
        entries: [
          { start: 56, duration: 28, cycle: 1 },
          { start: 1456, duration: 28, cycle: 2 },
        ],
      },
      {
        deviceId: a3.id,
        ...ofGroup(newUid(), 'East'),
        scheduleGroup: 'East',
        entries: [{ start: 112, duration: 20, cycle: 1 }],
      },
    ];
    const sets = createScheduleSets(db());
    const id = await sets.store(world.farm.id, { uid: newUid(), name: 'Two', cycleMinutes: 2880, units });
    expect((await schedules()).sets[0]?.schedules.map(({ group }) => group)).toEqual(['East', 'North']);
    expect(await sets.units(world.farm.id, id)).toEqual(
      new Map([
        [
          a3.id,
          expect.objectContaining({
            scheduleGroup: 'East, North',
            entries: [
              { start: 56, duration: 28, cycle: 1 },
              { start: 112, duration: 20, cycle: 1 },
              { start: 1456, duration: 28, cycle: 2 },
            ],
          }),
        ],
      ]),
    );
  });

  it('are found on their own farm alone', async () => {
    const other = await buildFarmWorld(server);
    const uid = await buildScheduleSet(db(), other.farm.id, [], []);
    expect(await list()).toEqual([]);
    const reply = await world.get('GET /schedules', { farmUID: farmUID(), setUID: uid });
    expect(reply.statusCode).toBe(404);
  });
});

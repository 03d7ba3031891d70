import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { compareSets, deleteSet, getSet, listSets, SetSummary } from '@headrace/contract/schedule-sets';
import type { listSchedules } from '@headrace/contract/schedules';
import type { computeTemplate, ScheduleTemplate } from '@headrace/contract/schedule-templates';
import type { undo as undoAct } from '@headrace/contract/undo';
import type { DeviceRow } from '../../db/schema.ts';
import { buildQueuedCommand } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import {
  buildGroup,
  buildScheduleSet,
  buildSprinkler,
  buildWanted,
} from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { createSetsRepo } from './sets.repo.ts';

/** Sets of schedules as records: made, listed, deleted and brought back. */
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

interface Group {
  readonly uid: string;
  readonly units: readonly DeviceRow[];
}
async function group(name: string, letter: string, count: number): Promise<Group> {
  const units = [];
  for (let number = 1; number <= count; number += 1)
    units.push(await buildSprinkler(db(), world.farm.id, { name: `${letter}${number}` }));
  return { uid: await buildGroup(db(), world.farm.id, name, units), units };
}

type Computed = ReplyOf<typeof computeTemplate>;
const compute = async (uids: readonly string[], more: object = {}): Promise<Computed> =>
  (
    await world.send('POST /schedule-template/compute', {
      farmUID: farmUID(),
      name: 'Summer',
      groups: uids.map((uid) => ({ uid })),
      settings: { duration: 28 },
      ...more,
    })
  ).json<Computed>();
const create = (body: object) => world.send('POST /schedules/create', body);
const made = async (body: object) => (await create(body)).json<SetSummary>();
const refusal = async (body: object) => {
  const reply = await create(body);
  const { errorMessage, field } = reply.json<{ errorMessage: string; field?: string }>();
  return [reply.statusCode, field, errorMessage];
};
const sets = async () =>
  (await world.get('GET /schedules/sets', { farmUID: farmUID() })).json<ReplyOf<typeof listSets>>().sets;
const get = (setUID: string) => world.get('GET /schedules/set', { farmUID: farmUID(), setUID });
const one = async (setUID: string) => (await get(setUID)).json<ReplyOf<typeof getSet>>();
const remove = async (setUID: string) =>
  (
    await server.call('DELETE /schedules', { headers: world.headers, query: { farmUID: farmUID(), setUID } })
  ).json<ReplyOf<typeof deleteSet>>();
const deleted = { deleted: true, batchId: expect.any(String) };
const undo = (batchId: string | null | undefined) =>
  world.send('POST /undo', { farmUID: farmUID(), batchId, act: 'delete schedule set' });
const template = async (uid: string) =>
  (
    await world.send('POST /schedule-template', {
      farmUID: farmUID(),
      name: 'Summer',
      groups: [{ uid }],
      settings: { duration: 28 },
    })
  ).json<ScheduleTemplate>();

describe('a set that was computed', () => {
  it('is stored as it was computed, with who made it, its water, and what is worth knowing', async () => {
    const { uid } = await group('North', 'A', 2);
    const computed = await compute([uid]);
    const set = await made(computed);
    // 2 × 28 min at 4 L/s; by the farm's system design 0.1724 mm a minute.
    expect(set).toMatchObject({
      name: 'Summer',
      isCurrent: false,
      groups: [{ name: 'North', uid }],
      settings: { cycleLen: 1440 },
      figures: { units: 2, minutes: 56, litres: 13_440 },
      template: null,
      isByHand: false,
      createdBy: world.owner.name,
      createdAt: server.clock.now.toISOString(),
      findings: [],
      standing: null,
      differences: null,
      inUse: null,
    });
    expect(set.figures?.mm.mean).toBeCloseTo(28 * 0.1724, 1);
    const whole = await one(set._id);
    expect(whole.differences).toMatchObject({
      holes: { count: 0 },
      missing: { count: 0 },
      moved: { count: 0 },
    });
    expect(whole.schedules).toMatchObject([
      {
        name: 'A1',
        group: 'North',
        scheduleGroup: 'North',
        schedules: [{ start: 0, duration: 28, cycle: 1 }],
      },
      { name: 'A2', schedules: [{ start: 28, duration: 28, cycle: 1 }] },
    ]);
  });

  it('says what it asks of the water supply beyond what that gives, whatever limits it was computed with', async () => {
    const { uid: north } = await group('North', 'A', 2);
    const { uid: south } = await group('South', 'B', 2);
    await world.send('PUT /farm/supply', {
      farmUID: farmUID(),
      maxLps: 6,
      windows: [],
      avoid: [],
      mains: [{ name: 'West', maxLps: 4, groups: [north, south] }],
      notes: '',
    });
    // Two lines of 4 L/s side by side.
    const set = await made(await compute([north, south]));
    expect(set.findings.map(({ sentence }) => sentence)).toEqual([
      'Up to 8 L/s are drawn and the pump gives 6, first from 00:00 to 00:56.',
      'Main West: up to 8 L/s are drawn and it gives 4, first from 00:00 to 00:56.',
    ]);
  });

  it('is not stored when a group has changed since, and is when another group has', async () => {
    const [north, south] = [await group('North', 'A', 2), await group('South', 'B', 1)];
    const computed = await compute([north.uid]);
    await db().deleteFrom('device_group').where('uid', '=', south.uid).execute();
    expect((await create(computed)).statusCode).toBe(200);
    await db()
      .updateTable('device')
      .set({ settings: JSON.stringify({ outOfService: true }) })
      .where('id', '=', north.units[1]?.id ?? 0)
      .execute();
    expect(await refusal(computed)).toEqual([
      409,
      'farmRevision',
      'The farm has changed since this was computed. Please compute again.',
    ]);
  });

  it('keeps two days where they were chosen, and not where they were needed', async () => {
    const [few, many] = [await group('Few', 'A', 2), await group('Many', 'B', 3)];
    const designOf = async (uid: string, settings: object) => {
      const { _id, isByHand } = await made(await compute([uid], { settings }));
      return [isByHand, (await one(_id)).design?.settings];
    };
    const chosen = { duration: 28, cycleLen: 2880 };
    expect(await designOf(few.uid, chosen)).toEqual([false, chosen]);
    // 3 × 600 min don't fit into a day.
    expect(await designOf(many.uid, { duration: 600 })).toEqual([false, { duration: 600 }]);
  });

  it('knows its groups on mains also in capitals', async () => {
    const [north, south] = [await group('North', 'A', 1), await group('South', 'B', 1)];
    const computed = await compute([north.uid, south.uid]);
    const mains = [
      { name: 'West', maxLps: 4, groups: [north.uid, south.uid].map((uid) => uid.toUpperCase()) },
    ];
    const limits = { maxLps: null, windows: [], avoid: [], mains };
    // Both at once draw 8 L/s.
    const set = await made({ ...computed, limits });
    expect(set.findings.map(({ code, main }) => [code, main])).toContainEqual(['overMain', 'West']);
  });

  it('takes the place of the one before it of the same template, which stays known', async () => {
    const { uid } = await group('North', 'A', 1);
    const { _id: templateUID, version: templateVersion } = await template(uid);
    const first = await made(await compute([uid], { templateUID, templateVersion }));
    const second = await made(
      await compute([uid], { templateUID, templateVersion, settings: { duration: 30 } }),
    );
    expect((await sets()).map(({ _id }) => _id)).toEqual([second._id]);
    const list = await world.get('GET /schedules/list', { farmUID: farmUID() });
    expect(list.json<ReplyOf<typeof listSchedules>>().map(({ id }) => id)).toEqual([second._id]);
    expect(await one(first._id)).toMatchObject({
      replacedBy: second._id,
      template: { uid: templateUID, name: 'Summer', version: 1, newestVersion: 1 },
    });
    // Deleting the newer one doesn't bring the older one back.
    await remove(second._id);
    expect(await sets()).toEqual([]);
  });

  it('is listed first while the farm waters by it, also when a newer one has its place', async () => {
    const { uid } = await group('North', 'A', 1);
    const { _id: templateUID } = await template(uid);
    const old = await made(await compute([uid], { templateUID }));
    await db()
      .updateTable('farm')
      .set(({ selectFrom }) => ({
        current_set_id: selectFrom('schedule_set').select('id').where('uid', '=', old._id),
      }))
      .where('id', '=', world.farm.id)
      .execute();
    server.clock.now = new Date(server.clock.now.getTime() + 1000);
    const newer = await made(await compute([uid], { templateUID }));
    expect((await sets()).map(({ _id, isCurrent }) => [_id, isCurrent])).toEqual([
      [old._id, true],
      [newer._id, false],
    ]);
  });

  it('is not made of a template that was deleted meanwhile', async () => {
    const { uid } = await group('North', 'A', 1);
    const { _id: templateUID } = await template(uid);
    const computed = await compute([uid], { templateUID });
    await server.call('DELETE /schedule-template', { headers: world.headers, query: { templateUID } });
    expect((await refusal(computed)).slice(0, 2)).toEqual([409, 'templateUID']);
  });
});

describe('a set that was changed by hand', () => {
  it('is kept as such, with what is worth knowing', async () => {
    const { uid } = await group('North', 'A', 2);
    const computed = await compute([uid]);
    const later = computed.schedules.map((row) => ({
      ...row,
      schedules: row.schedules.map((entry) => ({ ...entry, start: entry.start + 60 })),
    }));
    const set = await made({ ...computed, schedules: later });
    expect([set.isByHand, set.findings.map(({ sentence }) => sentence)]).toEqual([
      true,
      ['Edited by hand: it is not what its template gives.'],
    ]);
  });

  it('is refused where a sprinkler or a line would water twice at once, both named', async () => {
    const { uid } = await group('North', 'A', 2);
    const south = await buildGroup(db(), world.farm.id, 'South', [
      await buildSprinkler(db(), world.farm.id, { name: 'B1' }),
    ]);
    const computed = await compute([uid, south]);
    const [a1, a2] = computed.schedules;
    const same = { ...a2, schedules: [{ start: 20, duration: 28, cycle: 1 }] };
    expect(await refusal({ ...computed, schedules: [a1, same] })).toEqual([
      400,
      'schedules',
      'Sprinklers A1 and A2 of North would water at once, at 00:20: they are on one line.',
    ]);
    const twice = { ...a1, group: 'South', scheduleGroup: 'South' };
    expect(await refusal({ ...computed, schedules: [a1, twice] })).toEqual([
      400,
      'schedules',
      'Sprinkler A1 would water for North and South at once, at 00:00. Take it out of one of the groups.',
    ]);
  });

  it.each<[string, object, string]>([
    ['after the end of its cycle', { start: 1500, duration: 28, cycle: 2 }, 'minute 1500 lies after the end'],
    ['on another day of the cycle', { start: 60, duration: 28, cycle: 2 }, 'not on day 2'],
    ['for half a minute', { start: 0, duration: 1.5, cycle: 1 }, 'schedules'],
    ['after two days', { start: 2880, duration: 28, cycle: 2 }, 'schedules'],
  ])('is refused with a watering %s', async (_, entry, sentence) => {
    const { uid } = await group('North', 'A', 1);
    const computed = await compute([uid]);
    const schedules = computed.schedules.map((row) => ({ ...row, schedules: [entry] }));
    const [status, , text] = await refusal({ ...computed, schedules });
    expect([status, String(text).includes(sentence)]).toEqual([400, true]);
  });

  it('is refused with a sprinkler that is not the farm’s, with one twice in a group, and for a group that was not chosen', async () => {
    const [{ uid }, other] = [await group('North', 'A', 1), await buildFarmWorld(server)];
    const theirs = await buildSprinkler(db(), other.farm.id, { name: 'X1' });
    const computed = await compute([uid]);
    const [a1] = computed.schedules;
    const tried = async (schedules: readonly object[]) => (await refusal({ ...computed, schedules }))[2];
    expect(await tried([{ ...a1, serialNumber: theirs.serial_number }])).toBe(
      `Not sprinklers of this farm: ${theirs.serial_number}.`,
    );
    const later = { ...a1, schedules: [{ start: 600, duration: 28, cycle: 1 }] };
    expect(await tried([{ ...a1 }, later])).toBe('Sprinkler A1 is in group North twice.');
    expect(await tried([{ ...a1, group: 'South', scheduleGroup: 'South' }])).toContain(
      'none of the chosen groups',
    );
    const many = Array.from({ length: 25 }, (__, hour) => ({ start: hour * 40, duration: 1, cycle: 1 }));
    expect((await refusal({ ...computed, schedules: [{ ...a1, schedules: many }] }))[0]).toBe(400);
    expect(await sets()).toEqual([]);
  });
});

/** It holds this by its own word. */
const said = (unit: DeviceRow | undefined, crc: string, entries: object[] | null) =>
  db()
    .insertInto('unit_held')
    .values({
      farm_id: world.farm.id,
      device_id: unit?.id ?? 0,
      since: server.clock.now,
      crc,
      entries: entries && JSON.stringify(entries),
      cycle_days: null,
      how: 'said',
    })
    .execute();

describe('how far a set has got', () => {
  it('is how many hold it, how many are not known to, and where the farm differs', async () => {
    const { uid, units } = await group('North', 'A', 4);
    const entries = [{ start: 0, duration: 28, cycle: 1 }];
    const setUid = await buildWanted(db(), world.farm.id, units, entries);
    await db()
      .updateTable('schedule_set_unit')
      .set({ group_uid: uid, group_name: 'North' })
      .where('farm_id', '=', world.farm.id)
      .execute();
    // (0,28,1) is 28:33.
    await said(units[0], '28:33', entries);
    await said(units[1], '12:34', null);
    await db()
      .updateTable('device')
      .set({ settings: JSON.stringify({ outOfService: true }) })
      .where('id', '=', units[3]?.id ?? 0)
      .execute();
    const a5 = await buildSprinkler(db(), world.farm.id, { name: 'A5' });
    const { id } = await db()
      .selectFrom('device_group')
      .select('id')
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow();
    await db()
      .insertInto('device_group_member')
      .values({ farm_id: world.farm.id, group_id: id, device_id: a5.id })
      .execute();
    expect((await sets())[0]).toMatchObject({
      _id: setUid,
      isCurrent: true,
      standing: {
        total: 3,
        holding: 1,
        onTheirWay: 0,
        notConfirmed: 2,
        otherwise: 0,
        toPoll: [units[1]?.uid, units[2]?.uid],
      },
      differences: {
        holes: { count: 1, names: ['A4'] },
        missing: { count: 1, names: ['A5'] },
        moved: { count: 0 },
      },
    });
  });
});

describe('what becomes of each sprinkler', () => {
  const compare = async (query: object) =>
    (await world.get('GET /schedules/compare', { farmUID: farmUID(), ...query })).json<
      ReplyOf<typeof compareSets>
    >();

  it('from one set to another is counted, and named where it changes', async () => {
    const north = await group('North', 'A', 3);
    const long = await made(await compute([north.uid]));
    const [, a2] = north.units;
    await db()
      .deleteFrom('device_group_member')
      .where('device_id', '=', a2?.id ?? 0)
      .execute();
    const south = await group('South', 'B', 1);
    const next = await made(await compute([north.uid, south.uid]));
    // A2 leaves: A3 moves up to 28. B1 is new.
    const { counts, units, from } = await compare({ from: long._id, to: next._id });
    expect([from?.name, counts]).toEqual([
      'Summer',
      { same: 1, new: 1, moved: 1, longer: 0, shorter: 0, cleared: 1, unknown: 0 },
    ]);
    expect(units).toMatchObject([
      { name: 'A2', serialNumber: a2?.serial_number, kind: 'cleared', line: 'North', to: null },
      {
        name: 'A3',
        kind: 'moved',
        line: 'North',
        from: { cycleDays: 1, entries: [{ start: 56, duration: 28, cycle: 1 }] },
        to: { cycleDays: 1, entries: [{ start: 28, duration: 28, cycle: 1 }] },
      },
      { name: 'B1', kind: 'new', line: 'South', from: null },
    ]);
  });

  it('from what each holds is by its own word; of one that was not heard, or holds another’s schedule, it is not known', async () => {
    const { uid, units } = await group('North', 'A', 3);
    const set = await made(await compute([uid]));
    await said(units[0], '28:33', [{ start: 0, duration: 28, cycle: 1 }]);
    await said(units[1], '12:34', null);
    const [elsewhere] = (await group('Elsewhere', 'E', 1)).units;
    const { from, counts, notKnown } = await compare({ to: set._id });
    expect(notKnown).toEqual(
      expect.arrayContaining([units[1], units[2], elsewhere].map((unit) => unit?.serial_number)),
    );
    expect(notKnown).not.toContain(units[0]?.serial_number);
    expect([from, counts]).toEqual([
      null,
      { same: 1, new: 0, moved: 0, longer: 0, shorter: 0, cleared: 0, unknown: 2 },
    ]);
  });
});

describe('a set that is deleted', () => {
  it('leaves the lists, cannot be sent, and comes back when that is undone', async () => {
    const { uid } = await group('North', 'A', 1);
    const set = await made(await compute([uid]));
    const { batchId, ...reply } = await remove(set._id);
    expect(reply).toEqual({ deleted: true });
    expect(await sets()).toEqual([]);
    expect((await get(set._id)).statusCode).toBe(404);
    expect((await world.get('GET /schedules', { farmUID: farmUID(), setUID: set._id })).statusCode).toBe(404);
    const undone = (await undo(batchId)).json<ReplyOf<typeof undoAct>>();
    expect(undone).toMatchObject({ undone: 1, kept: 0 });
    expect(await sets()).toMatchObject([{ _id: set._id, name: 'Summer' }]);
    expect((await undo(undone.batchId)).json()).toMatchObject({ undone: 1 });
    expect(await sets()).toEqual([]);
  });

  it('stays away while the list is full', async () => {
    const uid = await buildScheduleSet(db(), world.farm.id, [], []);
    const { batchId } = await remove(uid);
    for (let number = 0; number < 50; number += 1) await buildScheduleSet(db(), world.farm.id, [], []);
    const refused = await undo(batchId);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      {
        current: {
          others: 0,
          conflicts: [
            {
              uid,
              canPutBack: false,
              why: 'The farm has 50 schedule sets, the most there can be. Please delete one first.',
            },
          ],
        },
      },
    ]);
    const [other] = await sets();
    await remove(other?._id ?? '');
    expect((await undo(batchId)).statusCode).toBe(200);
  });

  it('can’t come back after 30 days; its name stays and its waterings go', async () => {
    const { uid } = await group('North', 'A', 1);
    const set = await made(await compute([uid]));
    const { batchId } = await remove(set._id);
    const before = new Date(server.clock.now.getTime() - 30 * DAY);
    await db()
      .updateTable('schedule_set')
      .set({ deleted_at: new Date(before.getTime() - 1000) })
      .where('uid', '=', set._id)
      .execute();
    await db()
      .updateTable('change_batch')
      .set({ at: new Date(before.getTime() - 1000) })
      .where('uid', '=', batchId ?? '')
      .execute();
    const late = await undo(batchId);
    expect([late.statusCode, late.json()]).toEqual([
      409,
      expect.objectContaining({
        errorMessage: "This can't be undone any more: it was done more than 30 days ago.",
      }),
    ]);
    await createSetsRepo(db()).forget(before);
    const rows = await db()
      .selectFrom('schedule_set_unit')
      .select('set_id')
      .where('farm_id', '=', world.farm.id)
      .execute();
    expect(rows).toEqual([]);
    const kept = await db().selectFrom('schedule_set').select('name').where('uid', '=', set._id).execute();
    expect(kept).toEqual([{ name: 'Summer' }]);
  });

  it('stays while the farm waters by it, and while sprinklers have still to get it', async () => {
    const { units } = await group('North', 'A', 5);
    const entries = [{ start: 0, duration: 28, cycle: 1 }];
    const current = await buildWanted(db(), world.farm.id, units, entries);
    expect(await remove(current)).toEqual({
      deleted: false,
      reason: 'The farm waters by it. Send another set to the whole farm first.',
    });
    await db().updateTable('farm').set({ current_set_id: null }).where('id', '=', world.farm.id).execute();
    const waiting = '5 sprinklers have still to get it: A1, A2, A3 and 2 more. Send them another set first.';
    expect(await remove(current)).toEqual({ deleted: false, reason: waiting });
    expect((await one(current)).inUse).toBe(waiting);
  });

  it('stays while it is being sent, or is what a send goes back to', async () => {
    const uid = await buildScheduleSet(db(), world.farm.id, [], []);
    const { id } = await db()
      .selectFrom('schedule_set')
      .select('id')
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow();
    const unit = await buildSprinkler(db(), world.farm.id, { name: 'A1' });
    const command = await buildQueuedCommand(db(), unit, server.clock.now);
    const about = (values: object) =>
      db().updateTable('command').set(values).where('uid', '=', command).execute();
    await about({ payload: JSON.stringify({ setUID: uid.toUpperCase() }) });
    expect(await remove(uid)).toEqual({ deleted: false, reason: 'It is being sent.' });
    await about({ payload: '{}', replaced_set_id: id });
    expect(await remove(uid)).toMatchObject({ deleted: false });
    await about({ state: 'done' });
    expect(await remove(uid)).toEqual(deleted);
  });

  it('is deleted by one of two who do it at once', async () => {
    const uid = await buildScheduleSet(db(), world.farm.id, [], []);
    const replies = await Promise.all([remove(uid), remove(uid)]);
    expect(replies.filter((reply) => reply.deleted)).toHaveLength(1);
  });
});

it('a farm has 50 sets in its list; the next asks to delete the oldest that is not in use', async () => {
  const { uid } = await group('North', 'A', 1);
  for (let number = 0; number < 50; number += 1) await buildScheduleSet(db(), world.farm.id, [], []);
  const [status, , text] = await refusal(await compute([uid]));
  const { name } = await db()
    .selectFrom('schedule_set')
    .select('name')
    .where('farm_id', '=', world.farm.id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect([status, text]).toEqual([
    409,
    `The farm has 50 schedule sets, the most there can be. Please delete one first, such as ${name}, the oldest that is not in use.`,
  ]);
});

it('stands in the history', async () => {
  const { uid } = await group('North', 'A', 1);
  const set = await made(await compute([uid]));
  const { batchId } = await remove(set._id);
  await undo(batchId);
  const { changes } = (await world.get('GET /changes', { farmUID: farmUID(), uid: set._id })).json<{
    changes: { what: string; kind: string }[];
  }>();
  expect(changes.map(({ kind, what }) => [kind, what])).toEqual([
    ['schedule set', 'restored'],
    ['schedule set', 'deleted'],
    ['schedule set', 'created'],
  ]);
});

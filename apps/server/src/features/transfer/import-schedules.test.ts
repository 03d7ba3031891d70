import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ImportDone, ImportPlan } from '@headrace/contract/imports';
import { levels, presets } from '@headrace/contract/permissions';
import type { ScheduleSet } from '@headrace/contract/schedules';
import { buildAccount, buildShare } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

let number = 0;
let address = '';
const db = () => server.database.db;
beforeEach(async () => {
  address = `198.51.100.${(number += 1)}`;
  world = await buildFarmWorld(server);
  const units = [];
  for (const name of ['A1', 'A2']) {
    number += 1;
    const mac = `0004D1${number.toString(16).toUpperCase().padStart(6, '0')}`;
    units.push(await buildSprinkler(db(), world.farm.id, { name, mac, serial_number: `IPC${name}` }));
  }
  await buildGroup(db(), world.farm.id, 'North', units);
});

const head = 'set;group;schedule_group;serial_number;name;cycle;start;duration';
const fileOf = (rows: string[]) => ({
  farmUID: world.farm.uid,
  typeFile: 'schedules',
  data: [head, ...rows].join('\r\n'),
  filename: 'Summer.csv',
});
const send = (key: string, body: object, headers = world.headers) =>
  server.call(key, { headers, body, address });
const plan = async (rows: string[], headers = world.headers) =>
  (await send('POST /import/plan', fileOf(rows), headers)).json<ImportPlan>();
async function apply(rows: string[], choice: object = {}): Promise<ImportDone> {
  const { revision } = await plan(rows);
  const reply = await send('POST /import/apply', { ...fileOf(rows), revision, ...choice });
  expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)]);
  return reply.json<ImportDone>();
}
const undo = (batchId: string | null | undefined) =>
  send('POST /undo', { farmUID: world.farm.uid, batchId, act: 'import' });
const setsNow = async () => {
  const { sets } = (await world.get('GET /schedules', { farmUID: world.farm.uid })).json<{
    sets: ScheduleSet[];
  }>();
  return sets.map(({ name, schedules }) => [
    name,
    ...schedules.map((one) => [one.name, ...one.schedules.map(({ start }) => start)]),
  ]);
};
const summer = ['Summer;North;North;IPCA1;A1;1;05:30;30', 'Summer;North;North;ipca2;A2;1;360;30'];
const rowsOf = ({ rows }: ImportPlan) => rows.map(({ kind, name, action, why }) => [kind, name, action, why]);

describe('schedule sets of a file', () => {
  it('are added, sent to nobody, and leave the list when that is undone', async () => {
    const planned = await plan(summer);
    expect(planned.rows).toEqual([
      {
        row: 0,
        line: 2,
        kind: 'schedule set',
        name: 'Summer',
        action: 'add',
        fields: [
          { field: 'turns', from: '', to: '2 turns, 60 min' },
          { field: 'cycle', from: '', to: '1440 min' },
        ],
        why: 'It is sent to no sprinkler by this.',
      },
    ]);
    expect(await setsNow()).toEqual([]);
    const { batchId } = await apply(summer);
    expect(await setsNow()).toEqual([['Summer', ['A1', 330], ['A2', 360]]]);
    expect(
      await db().selectFrom('command').select('id').where('farm_id', '=', world.farm.id).execute(),
    ).toEqual([]);
    expect((await plan(summer)).counts).toMatchObject({ same: 1, add: 0 });
    expect((await undo(batchId)).statusCode).toBe(200);
    expect(await setsNow()).toEqual([]);
  });

  it('that leave the list for a second time are deleted since then, not since the first time', async () => {
    const { batchId } = await apply(summer);
    const undone = (await undo(batchId)).json<{ batchId: string }>();
    const again = (await undo(undone.batchId)).json<{ batchId: string }>();
    expect(await setsNow()).toHaveLength(1);
    server.clock.now = new Date(server.clock.now.getTime() + 3_600_000);
    expect((await undo(again.batchId)).statusCode).toBe(200);
    const sets = await db()
      .selectFrom('schedule_set')
      .select('deleted_at')
      .where('farm_id', '=', world.farm.id)
      .execute();
    expect(sets).toEqual([{ deleted_at: server.clock.now }]);
  });

  it('one that differs takes the place of the one of its name, which is back when that is undone', async () => {
    await apply(summer);
    const later = ['Summer;North;North;IPCA1;A1;1;06:30;30', 'Summer;North;North;IPCA2;A2;1;07:00;30'];
    const planned = await plan(later);
    expect(rowsOf(planned)).toEqual([
      ['schedule set', 'Summer', 'change', 'It is sent to no sprinkler by this.'],
    ]);
    const { batchId } = await apply(later);
    expect(await setsNow()).toEqual([['Summer', ['A1', 390], ['A2', 420]]]);
    await undo(batchId);
    expect(await setsNow()).toEqual([['Summer', ['A1', 330], ['A2', 360]]]);
  });

  it('that the farm waters by is asked about, and can’t be taken back', async () => {
    const { batchId } = await apply(summer);
    const { id } = await db()
      .selectFrom('schedule_set')
      .select('id')
      .where('farm_id', '=', world.farm.id)
      .executeTakeFirstOrThrow();
    await db().updateTable('farm').set({ current_set_id: id }).where('id', '=', world.farm.id).execute();
    const later = ['Summer;North;North;IPCA1;A1;1;06:30;30'];
    expect(rowsOf(await plan(later))).toEqual([
      [
        'schedule set',
        'Summer',
        'choose',
        'The farm waters by Summer. This takes its place in the list; sprinklers get it with the next Send Schedule.',
      ],
    ]);
    const reply = await undo(batchId);
    expect([reply.statusCode, reply.json<{ current: unknown }>().current]).toMatchObject([
      409,
      {
        conflicts: [
          { canPutBack: false, why: 'The farm waters by it. Send another set to the whole farm first.' },
        ],
      },
    ]);
  });

  it('are left out with a fault, without their group, or where one line would water twice at once', async () => {
    expect(
      rowsOf(
        await plan([
          'Bad;North;North;IPCA1;A1;1;99:00;30',
          'South;South;South;IPCA1;A1;1;330;30',
          'Both;North;North;IPCA1;A1;1;330;30',
          'Both;North;North;IPCA2;A2;1;340;30',
          'Gone;North;North;XXX;Z9;1;330;30',
        ]),
      ),
    ).toEqual([
      [
        'schedule set',
        'Bad',
        'left out',
        "Row 2, column start: '99:00' isn't a time of the day, such as 05:30.",
      ],
      [
        'schedule set',
        'South',
        'left out',
        "Line 3, group, 'South': the farm has no such group. Add it first.",
      ],
      ['schedule set', 'Both', 'left out', expect.stringMatching(/^Line [45], sprinkler, .*A1/)],
      [
        'schedule set',
        'Gone',
        'left out',
        "Line 6, serial_number, 'XXX': none of its sprinklers is on the farm. Import the list of devices first.",
      ],
      [
        'sprinkler',
        'Z9',
        'left out',
        "Line 6, serial_number, 'XXX': the farm has no sprinkler with it, of set Gone.",
      ],
    ]);
  });

  it('an older import is asked about where a newer set stays in its place', async () => {
    await apply(summer);
    const { batchId: second } = await apply(['Summer;North;North;IPCA1;A1;1;06:30;30']);
    const { batchId: third } = await apply(['Summer;North;North;IPCA1;A1;1;07:30;30']);
    const reply = await undo(second);
    expect([reply.statusCode, reply.json<{ current: unknown }>().current]).toMatchObject([
      409,
      {
        conflicts: [
          {
            canPutBack: true,
            why: 'Summer took its place since. Put back, the one before it is in the list again, beside Summer.',
          },
        ],
      },
    ]);
    expect(await setsNow()).toEqual([['Summer', ['A1', 450]]]);
    // In their order both go back without a question.
    expect([(await undo(third)).statusCode, (await undo(second)).statusCode]).toEqual([200, 200]);
    expect(await setsNow()).toEqual([['Summer', ['A1', 330], ['A2', 360]]]);
  });

  it('with a part of their sprinklers are asked about', async () => {
    expect(rowsOf(await plan([...summer.slice(0, 1), 'Summer;North;North;ipca-22;Z9;1;600;30']))).toEqual([
      ['schedule set', 'Summer', 'choose', "1 of its 2 turns are of sprinklers that aren't on the farm."],
      [
        'sprinkler',
        'Z9',
        'left out',
        "Line 3, serial_number, 'ipca-22': the farm has no sprinkler with it, of set Summer. Did you mean IPCA2?",
      ],
    ]);
  });

  it('need the right to add schedules', async () => {
    const agent = await buildAccount(db(), { type: 'AGENT' });
    await buildShare(db(), world.farm.id, agent.id, {
      ...presets.none,
      import: true,
      schedules: levels.Read,
    });
    expect(rowsOf(await plan(summer, await server.signIn(agent)))).toEqual([
      [
        'schedule set',
        'Summer',
        'left out',
        "Line 2: You may not add schedules. Ask the farm's owner for that.",
      ],
    ]);
  });

  it('of site.zip are the same again, whatever the sets are called, and one type is named for another', async () => {
    await apply([...summer, 'Win/ter;North;North;IPCA1;A1;2;05:30;30']);
    const { rawPayload } = await world.get('GET /export/schedules', { farmUID: world.farm.uid });
    const data = `data:application/zip;base64,${rawPayload.toString('base64')}`;
    const zip = { ...fileOf([]), data, filename: 'site.zip' };
    const planned = (await send('POST /import/plan', zip)).json<ImportPlan>();
    expect([planned.counts, planned.rows]).toEqual([
      { add: 0, change: 0, choose: 0, same: 2, 'left out': 0 },
      [],
    ]);
    const other = await send('POST /import/plan', { ...zip, typeFile: 'kml' });
    expect([other.statusCode, other.json()]).toMatchObject([
      400,
      {
        field: 'data',
        errorMessage: 'This is site.zip. Choose Schedules.',
        current: { typeFile: 'schedules' },
      },
    ]);
  });

  it('a file of schedules is one also where it was chosen as a list of devices', async () => {
    const reply = await send('POST /import/plan', { ...fileOf(summer), typeFile: 'podlist' });
    expect(reply.json<ImportPlan>().counts).toMatchObject({ add: 1 });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UsageLimits } from '@headrace/contract/limits';
import type { Note } from '../messages/messages.ts';
import { buildDevice, buildFarm, buildGateway, buildTank } from '../../testing/factories.ts';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { tellUsage } from './tell-usage.ts';

const limits: UsageLimits = { farmReadingsADay: 10, accountReadingsADay: 15, farmSeries: 4 };

let server: TestServer;
let kit: IngestKit;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await createTestServer({
    usageLimits: limits,
    takeAgain: (message) => kit.ingest.replay(message),
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.now = new Date('2026-11-20T21:00:00Z');
  kit = await createIngestKit({ limits }, server.database);
  headers = await server.signIn(
    await server.database.db
      .selectFrom('account')
      .selectAll()
      .where('id', '=', kit.farm.owner_id)
      .executeTakeFirstOrThrow(),
  );
  return () => kit.close();
});

const minute = (n: number) => new Date(Date.UTC(2026, 10, 20, 20, n)).toISOString();
const levels = (mac: string | null, from: number, to: number) => ({
  items: Array.from({ length: to - from + 1 }, (_, n) => ({
    mac,
    at: minute(from + n),
    values: { levelMm: from + n },
  })),
});
const usage = async (farm = kit.farm) =>
  (await server.call('GET /farm/usage', { headers, query: { farmUID: farm.uid } })).json<{
    resetsAt: string;
    readings: { today: number; refused: number; accountToday: number };
    series: { count: number };
  }>();
const letters = async () =>
  (await server.call('GET /dead-letters', { headers, query: { farmUID: kit.farm.uid } })).json<{
    letters: { reason: string; count: number; kept: number }[];
  }>().letters;
const replay = async () =>
  (await server.call('POST /dead-letters/replay', { headers, body: { farmUID: kit.farm.uid } })).json();
async function notices(): Promise<Note[]> {
  const notes: Note[] = [];
  const messages = { notify: async (_to: number, note: Note) => void notes.push(note) };
  await tellUsage({ db: server.database.db, messages }, limits, kit.clock.now);
  return notes;
}

describe('readings of a day', () => {
  it('count once, however often they are sent, and are told of at 80 % and at the end, once', async () => {
    await kit.store('up/sensor', levels(kit.tank.mac, 1, 5));
    await kit.store('up/sensor', levels(kit.tank.mac, 1, 5));
    await kit.store('up/sensor', levels(kit.tank.mac, 6, 7));
    expect(await usage()).toMatchObject({
      resetsAt: '2026-11-21T00:00:00.000Z',
      readings: { today: 7, refused: 0, limit: 10, accountToday: 7, accountLimit: 15 },
      series: { count: 1, limit: 4 },
      codecs: { count: 0, limit: 100 },
    });
    expect(await notices()).toEqual([]);
    await kit.store('up/sensor', levels(kit.tank.mac, 8, 8));
    expect(await notices()).toEqual([
      expect.objectContaining({
        title: `${kit.farm.name} sends many readings`,
        link: `/device-messages/${kit.farm.uid}`,
      }),
    ]);
    expect(await notices()).toEqual([]);
    await kit.store('up/sensor', levels(kit.tank.mac, 9, 10));
    expect((await notices()).map(({ title }) => title)).toEqual([
      `${kit.farm.name} has no room for readings today`,
    ]);
  });

  it('over the limit are acknowledged, counted as not taken, kept, and taken when tried the next day', async () => {
    await kit.store('up/sensor', levels(kit.tank.mac, 1, 9));
    const sent = await kit.store('up/sensor', levels(kit.tank.mac, 10, 12));
    expect(sent.isAcknowledged).toBe(true);
    expect((await usage()).readings).toMatchObject({ today: 10, refused: 2 });
    expect(await letters()).toMatchObject([
      { reason: 'over the limit of 10 readings a day for a farm', count: 1, kept: 1 },
    ]);
    expect(await replay()).toMatchObject({ taken: 0, failed: 1 });
    kit.clock.now = new Date('2026-11-21T00:00:01Z');
    server.clock.now = kit.clock.now;
    expect(await replay()).toEqual({ taken: 1, failed: 0, left: 0, reason: '' });
    await kit.ingest.drain();
    // The one that had room before is not counted again.
    expect((await usage()).readings).toMatchObject({ today: 2, refused: 0 });
  });

  it('of a farm count for its account, and leave the farms of others alone', async () => {
    const second = await buildFarm(server.database.db, kit.farm.owner_id);
    const gateway = await buildGateway(server.database.db, second.id);
    const tank = await buildTank(server.database.db, second.id);
    const from = { topic: `headrace/v1/${gateway.mac}/up/sensor`, sender: kit.sender(gateway) };
    await kit.store('up/sensor', levels(kit.tank.mac, 1, 9));
    await kit.store('up/sensor', levels(tank.mac, 1, 8), from);
    expect((await usage(second)).readings).toMatchObject({ today: 6, accountToday: 15, refused: 2 });
    const { rows } = await server.database.pool.query<{ reason: string }>('select reason from dead_letter');
    expect(rows).toEqual([{ reason: 'over the limit of 15 readings a day for all farms of an account' }]);
  });

  it('that say whether water runs have as much room again', async () => {
    const unit = await buildDevice(server.database.db, kit.farm.id, 'sprinkler');
    await kit.store('up/sensor', levels(kit.tank.mac, 1, 10));
    const said = (n: number) => ({ items: [{ mac: unit.mac, at: minute(n), valve: 'open' }] });
    await kit.store('up/ipc', said(1));
    expect((await usage()).readings).toMatchObject({ today: 11, refused: 0 });
  });
});

it('room for messages that were not taken is told of at 80 % and when it is full, of the day and in all, to people of the farm', async () => {
  const unknown = { items: [{ mac: '0004A30000FFFFFF', at: minute(1), values: { levelMm: 1 } }] };
  await kit.store('up/sensor', unknown);
  const pool = server.database.pool;
  const set = (columns: string) =>
    pool.query(`update farm_usage set ${columns} where farm_id = $1`, [kit.farm.id]);
  await set('kept_messages = 3999');
  expect(await notices()).toEqual([]);
  await set('kept_messages = 4000');
  expect(await notices()).toMatchObject([
    {
      title: `${kit.farm.name} sends many messages that are not taken`,
      message: expect.stringMatching(/^80 % of what is kept of them on a day are used\. Beyond it/) as string,
      link: `/device-messages/${kit.farm.uid}`,
    },
  ]);
  expect(await notices()).toEqual([]);
  // 8 MiB are all that the day has.
  await set(`kept_messages = 10, kept_bytes = ${8 * 1024 * 1024}`);
  expect(await notices()).toMatchObject([
    { message: expect.stringContaining('What comes now is counted') as string },
  ]);
  // 52 of 64 MiB.
  await pool.query('update kept_message set bytes = $2 where farm_id = $1', [kit.farm.id, 52 * 1024 * 1024]);
  expect(await notices()).toMatchObject([
    { title: `${kit.farm.name} has little room for messages that were not taken` },
  ]);
});

it('values beyond what a farm keeps are not taken, those that it has go on, and one letter says so', async () => {
  const values = (n: number) => ({
    items: [
      {
        mac: kit.tank.mac,
        at: minute(n),
        values: { levelMm: 1, batteryV: 4, temperatureC: 10, flowLpm: 1, commsQuality: 1, fault: false },
      },
    ],
  });
  await kit.store('up/sensor', levels(kit.tank.mac, 1, 1));
  await kit.store('up/sensor', values(2));
  expect(await usage()).toMatchObject({ series: { count: 4 }, readings: { today: 5, refused: 2 } });
  await kit.store('up/sensor', levels(kit.tank.mac, 3, 3));
  expect((await usage()).readings.today).toBe(6);
  expect((await letters()).map(({ reason, count }) => [reason.slice(0, 50), count])).toEqual([
    ['over the limit of 4 values that are kept of a farm', 1],
  ]);
  expect((await notices()).map(({ title }) => title)).toEqual([
    `${kit.farm.name} can keep no further values`,
  ]);
});

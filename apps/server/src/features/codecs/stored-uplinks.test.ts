import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import type { DeviceRow } from '../../db/schema.ts';
import { buildAccount, buildCodec, buildShare, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { runLongJobs } from '../long-jobs/run-long-jobs.ts';
import { countUplinks, keepUplinks } from '../readings/raw-uplinks.ts';
import { createUplinkStore, expireUplinks } from '../readings/uplink-store.ts';

let server: TestServer;
let world: FarmWorld;
let tank: DeviceRow;
let woken = 0;
beforeAll(async () => {
  server = await createTestServer({ wakeDecoding: () => void (woken += 1) });
});
beforeEach(async () => {
  await server.database.pool.query('truncate uplink, uplink_due, uplink_count, decode_anew, long_job');
  world = await buildFarmWorld(server);
  tank = await buildTank(server.database.db, world.farm.id);
  woken = 0;
});
afterAll(() => server.close());

const day = 86_400_000;
const now = () => server.clock.now.getTime();

function runJobs(): void {
  const { database, clock, longJobs: types } = server;
  const log = { warn() {} };
  const runner = runLongJobs({
    db: database.db,
    types,
    now: () => clock.now,
    log,
    isAlone: true,
    pollMs: 20,
  });
  onTestFinished(() => runner.stop());
}

/** Stores as ingest does; one for each number of days ago. */
async function keep(daysAgo: readonly number[], isDue = false) {
  const uplinks = daysAgo.map((days) => ({
    farmId: world.farm.id,
    deviceId: tank.id,
    at: now() - days * day,
    receivedAt: new Date(now() - days * day),
    topic: 'application/app/device/a84041ffff1829d3/event/up',
    keyId: 1,
    payload: Buffer.from(`{"days":${days}}`),
    isDue,
    isAgain: false,
  }));
  const client = await server.database.pool.connect();
  const counts = await countUplinks(client, await keepUplinks(client, uplinks), []);
  client.release();
  return counts;
}

const decoding = async () =>
  (await world.get('GET /sensor/decoding', { deviceId: tank.uid })).json<Record<string, unknown>>();
const kept = async () =>
  (
    await server.database.db
      .selectFrom('uplink')
      .select('at')
      .where('farm_id', '=', world.farm.id)
      .orderBy('at')
      .execute()
  ).map(({ at }) => Math.round((now() - at.getTime()) / day));

describe('stored messages of a sensor', () => {
  it('that wait are told with their number and since when, and so is from when on there are any', async () => {
    await keep([3, 20]);
    await keep([1, 2], true);
    expect(await decoding()).toMatchObject({
      waiting: { count: 2, since: new Date(now() - 2 * day).toISOString(), tookMs: null },
      keptSince: new Date(now() - 20 * day).toISOString(),
      anew: null,
    });
  });

  it('of the last 30 days are put in the queue anew by a job, whose call says how many, and who decodes is woken', async () => {
    await keep([0, 1, 29, 31]);
    const reply = await world.send('POST /sensor/decoding/anew', { deviceId: tank.uid });
    const { jobId: id } = reply.json<{ jobId: string }>();
    expect([reply.statusCode, reply.json(), woken]).toEqual([200, { total: 3, jobId: id }, 0]);
    const times = { askedAt: server.clock.now.toISOString(), finishedAt: null };
    const begun = { ...times, total: 3, done: 0, changed: 0, failed: 0, problem: null };
    expect(await decoding()).toMatchObject({ waiting: null, anew: begun });
    const runs = async () =>
      (await server.database.db.selectFrom('uplink_due').select('run').execute()).map(({ run }) => run);
    expect(await runs()).toEqual([]);
    runJobs();
    await expect.poll(runs, { timeout: 10_000 }).toEqual([1, 1, 1]);
    // They are in the queue first.
    await expect.poll(() => woken, { timeout: 10_000 }).toBe(1);
    expect((await world.get('GET /job', { id })).json()).toMatchObject({
      type: 'decode anew',
      state: 'running',
    });
    // Asked for again it is the same three, not six, and the earlier job ends.
    await world.send('POST /sensor/decoding/anew', { deviceId: tank.uid });
    await expect.poll(runs, { timeout: 10_000 }).toEqual([2, 2, 2]);
    expect((await world.get('GET /job', { id })).json()).toMatchObject({
      state: 'cancelled',
      error: 'It was asked for again.',
    });
  });

  it('that were to be decoded anew are not, once it is cancelled, before it begins or after', async () => {
    await keep([0, 1]);
    const ask = async () =>
      (await world.send('POST /sensor/decoding/anew', { deviceId: tank.uid })).json<{ jobId: string }>()
        .jobId;
    const due = async () =>
      (await server.database.db.selectFrom('uplink_due').select('run').execute()).length;
    const cancelled = {
      anew: { total: 2, done: 0, problem: 'It was cancelled.', finishedAt: expect.any(String) as string },
    };
    await world.send('POST /job/cancel', { id: await ask() });
    expect(await decoding()).toMatchObject(cancelled);
    runJobs();
    const id = await ask();
    await expect.poll(due, { timeout: 10_000 }).toBe(2);
    await world.send('POST /job/cancel', { id });
    await expect.poll(due, { timeout: 10_000 }).toBe(0);
    expect(await decoding()).toMatchObject(cancelled);
  });

  it('that were decoded anew stand in the history with who asked, when and how many, and count in the limit of a day', async () => {
    await keep([0, 1, 29]);
    const ask = () => world.send('POST /sensor/decoding/anew', { deviceId: tank.uid });
    await ask();
    const { changes } = (await world.get('GET /changes', { farmUID: world.farm.uid })).json<{
      changes: object[];
    }>();
    expect(changes).toMatchObject([
      {
        at: server.clock.now.toISOString(),
        by: world.owner.name,
        kind: 'sensor',
        uid: tank.uid,
        what: 'decoded anew',
        fields: [{ field: 'messages', from: null, to: 3 }],
      },
    ]);
    // Of the million messages a day two are left.
    await server.database.pool.query(
      `update change_log set fields = '[{"field":"messages","from":null,"to":999998}]' where farm_id = $1`,
      [world.farm.id],
    );
    expect(await decoding()).toMatchObject({
      anewRoom: {
        left: 2,
        limit: 1_000_000,
        moreAt: new Date(server.clock.now.getTime() + 86_400_000).toISOString(),
      },
    });
    const refused = await ask();
    // They were asked for just now.
    expect([
      refused.statusCode,
      refused.headers['retry-after'],
      refused.json<{ errorMessage: string }>().errorMessage,
    ]).toEqual([
      429,
      '86400',
      'A farm can have 1,000,000 messages decoded anew in 24 hours. These are 3, and 2 are left. Please try again in 1 day.',
    ]);
    await server.database.pool.query(`update change_log set at = at - interval '24 hours'`);
    expect((await ask()).json()).toMatchObject({ total: 3 });
  });

  it('of which there are none are done at once', async () => {
    const reply = await world.send('POST /sensor/decoding/anew', { deviceId: tank.uid });
    expect(reply.json()).toEqual({ total: 0 });
    expect(await decoding()).toMatchObject({ anew: { finishedAt: server.clock.now.toISOString() } });
  });

  it('go after 30 days, except what waits', async () => {
    await keep([29, 31, 40]);
    await keep([35], true);
    expect(await expireUplinks(server.database.pool, server.clock.now)).toBe(2);
    expect(await kept()).toEqual([35, 29]);
    const counts = server.database.db.selectFrom('uplink_count').select(['kept', 'waiting']);
    expect(await counts.where('farm_id', '=', world.farm.id).execute()).toEqual([{ kept: 2, waiting: 1 }]);
  });

  it("beyond the farm's bounds push out the farm's own oldest, and are not to wait beyond them", async () => {
    const failures: object[] = [];
    const store = createUplinkStore({
      pool: server.database.pool,
      log: { warn: (details) => failures.push(details), error: (details) => failures.push(details) },
      onWaiting: () => {},
      kept: { count: 2, bytes: 1e6 },
      waiting: { count: 2, bytes: 1e6 },
    });
    store.stored(await keep([9], true));
    expect(store.hasRoom(world.farm.id)).toBe(true);
    store.stored(await keep([7, 5, 3]));
    await store.done();
    // A trim takes up to some thousand at once; what waits is never among them.
    expect(await kept()).toEqual([9]);
    store.stored(await keep([1], true));
    expect([store.hasRoom(world.farm.id), failures]).toEqual([false, []]);
  });
});

it('people of the farm are told that a codec is switched off, once, with the way to a sensor of it', async () => {
  const codec = await buildCodec(server.database.db, world.farm.id);
  const { db } = server.database;
  await db.updateTable('device').set({ codec_id: codec.id }).where('id', '=', tank.id).execute();
  const { name } = await db
    .selectFrom('codec')
    .select('name')
    .where('id', '=', codec.id)
    .executeTakeFirstOrThrow();
  await db.updateTable('codec').set({ off_at: server.clock.now }).where('id', '=', codec.id).execute();
  const agent = await buildAccount(db, { type: 'AGENT' });
  await buildShare(db, world.farm.id, agent.id, { ...presets.none, notifications: true });
  for (let times = 0; times < 2; times += 1)
    server.codecSwitchedOff(world.farm.id, { name, reason: 'it took too long 5 times in a row' });
  const progress = () =>
    db
      .selectFrom('notification')
      .select(['account_id', 'title', 'message', 'link'])
      .orderBy('account_id')
      .execute();
  const note = {
    title: `Codec ${name} is switched off`,
    message: expect.stringContaining('it took too long 5 times in a row') as string,
    link: `/sensor-device/${world.farm.uid}/${tank.uid}`,
  };
  await expect
    .poll(progress)
    .toMatchObject([world.farm.owner_id, agent.id].map((account_id) => ({ account_id, ...note })));
});

import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { MadePack } from '@headrace/contract/water-takes';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildTake } from '../../testing/take-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { runLongJobs } from '../long-jobs/run-long-jobs.ts';

let server: TestServer;
let world: FarmWorld;
let meter: DeviceRow;
let uid: string;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  world = await buildFarmWorld(server);
  const { db } = server.database;
  meter = await buildDevice(db, world.farm.id, 'sensor', { name: 'Bore 1', type: sensorTypes.FLOW_PULSE });
  ({ uid } = await buildTake(db, meter, server.clock.now));
  await db.deleteFrom('take_pack').where('farm_id', '=', world.farm.id).execute();
});

function runJobs(): void {
  const { database, clock, longJobs: types } = server;
  const options = { db: database.db, types, now: () => clock.now, log: { warn() {} }, isAlone: true };
  const runner = runLongJobs({ ...options, pollMs: 20 });
  onTestFinished(() => runner.stop());
}
const ask = (days: object = {}) =>
  world.send('POST /water-take/pack', {
    farmUID: world.farm.uid,
    uid,
    from: '2026-07-01',
    to: '2026-11-20',
    ...days,
  });
const packs = async () =>
  (await world.get('GET /water-take/packs', { farmUID: world.farm.uid, uid })).json<{ packs: MadePack[] }>()
    .packs;
const file = (id: string) => world.get('GET /water-take/pack/file', { farmUID: world.farm.uid, id });
const made = (asked: string) =>
  expect
    .poll(async () => (await packs()).find(({ id }) => id === asked)?.state, {
      timeout: 60_000,
      interval: 50,
    })
    .toBe('done');

it('a pack of months is made in the queue, the same bytes each time; it says what came late, and goes after seven days', async () => {
  await world.record(
    meter,
    Array.from({ length: 97 }, (_none, index) => ({
      at: new Date(Date.parse('2026-07-01T12:00:00Z') + index * 900_000).toISOString(),
      values: { pulsesTotal: 1000 + index * 3 },
    })),
  );
  const first = (await ask()).json<{ id: string }>();
  expect((await packs()).map(({ id, state, bytes, from, to }) => [id, state, bytes, from, to])).toEqual([
    [first.id, 'queued', null, '2026-07-01', '2026-11-20'],
  ]);
  expect((await file(first.id)).statusCode).toBe(404);
  runJobs();
  await made(first.id);
  const reply = await file(first.id);
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/zip']);
  expect(reply.headers['content-disposition']).toContain('-2026-07-01-2026-11-20.zip');
  expect((await packs())[0]?.bytes).toBe(reply.rawPayload.length);
  const second = (await ask()).json<{ id: string }>();
  await made(second.id);
  expect(Buffer.compare(reply.rawPayload, (await file(second.id)).rawPayload)).toBe(0);
  const filled = async () =>
    (await world.get('GET /water-take/packs/filled', { farmUID: world.farm.uid, uid })).json();
  expect(await filled()).toEqual({ filled: [] });
  // A quarter of an hour after the last: of the silence since then one quarter is known.
  await world.record(meter, [{ at: '2026-07-02T12:15:00Z', values: { pulsesTotal: 1291 } }]);
  expect(await filled()).toEqual({
    filled: [
      { id: second.id, rows: 1 },
      { id: first.id, rows: 1 },
    ],
  });
  const other = await buildFarmWorld(server);
  const theirs = await other.get('GET /water-take/pack/file', { farmUID: other.farm.uid, id: first.id });
  expect(theirs.statusCode).toBe(404);
  const { now } = server.clock;
  server.clock.now = new Date(now.getTime() + 7 * 86_400_000);
  await server.runJob('packs that are too old').finally(() => void (server.clock.now = now));
  expect(await packs()).toEqual([]);
});

it('one of more than a year, or of no take, is refused at once, and so are more than twenty', async () => {
  const tooLong = await ask({ from: '2025-11-01' });
  expect([tooLong.statusCode, tooLong.json().field]).toEqual([400, 'from']);
  expect((await ask({ uid: `${uid.slice(0, -4)}0000` })).statusCode).toBe(404);
  for (let index = 0; index < 20; index += 1) expect((await ask()).statusCode).toBe(200);
  expect((await ask()).statusCode).toBe(409);
  // One that was not made is none.
  const { jobId } = (await packs())[0] ?? { jobId: '' };
  expect((await world.send('POST /job/cancel', { id: jobId })).statusCode).toBe(200);
  expect((await ask()).statusCode).toBe(200);
  expect((await ask()).statusCode).toBe(409);
});

it('is cancelled by who asked for it, and of a take that is gone nothing is made', async () => {
  const [{ jobId, mayCancel } = { jobId: '', mayCancel: false }] = await ask().then(packs);
  expect(mayCancel).toBe(true);
  expect((await world.send('POST /job/cancel', { id: jobId })).statusCode).toBe(200);
  expect((await packs())[0]).toMatchObject({ state: 'cancelled', error: 'It was cancelled.', bytes: null });
});

it('one of more readings than fit into it is refused before they are read, and says what to do', async () => {
  await world.record(meter, [{ at: '2026-11-15T00:00:00Z', values: { pulsesTotal: 1 } }]);
  await server.database.db
    .updateTable('reading_hour')
    .set({ n: 1_500_001 })
    .where('farm_id', '=', world.farm.id)
    .execute();
  const days = { farmUID: world.farm.uid, uid, from: '2026-11-14', to: '2026-11-16' };
  const reply = await world.get('GET /water-take/pack', days);
  expect(reply.statusCode).toBe(413);
  expect(reply.body).toContain('ask for fewer days');
});

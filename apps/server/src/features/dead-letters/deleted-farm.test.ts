import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { LongJob } from '@headrace/contract/long-jobs';
import type { DeviceRow } from '../../db/schema.ts';
import type { Sender } from '../../mqtt/transport.ts';
import { buildFarm, buildGateway, buildTank } from '../../testing/factories.ts';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { chirpstackUplink } from '../../testing/uplinks.ts';
import { farmCalls } from '../farms/testing/farm-kit.ts';
import { runLongJobs } from '../long-jobs/run-long-jobs.ts';

const DEV_EUI = 'A84041FFFF1829D3';
const OTHER_EUI = 'A84041FFFF1829D4';
const outsideBroker: Sender = { kind: 'broker' };

let server: TestServer;
let kit: IngestKit;
let sensor: DeviceRow;
let owned: Awaited<ReturnType<typeof farmCalls>>;
beforeAll(async () => {
  server = await createTestServer({
    takeAgain: (message) => kit.ingest.replay(message),
    onDevicesChanged: (farmId) => kit.ingest.forget(farmId),
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  const decode = async () => ({ ok: true, object: { levelMm: 700 }, warnings: [], mapping: null }) as const;
  kit = await createIngestKit({ decoder: { threads: 1, load: async () => decode } }, server.database);
  kit.clock.now = server.clock.now;
  sensor = await lorawan(kit.farm.id, DEV_EUI);
  const { db } = server.database;
  const owner = db.selectFrom('account').selectAll().where('id', '=', kit.farm.owner_id);
  owned = await farmCalls(server, await owner.executeTakeFirstOrThrow());
  return () => kit.close();
});

async function lorawan(farmId: number, mac: string): Promise<DeviceRow> {
  const { db } = server.database;
  const device = await buildTank(db, farmId, { mac });
  await db
    .updateTable('device')
    .set({ builtin_codec: 'dragino-ldds75' })
    .where('id', '=', device.id)
    .execute();
  return device;
}
const at = (minute: number) => `2026-11-20T20:${String(minute).padStart(2, '0')}:00Z`;
function uplink(mac: string, minute: number, sender: Sender, content: { object?: object } = {}) {
  const { topic, body } = chirpstackUplink(mac, 'AA', { at: at(minute), ...content });
  return kit.store('', body, { topic, sender });
}
const remove = async () => expect((await owned.remove(kit.farm.uid)).statusCode).toBe(200);
async function restore(): Promise<void> {
  const reply = await owned.call('POST /farm/restore', { body: { farmUID: kit.farm.uid } });
  expect(reply.statusCode).toBe(200);
}
function workOnLongJobs(): void {
  const runner = runLongJobs({
    db: server.database.db,
    types: server.longJobs,
    now: () => server.clock.now,
    log: { warn() {} },
    isAlone: true,
    pollMs: 20,
  });
  onTestFinished(() => runner.stop());
}
const levels = async (device: DeviceRow) =>
  (
    await server.database.db
      .selectFrom('reading as r')
      .innerJoin('series as s', 's.id', 'r.series_id')
      .where('s.device_id', '=', device.id)
      .where('s.metric', '=', 'levelMm')
      .select(['r.at', 'r.value'])
      .orderBy('r.at')
      .execute()
  ).map((row) => [row.at.toISOString().slice(11, 16), row.value]);
const letters = () =>
  server.database.db
    .selectFrom('dead_letter')
    .select(['farm_id', 'device', 'reason'])
    .select(['count', 'taken'])
    .orderBy('id')
    .execute();
const jobs = async () =>
  (await owned.call('GET /jobs', { query: { farmUID: kit.farm.uid } })).json<{ jobs: LongJob[] }>().jobs;

describe('what was acknowledged for a farm that is deleted', () => {
  it('waits for its codec until the farm is back, and is decoded then', async () => {
    kit.ingest.decode(false);
    await uplink(DEV_EUI, 1, { kind: 'network', farmId: kit.farm.id, keyId: 1 });
    await remove();
    const other = await buildFarm(server.database.db, kit.farm.owner_id);
    const others = await lorawan(other.id, OTHER_EUI);
    await uplink(OTHER_EUI, 2, { kind: 'network', farmId: other.id, keyId: 2 });
    kit.ingest.decode(true);
    await expect.poll(() => levels(others), { timeout: 10_000 }).toEqual([['20:02', 700]]);
    await restore();
    kit.ingest.wakeDecoding();
    await expect.poll(() => levels(sensor), { timeout: 10_000 }).toEqual([['20:01', 700]]);
    expect(await letters()).toEqual([]);
  });

  it('and came with or after the deletion is kept with it, and taken by itself when the farm is back', async () => {
    await remove();
    // Under way when its key was taken away; and let through by a broker that has not been told yet.
    await uplink(DEV_EUI, 1, { kind: 'network', farmId: kit.farm.id, keyId: 1 });
    await uplink(DEV_EUI, 2, outsideBroker);
    const body = { items: [{ mac: kit.tank.mac, at: at(3), values: { levelMm: 300 } }] };
    await kit.store('up/sensor', body, { sender: outsideBroker });
    expect((await letters()).map(({ farm_id }) => farm_id)).toEqual(Array(3).fill(kit.farm.id));
    await restore();
    expect(await jobs()).toMatchObject([{ type: 'take messages again', state: 'queued' }]);
    workOnLongJobs();
    await expect.poll(async () => (await jobs())[0]?.state, { timeout: 10_000 }).toBe('done');
    await kit.decoded();
    expect([await levels(sensor), await levels(kit.tank)]).toEqual([
      [
        ['20:01', 700],
        ['20:02', 700],
      ],
      [['20:03', 300]],
    ]);
    expect((await letters()).map(({ count, taken }) => [Number(count), Number(taken)])).toEqual(
      Array(3).fill([0, 1]),
    );
  });

  it('is of no farm where two deleted ones had the device', async () => {
    const second = await buildFarm(server.database.db, kit.farm.owner_id);
    await remove();
    await lorawan(second.id, DEV_EUI);
    expect((await owned.remove(second.uid)).statusCode).toBe(200);
    await uplink(DEV_EUI, 1, outsideBroker);
    expect((await letters()).map(({ farm_id }) => farm_id)).toEqual([null]);
  });
});

it('decoding anew of a farm that is deleted ends, and keeps nobody else’s jobs from their turn', async () => {
  await uplink(DEV_EUI, 1, { kind: 'network', farmId: kit.farm.id, keyId: 1 });
  await kit.decoded();
  kit.ingest.decode(false);
  expect(
    (await owned.call('POST /sensor/decoding/anew', { body: { deviceId: sensor.uid } })).json(),
  ).toMatchObject({
    total: 1,
  });
  workOnLongJobs();
  const due = () => server.database.db.selectFrom('uplink_due').select('device_id').execute();
  await expect.poll(due, { timeout: 10_000 }).toHaveLength(1);
  await remove();
  const state = () => server.database.db.selectFrom('long_job').select('state').execute();
  await expect.poll(state, { timeout: 10_000 }).toEqual([{ state: 'cancelled' }]);
  expect(await due()).toEqual([]);
  expect(await levels(sensor)).toEqual([['20:01', 700]]);
});

it('a farm without messages meanwhile comes back without a job', async () => {
  await buildGateway(server.database.db, kit.farm.id);
  await remove();
  await restore();
  expect(await jobs()).toEqual([]);
});

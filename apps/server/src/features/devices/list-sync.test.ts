import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeviceRow } from '../../db/schema.ts';
import { deviceKit, newMac } from '../../testing/device-kit.ts';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let ingest: IngestKit;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await createTestServer({ onDevicesChanged: (farmId) => ingest.ingest.forget(farmId) });
  ingest = await createIngestKit({}, server.database);
  const owner = await server.database.db
    .selectFrom('account')
    .selectAll()
    .where('id', '=', ingest.farm.owner_id)
    .executeTakeFirstOrThrow();
  headers = await server.signIn(owner);
});
afterAll(async () => {
  await ingest.close();
  await server.close();
});

const farmUID = () => ({ farmUID: ingest.farm.uid });
const hasChanges = async () =>
  (await server.call('GET /irrigation/devices/has-changes', { headers, query: farmUID() })).json<{
    sync: boolean;
  }>().sync;
const addUnit = async (macAddress: string): Promise<DeviceRow> => {
  const body = { ...farmUID(), name: 'A1', serialNumber: `IPC-${macAddress}`, macAddress };
  const { id } = (await server.call('POST /ipc', { headers, body })).json<{ id: string }>();
  return deviceKit(server).stored(id);
};
const at = '2026-11-20T20:59:00Z';
const acknowledge = (rev: number) => ingest.store('up/ack', { cmdId: `list-${rev}`, at, state: 'done' });
const charges = async ({ id }: DeviceRow) => {
  const rows = await server.database.db
    .selectFrom('reading')
    .innerJoin('series', 'series.id', 'reading.series_id')
    .select('value')
    .where('series.device_id', '=', id)
    .where('metric', '=', 'charge')
    .execute();
  return rows.map(({ value }) => value);
};

it('is in step once the gateway has acknowledged the newest list, not an older one', async () => {
  const { revisions } = deviceKit(server);
  const unit = await addUnit(newMac());
  expect(await hasChanges()).toBe(true);
  const { list } = await revisions(ingest.gateway);
  await acknowledge(list);
  expect(await hasChanges()).toBe(false);
  const body = { id: unit.uid, name: 'A1', serialNumber: 'IPC-1', macAddress: unit.mac, channel: 9 };
  await server.call('PUT /ipc', { headers, body });
  expect(await hasChanges()).toBe(true);
  await acknowledge(list);
  expect(await hasChanges()).toBe(true);
  await acknowledge(list + 1);
  expect(await hasChanges()).toBe(false);
});

it('hears a new unit with its first message, a deleted one no more, and it again once it is added anew', async () => {
  const mac = newMac();
  const unit = await addUnit(mac);
  const report = (charge: number, minute: number) =>
    ingest.store('up/ipc', { items: [{ mac, at: `2026-11-20T20:${minute}:00Z`, charge }] });
  await report(80, 10);
  expect(await charges(unit)).toEqual([80]);
  await server.call('DELETE /ipc', { headers, query: { deviceId: unit.uid } });
  await report(79, 20);
  expect(await charges(unit)).toEqual([80]);
  expect((await ingest.deadLetters()).at(-1)?.reason).toBe(`unknown device ${mac}`);
  const again = await addUnit(mac);
  await report(78, 30);
  expect(await charges(again)).toEqual([78]);
  expect(await charges(unit)).toEqual([80]);
});

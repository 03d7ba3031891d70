import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { WaterTake } from '@headrace/contract/water-takes';
import { fromBufferPromise } from 'yauzl';
import { buildDevice } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import type { Report } from '../../testing/record-readings.ts';
import { meterEntry, takeEntries } from '../../testing/take-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());

/**
 * Four days of a bore, a word each quarter of an hour: it runs by day, is silent for five hours on the second, and on the third one word
 * is lost, and one can't be what it counted.
 */
const words: readonly Report[] = Array.from({ length: 4 * 96 }, (_none, nth) => nth)
  .filter((nth) => !(nth > 130 && nth < 150) && nth !== 240)
  .map((nth) => ({
    at: new Date(Date.parse('2026-11-14T12:00:00Z') + nth * 900_000).toISOString(),
    values: {
      pulsesTotal: nth === 250 ? null : 10_000 + Math.floor(nth / 96) * 480 + Math.min(48, nth % 96) * 10,
    },
  }));
/** The last first, in pieces that break off within hours and days. */
const pieces = (reports: readonly Report[], size: number): Report[][] =>
  reports.length === 0 ? [] : [...pieces(reports.slice(size), size), reports.slice(0, size).toReversed()];

/** A farm with one take, which has heard these words in this order. */
async function takeOf(heard: readonly (readonly Report[])[]): Promise<{ world: FarmWorld; uid: string }> {
  const world = await buildFarmWorld(server, { name: 'Rākaia Downs' });
  const meter = await buildDevice(server.database.db, world.farm.id, 'sensor', {
    name: '=Bore',
    type: sensorTypes.FLOW_PULSE,
    settings: JSON.stringify({ litrePerPulse: 100 }),
  });
  for (const reports of heard) await world.record(meter, reports);
  const reply = await world.send('POST /water-take', {
    farmUID: world.farm.uid,
    ...takeEntries,
    maxLps: 1,
    maxM3Day: 40,
    meters: [meterEntry(meter)],
  });
  return { world, uid: reply.json<WaterTake>().uid };
}

async function packOf({ world, uid }: { world: FarmWorld; uid: string }): Promise<Buffer> {
  const days = { from: '2026-11-15', to: '2026-11-17' };
  const reply = await world.get('GET /water-take/pack', { farmUID: world.farm.uid, uid, ...days });
  expect(reply.statusCode).toBe(200);
  return reply.rawPayload;
}

async function filesOf(zip: Buffer): Promise<Record<string, Buffer>> {
  const opened = await fromBufferPromise(zip);
  const files: Record<string, Buffer> = {};
  for await (const entry of opened.eachEntry())
    files[entry.fileName] = await buffer(await opened.openReadStreamPromise(entry));
  return files;
}
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

it('a pack is the same bytes in whichever order and pieces its readings came, at first and from days that are settled', async () => {
  const take = await takeOf([words]);
  const first = await packOf(take);
  const settled = await packOf(take);
  expect(Buffer.compare(settled, first)).toBe(0);
  const others = await packOf(await takeOf(pieces(words, 37)));
  expect(Buffer.compare(others, first)).toBe(0);
});

it('its tables are those that an earlier version wrote, to the byte, and the manifest has their hashes', async () => {
  const { 'manifest.json': manifest, ...files } = await filesOf(await packOf(await takeOf([words])));
  const hashes = Object.fromEntries(Object.entries(files).map(([name, content]) => [name, sha256(content)]));
  const told = JSON.parse(String(manifest)) as { files: { name: string; sha256: string }[] };
  expect(Object.fromEntries(told.files.map(({ name, sha256: hash }) => [name, hash]))).toEqual(hashes);
  // Who changes what is handed to a council, on purpose, writes the new ones here, and in the changelog what is other.
  const { 'summary.pdf': _ofItsVersion, ...tables } = hashes;
  expect(tables).toEqual({
    'exceedances.csv': '21824784bd51fe9ca85dd3c1f8c26e8001c00c3ce085ada9b1a071c30d0ee1ec',
    'gaps.csv': '2ae920889bd618b4ae81d860edc13d3fdb6460e9a4368dfc59af1c9a9920aedf',
    'hilltop.xml': 'cb49486c9e8452882a828d8b52d8f8f067f45fb89f3631bd3b7f618ca2e31cc0',
    'readings.csv': 'bc809b7a7c00761f3279b1702d86c5f0f33239b77ee755a2d72d644090a5d3bb',
    'volumes-15min.csv': '0320aa55d2daabfb17d3a065f49210795b9d451ecd9ca5c91650a00b38cf55ff',
    'volumes-day.csv': 'a87986f42878a2687d0214b5e8cfa0e2e7c0dca51635bd687bd33a9ad2422e53',
    'volumes-hour.csv': '8a2fbd9582d9c8a7366f876fe8306f81e448509984e6d2b8814154b22e0d2c09',
  });
});

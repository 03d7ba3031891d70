import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ImportDone, ImportPlan } from '@headrace/contract/imports';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

/** A few here; `IMPORT_RUNS=200` for as many as one likes. */
const RUNS = Number(process.env['IMPORT_RUNS'] ?? 4);

/** `UNITS=5000` is a large farm. */
const UNITS = Number(process.env['UNITS'] ?? 60);

let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

/** Each call from a place of its own: a place has so many a minute. */
let calls = 0;
const send = async <T>(key: string, body: object): Promise<T> => {
  calls += 1;
  const address = `198.51.${100 + Math.floor(calls / 250)}.${calls % 250}`;
  const reply = await server.call(key, { headers: world.headers, body, address });
  expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)]);
  return reply.json<T>();
};
const fileOf = ({ typeFile, data }: File) => ({ farmUID: world.farm.uid, typeFile, data, filename: 'file' });
const exported = async (name: string) =>
  (await world.get(`GET /export/${name}`, { farmUID: world.farm.uid })).body;
/** All that people have entered. */
async function farmNow(): Promise<object> {
  const { exportedAt: _at, ...site } = JSON.parse(await exported('site-json')) as Record<string, unknown>;
  return site;
}

interface File {
  readonly typeFile: string;
  readonly data: string;
}

const name = fc.stringMatching(/^[A-Za-z0-9 '"=+@;,|<&-]{0,3}[A-Za-z]$/);
const degrees = (middle: number) => fc.double({ min: middle - 0.02, max: middle + 0.02, noNaN: true });
const place = fc.record({ lat: degrees(-43.75), lng: degrees(171.95) });
const unit = fc.record({
  name,
  n: fc.integer({ min: 0, max: 30 }),
  /** Of the MAC: mostly its own, else another unit's, with which it swaps. */
  m: fc.option(fc.integer({ min: 0, max: 30 }), { freq: 2 }),
  group: fc.constantFrom('', 'North', 'a|b', 'West; east'),
  channel: fc.constantFrom('', '1', '16'),
  place: fc.option(place),
});
const quoted = (cell: string | number) => `"${String(cell).replaceAll('"', '""')}"`;
const list = fc.array(unit, { minLength: 1, maxLength: 8 }).map((units): File => {
  const rows = units.map(({ name: of, n, m, group, channel, place: at }) =>
    [
      of,
      `S${n}`,
      `0004E1${(m ?? n).toString(16).padStart(6, '0')}`,
      channel,
      group.replaceAll('|', '\\|'),
      at?.lat ?? '',
      at?.lng ?? '',
    ]
      .map(quoted)
      .join(','),
  );
  return { typeFile: 'podlist', data: ['name,serial,mac,channel,group,lat,lng', ...rows].join('\r\n') };
});
const map = fc
  .array(fc.record({ name: fc.constantFrom('Gate', 'Pump', 'A', 'B'), place }), {
    minLength: 1,
    maxLength: 8,
  })
  .chain((points) =>
    fc.option(fc.double({ min: 0.02, max: 0.1, noNaN: true })).map((size): File => {
      const features: object[] = points.map(({ name: of, place: { lat, lng } }) => ({
        type: 'Feature',
        properties: { name: of, kind: 'poi' },
        geometry: { type: 'Point', coordinates: [lng, lat] },
      }));
      if (size !== null) {
        const corners = [
          [-1, -1],
          [1, -1],
          [1, 1],
          [-1, 1],
          [-1, -1],
        ].map(([x = 0, y = 0]) => [171.95 + x * size, -43.75 + y * size]);
        features.push({
          type: 'Feature',
          properties: { kind: 'boundary' },
          geometry: { type: 'Polygon', coordinates: [corners] },
        });
      }
      return { typeFile: 'geojson', data: JSON.stringify({ type: 'FeatureCollection', features }) };
    }),
  );

async function newFarm(): Promise<void> {
  world = await buildFarmWorld(server);
  await server.database.db
    .updateTable('farm')
    .set({ lat: -43.75, lng: 171.95 })
    .where('id', '=', world.farm.id)
    .execute();
  await server.database.db.deleteFrom('registry').execute();
}

/** With all that people are asked about: swaps, places far away, other laterals. */
async function chosen(file: File): Promise<Pick<ImportDone, 'batchId'>> {
  const { revision, rows } = await tryPlan(file);
  // The last of those about one unit, but for rows that go together with others.
  const of = new Map<number, ImportPlan['rows'][number]>();
  for (const row of rows)
    for (const number of row.apart ?? []) if (of.get(number)?.together === undefined) of.set(number, row);
  const isOne = (row: ImportPlan['rows'][number]) =>
    (row.apart ?? []).every((number) => of.get(number) === row);
  const take = rows.flatMap((one) => (one.action === 'choose' && isOne(one) ? one.row : []));
  const skip = rows.flatMap((one) => (one.action !== 'choose' && !isOne(one) ? one.row : []));
  return revision === ''
    ? { batchId: null }
    : send('POST /import/apply', { ...fileOf(file), revision, take, skip });
}

it(
  'whatever a file brings, undone, gives the farm as it was; and what is exported changes nothing',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(list, map), { minLength: 1, maxLength: 3 }),
        fc.oneof(list, map),
        async (before, file) => {
          await newFarm();
          for (const one of before) await send<ImportDone>('POST /import/file', fileOf(one));
          const was = await farmNow();
          for (const [of, typeFile] of EXPORTS) {
            const data = await exported(of);
            const { counts, rows } = await tryPlan({ typeFile, data });
            expect({ of, counts, rows }).toMatchObject({
              of,
              counts: { add: 0, change: 0, choose: 0, 'left out': 0 },
              rows: [],
            });
          }
          const { batchId } = await chosen(file);
          if (batchId !== null) await send('POST /undo', { farmUID: world.farm.uid, batchId, act: 'import' });
          expect(await farmNow()).toEqual(was);
          await server.database.db
            .updateTable('device')
            .set({ mac: null })
            .where('farm_id', '=', world.farm.id)
            .execute();
        },
      ),
      { numRuns: RUNS },
    );
  },
  200_000 + RUNS * 10_000,
);

/** Nine waterings of each within two days, 50 sprinklers of a line one after another. */
function scheduleList(set: string): string {
  const rows = Array.from({ length: UNITS * 9 }, (_none, nth) => {
    const unit = Math.floor(nth / 9);
    const start = (nth % 9) * 320 + (unit % 50) * 6;
    return `${set};North;North/${1 + Math.floor(unit / 50)};S${unit};${start};5;2880`;
  });
  return ['set;group;schedule_group;serial_number;start;duration;cycle_len', ...rows].join('\r\n');
}

it(`all that a farm of ${UNITS} sprinklers with two schedule sets exports, read back, changes nothing`, async () => {
  await newFarm();
  const rows = Array.from(
    { length: UNITS },
    (_none, n) =>
      `${n};S${n};0004E2${n.toString(16).padStart(6, '0')};North;${-43.74 - (n % 100) / 1e4};${171.94 + Math.floor(n / 100) / 1e4}`,
  );
  const list = ['name;serial;mac;group;lat;lng', ...rows].join('\r\n');
  for (const file of [
    { typeFile: 'podlist', data: list },
    { typeFile: 'schedules', data: scheduleList('Summer') },
    { typeFile: 'schedules', data: scheduleList('Autumn') },
  ]) {
    const { msg } = await send<ImportDone>('POST /import/file', fileOf(file));
    expect(msg.res_message).toMatch(/^\d+ imported, 0 skipped$/);
  }
  const nothing = { add: 0, change: 0, choose: 0, 'left out': 0 };
  for (const [of, typeFile] of EXPORTS) {
    const data = await exported(of);
    // A browser sends a long site.json so.
    const packed = `data:application/gzip;base64,${gzipSync(data).toString('base64')}`;
    const { counts } = await tryPlan({ typeFile, data: typeFile === 'ims' ? packed : data });
    expect({ of, ...counts, same: counts.same >= UNITS }).toEqual({ of, ...nothing, same: true });
  }
  const zip = await world.get('GET /export/schedules', { farmUID: world.farm.uid });
  const data = `data:application/zip;base64,${zip.rawPayload.toString('base64')}`;
  expect((await tryPlan({ typeFile: 'schedules', data })).counts).toEqual({ ...nothing, same: 2 });
}, 600_000);

const EXPORTS = [
  ['podlist', 'project'],
  ['devices.csv', 'podlist'],
  ['farm.kml', 'kml'],
  ['farm.geojson', 'geojson'],
  ['site-json', 'ims'],
] as const;

/** A farm of which there is nothing in the file says so. */
async function tryPlan(file: File): Promise<Pick<ImportPlan, 'counts' | 'rows' | 'revision'>> {
  calls += 1;
  const address = `198.51.${100 + Math.floor(calls / 250)}.${calls % 250}`;
  const reply = await server.call('POST /import/plan', {
    headers: world.headers,
    body: fileOf(file),
    address,
  });
  const nothing = { add: 0, change: 0, choose: 0, same: 0, 'left out': 0 };
  return reply.statusCode === 400 ? { counts: nothing, rows: [], revision: '' } : reply.json<ImportPlan>();
}

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ImportDone, ImportPlan } from '@headrace/contract/imports';
import { levels, type Permissions, presets } from '@headrace/contract/permissions';
import type { LatLng } from '@headrace/contract/schemas';
import type { DeviceRow } from '../../db/schema.ts';
import { buildAccount, buildDevice, buildGateway, buildShare } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
let a1: DeviceRow;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

let number = 0;
const mac = () => `0004C1${(number += 1).toString(16).toUpperCase().padStart(6, '0')}`;
const db = () => server.database.db;
/** Each test calls from a place of its own: a place has so many calls a minute. */
let address = '';
const pin = { lat: -43.75, lng: 171.95 };
beforeEach(async () => {
  address = `198.51.100.${(number += 1)}`;
  world = await buildFarmWorld(server);
  await db().updateTable('farm').set(pin).where('id', '=', world.farm.id).execute();
  a1 = await buildSprinkler(db(), world.farm.id, { name: 'A1', mac: mac(), serial_number: 'IPC1', ...pin });
});

const fileOf = (data: string, typeFile = 'kml') => ({
  farmUID: world.farm.uid,
  typeFile,
  data,
  filename: 'farm.kml',
});
const send = (key: string, body: object, headers = world.headers) =>
  server.call(key, { headers, body, address });
async function plan(data: string, headers = world.headers): Promise<ImportPlan> {
  const reply = await send('POST /import/plan', fileOf(data), headers);
  expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)]);
  return reply.json<ImportPlan>();
}
async function apply(data: string, choice: object = {}): Promise<ImportDone> {
  const { revision } = await plan(data);
  const reply = await send('POST /import/apply', { ...fileOf(data), revision, ...choice });
  expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)]);
  return reply.json<ImportDone>();
}
const undo = (batchId: ImportDone['batchId']) =>
  send('POST /undo', { farmUID: world.farm.uid, batchId, act: 'import' });

/** Places and the boundary. */
async function placed() {
  const devices = await db()
    .selectFrom('device')
    .select(['kind', 'name', 'lat', 'lng'])
    .where('farm_id', '=', world.farm.id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  const farm = await db()
    .selectFrom('farm')
    .select(['boundary', 'size_ha'])
    .where('id', '=', world.farm.id)
    .executeTakeFirstOrThrow();
  return { devices, farm };
}

const mark = (name: string, lat: number, lng: number) =>
  `<Placemark><name>${name}</name><Point><coordinates>${lng},${lat}</coordinates></Point></Placemark>`;
const area = (name: string, ring: readonly LatLng[]) =>
  `<Placemark><name>${name}</name><Polygon><outerBoundaryIs><LinearRing><coordinates>${[
    ...ring,
    ...ring.slice(0, 1),
  ]
    .map(({ lat, lng }) => `${lng},${lat},0`)
    .join('\n')}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`;
const kml = (...inner: string[]) => `<kml><Document>${inner.join('\n')}</Document></kml>`;
const square = (south: number, west: number, size: number): LatLng[] => [
  { lat: south, lng: west },
  { lat: south, lng: west + size },
  { lat: south + size, lng: west + size },
  { lat: south + size, lng: west },
];
const rowsOf = ({ rows }: ImportPlan) => rows.map(({ kind, name, action, why }) => [kind, name, action, why]);

describe('points of a map file', () => {
  it('are where the devices of their names stand; what the farm does not have is asked about', async () => {
    const before = await placed();
    const data = kml(mark('A1', -43.751, 171.95), mark('Gate', -43.752, 171.95), mark('', -43.75, 171.95));
    expect(rowsOf(await plan(kml(mark('a 01', -43.75, 171.95))))).toEqual([
      ['poi', 'a 01', 'choose', 'Nothing on the farm has this name. Tick it to add a point of interest.'],
    ]);
    expect((await plan(kml(mark('a-1', -43.75, 171.95)))).rows[0]?.why).toBe(
      'Nothing on the farm has this name. Did you mean A1? Tick it to add a point of interest.',
    );
    const planned = await plan(data);
    expect(rowsOf(planned)).toEqual([
      ['sprinkler', 'A1', 'change', 'It moves 111 m.'],
      ['poi', 'Gate', 'choose', 'Nothing on the farm has this name. Tick it to add a point of interest.'],
      [
        'place',
        '',
        'left out',
        'Line 3, name: It has no name: it can’t be said what stands there. Give it one.',
      ],
    ]);
    expect(planned.rows[0]).toMatchObject({ was: pin, place: { lat: -43.751, lng: 171.95 } });
    expect(await placed()).toEqual(before);
    const done = await apply(data, { take: [1] });
    expect(done.msg.res_message).toBe(
      '2 imported, 1 skipped#Line 3-Line 3, name: It has no name: it can’t be said what stands there. Give it one.',
    );
    expect((await placed()).devices).toEqual([
      { kind: 'sprinkler', name: 'A1', lat: -43.751, lng: 171.95 },
      { kind: 'poi', name: 'Gate', lat: -43.752, lng: 171.95 },
    ]);
    expect((await plan(data)).counts).toMatchObject({ add: 0, change: 0, choose: 0, same: 2 });
    expect((await undo(done.batchId)).statusCode).toBe(200);
    expect(await placed()).toEqual(before);
  });

  it('are left out where it cannot be said which device is meant', async () => {
    await buildDevice(db(), world.farm.id, 'poi', { name: 'Gate', lat: -43.76, lng: 171.95 });
    await buildDevice(db(), world.farm.id, 'poi', { name: 'Gate', lat: -43.77, lng: 171.95 });
    const serial = `<ExtendedData><Data name="serial"><value>IPC7</value></Data></ExtendedData>`;
    const data = kml(
      mark('Gate', -43.78, 171.95),
      mark('A1', -43.751, 171.95).replace('<Point>', `${serial}<Point>`),
      mark('A1', -43.752, 171.95),
      mark('A1', -43.753, 171.95),
      `<Folder><name>Gateways</name>${mark('A1', -43.753, 171.95)}</Folder>`,
    );
    expect(rowsOf(await plan(data))).toEqual([
      [
        'place',
        'Gate',
        'left out',
        "Line 1, name, 'Gate': 2 devices are named Gate. Say its serial number, too.",
      ],
      [
        'place',
        'A1',
        'left out',
        "Line 2, serial number, 'IPC7': A1 has the serial number IPC1 here. Correct one of them.",
      ],
      ['sprinkler', 'A1', 'change', 'It moves 222 m.'],
      [
        'sprinkler',
        'A1',
        'choose',
        "Line 4, name, 'A1': Line 3 is about sprinkler A1 already. Tick this one to have it instead.",
      ],
      [
        'gateway',
        'A1',
        'left out',
        "Line 5, name, 'A1': The farm has no such gateway, and a file adds none: only sprinklers, repeaters and points of interest. Add it on the farm first.",
      ],
    ]);
    const lats = async () => (await placed()).devices.flatMap(({ name, lat }) => (name === 'A1' ? lat : []));
    const { revision } = await plan(data);
    const both = await send('POST /import/apply', { ...fileOf(data), revision, take: [3] });
    expect([both.statusCode, both.json()]).toMatchObject([
      400,
      { errorMessage: 'Lines 3 and 4 are about the same device: choose one of them.', field: 'take' },
    ]);
    await apply(data, { skip: [2], take: [3] });
    expect(await lats()).toEqual([-43.753]);
  });

  it('far from the farm are asked about, and left out where nothing can stand', async () => {
    const data = kml(mark('A1', -43.75, 172.4), mark('Tor', 10, 10));
    const planned = await plan(data);
    expect(planned.rows.map(({ action }) => action)).toEqual(['choose', 'left out']);
    expect(planned.rows[0]?.why).toMatch(/^This place is \d+ km from Farm .*\. Tick it if that is right\.$/);
    expect(planned.rows[1]?.why).toMatch(/^Line 2, coordinates, '10, 10': A device can't stand more than/);
  });

  it('in metres of NZTM are converted, and that is said', async () => {
    // Made with PROJ from -43.75, 171.95.
    const point = {
      type: 'Feature',
      properties: { name: 'A1' },
      geometry: { type: 'Point', coordinates: [1515443.9, 5155480.1] },
    };
    const planned = await plan(JSON.stringify(point));
    expect(planned.notes).toEqual([
      'The coordinates are NZTM 2000 metres, not degrees: they were converted. Please look at the map.',
    ]);
    const { place } = planned.rows[0] ?? {};
    expect(place?.lat).toBeCloseTo(-43.75, 2);
    expect(place?.lng).toBeCloseTo(171.95, 2);
  });
});

describe('areas of a map file', () => {
  it('an only one is the boundary, of which the farm has the size', async () => {
    const before = await placed();
    const ring = square(-43.76, 171.94, 0.02);
    const data = kml(area('Home', ring));
    const planned = await plan(data);
    expect(planned.rows).toEqual([
      {
        row: 0,
        line: 1,
        kind: 'boundary',
        name: 'Home',
        action: 'change',
        fields: [{ field: 'boundary', from: '', to: '357.95 ha, 4 corners' }],
        why: '',
        ring,
      },
    ]);
    const done = await apply(data);
    const { farm } = await placed();
    expect(farm.boundary).toEqual(ring);
    expect(farm.size_ha).toBeCloseTo(357.95, 2);
    // From another corner, and the other way round.
    expect(
      (await plan(kml(area('Home', [...ring.slice(2), ...ring.slice(0, 2)].toReversed())))).counts,
    ).toMatchObject({
      same: 1,
    });
    await undo(done.batchId);
    expect(await placed()).toEqual(before);
  });

  it('one that leaves devices outside, or crosses itself, says so', async () => {
    const [south, east, north, west] = square(-43.74, 171.94, 0.02);
    const crossing = [south, north, east, west].flatMap((corner) => corner ?? []);
    expect(rowsOf(await plan(kml(area('Home', square(-43.74, 171.94, 0.02)))))).toEqual([
      ['boundary', 'Home', 'choose', '1 device would be outside.'],
    ]);
    expect(rowsOf(await plan(kml(area('Home', crossing))))).toEqual([
      [
        'boundary',
        'Home',
        'left out',
        'Line 1: The boundary crosses or touches itself: move its points apart. The line that begins at -43.74, 171.94 does.',
      ],
    ]);
    expect((await plan(kml(area('Home', crossing)))).rows[0]).not.toHaveProperty('ring');
  });

  it('one that encloses nothing is left out', async () => {
    const flat = [171.94, 171.95, 171.96].map((lng) => ({ lat: -43.75, lng }));
    const [row] = (await plan(kml(area('Flat', flat)))).rows;
    expect([row?.action, row?.why]).toEqual([
      'left out',
      expect.stringMatching(/^Line 1: (Size is required|The boundary crosses or touches itself)/),
    ]);
  });

  it('one as wide as the Pacific is left out', async () => {
    const wide = [
      { lat: -40, lng: 170 },
      { lat: -40, lng: -170 },
      { lat: -44, lng: -170 },
      { lat: -44, lng: 170 },
    ];
    const why =
      "Line 1: A farm can't be larger than 24,000.00 km²: this boundary encloses 736,047.86 km². Check its points.";
    expect(rowsOf(await plan(kml(area('Wide', wide))))).toEqual([['boundary', 'Wide', 'left out', why]]);
  });

  it('of the Chathams, beyond 180°, is as large as it is', async () => {
    const chatham = { lat: -43.95, lng: -176.55 };
    await db().updateTable('farm').set(chatham).where('id', '=', world.farm.id).execute();
    const [row] = (await plan(kml(area('Waitangi', square(-43.96, -176.56, 0.02))))).rows;
    expect(row?.fields).toEqual([{ field: 'boundary', from: '', to: '356.77 ha, 4 corners' }]);
  });

  it('74 paddocks are points of interest at their middles, but for those that are not ticked', async () => {
    const paddocks = readFileSync(
      new URL('../../../../../packages/contract/fixtures/reureu-valley-paddocks.kml', import.meta.url),
      'utf8',
    );
    await db()
      .updateTable('farm')
      .set({ lat: -40.08, lng: 175.48 })
      .where('id', '=', world.farm.id)
      .execute();
    await db().deleteFrom('device').where('id', '=', a1.id).execute();
    const before = await placed();
    const planned = await plan(paddocks);
    expect(planned.counts).toEqual({ add: 74, change: 0, choose: 1, same: 0, 'left out': 0 });
    expect(planned.rows[0]).toMatchObject({
      kind: 'boundary',
      why: 'It is the largest area of the file. Tick it if it is the boundary of the farm.',
    });
    const done = await apply(paddocks, { skip: [1, 2] });
    expect(done.msg.res_message).toMatch(/^72 imported, 3 skipped/);
    expect((await placed()).devices).toHaveLength(72);
    expect((await plan(paddocks)).counts).toEqual({ add: 2, change: 0, choose: 1, same: 72, 'left out': 0 });
    await undo(done.batchId);
    expect(await placed()).toEqual(before);
  });
});

it('501 points that are only offered take no room from paddocks; at most 500 of them can be ticked', async () => {
  const marks = Array.from({ length: 501 }, (_none, index) => mark(`P${index}`, -43.75, 171.95));
  const data = kml(
    ...marks,
    area('Home', square(-43.76, 171.94, 0.02)),
    area('Bull', square(-43.755, 171.945, 0.002)),
  );
  const { revision, counts, rows } = await plan(data);
  expect(counts).toMatchObject({ add: 2, choose: 502, 'left out': 0 });
  const take = rows.flatMap(({ row, kind, action }) => (kind === 'poi' && action === 'choose' ? [row] : []));
  const reply = await send('POST /import/apply', { ...fileOf(data), revision, take });
  expect([reply.statusCode, reply.body]).toEqual([
    400,
    expect.stringContaining(
      'A file adds 500 points of interest at most, and 503 are ticked. Please untick some.',
    ),
  ]);
  expect((await placed()).devices).toHaveLength(1);
});

describe('rights', () => {
  const as = async (rights: Partial<Permissions>) => {
    const agent = await buildAccount(db(), { type: 'AGENT' });
    await buildShare(db(), world.farm.id, agent.id, { ...presets.none, import: true, ...rights });
    return server.signIn(agent);
  };

  it.each<[Partial<Permissions>, string[]]>([
    [
      {},
      [
        "Line 1: You may not change the boundary of this farm. Ask the farm's owner for that.",
        "Line 6, name, 'A1': You may not see what has this name. Ask the farm's owner for that.",
        "Line 7: You may not add points of interest. Ask the farm's owner for that.",
      ],
    ],
    [
      { irrigationDevices: levels.Read },
      [
        "Line 1: You may not change the boundary of this farm. Ask the farm's owner for that.",
        "Line 6: You may not move sprinklers. Ask the farm's owner for that.",
        "Line 7: You may not add points of interest. Ask the farm's owner for that.",
      ],
    ],
  ])('with %j places are left out that the person may not change', async (rights, why) => {
    const data = kml(
      area('Home', square(-43.76, 171.94, 0.02)),
      mark('A1', -43.751, 171.95),
      mark('Gate', -43.75, 171.95),
    );
    expect((await plan(data, await as(rights))).rows.map((row) => row.why)).toEqual(why);
  });

  const hiddenText = (line: number, name: string) =>
    `Line ${line}, name, '${name}': You may not see what has this name. Ask the farm's owner for that.`;
  it('names, serial numbers and how many there are of devices that the person may not see are not told', async () => {
    await buildDevice(db(), world.farm.id, 'repeater', { name: 'A1', mac: mac(), lat: -43.76, lng: 171.95 });
    const guess = (name: string, serial: string) =>
      mark(name, -43.751, 171.95).replace(
        '<Point>',
        `<ExtendedData><Data name="serial"><value>${serial}</value></Data></ExtendedData><Point>`,
      );
    const data = kml(guess('A1', 'GUESS'), mark('A1', -43.752, 171.95), guess('Other', 'IPC1'));
    expect(rowsOf(await plan(data, await as({})))).toEqual([
      ['place', 'A1', 'left out', hiddenText(1, 'A1')],
      ['place', 'A1', 'left out', hiddenText(2, 'A1')],
      ['place', 'Other', 'left out', hiddenText(3, 'Other')],
    ]);
  });
});

it.each(['farm.kml', 'farm.geojson'])('%s, read back, changes nothing', async (file) => {
  const ring = square(-43.76, 171.94, 0.02);
  await db()
    .updateTable('farm')
    .set({ boundary: JSON.stringify(ring), name: 'Hill & <Dale>' })
    .where('id', '=', world.farm.id)
    .execute();
  const gateway = await buildGateway(db(), world.farm.id, 'key', { mac: mac() });
  await db()
    .updateTable('device')
    .set({ lat: -43.7512345678901, lng: 171.95 })
    .where('id', '=', gateway.id)
    .execute();
  for (const lat of [-43.751, -43.752, -43.752])
    await buildDevice(db(), world.farm.id, 'poi', { name: 'Gate', lat, lng: 171.95 });
  await buildDevice(db(), world.farm.id, 'repeater', { name: 'A1', mac: mac(), lat: -43.7511, lng: 171.95 });
  const { body } = await world.get(`GET /export/${file}`, { farmUID: world.farm.uid });
  expect(await plan(body)).toMatchObject({
    counts: { add: 0, change: 0, choose: 0, same: 7, 'left out': 0 },
    rows: [],
    notes: [],
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice, buildGateway } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildScheduleSet, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

const db = () => server.database.db;
let number = 0;
/** In the order in which they are made: no two tests have the same MACs. */
const mac = () => `0004A3${(number += 1).toString(16).toUpperCase().padStart(6, '0')}`;
const place = async (device: DeviceRow, lat: number, lng: number) => {
  await db().updateTable('device').set({ lat, lng }).where('id', '=', device.id).execute();
  return device;
};
const file = async (path: string) => {
  const reply = await world.get(`GET /export/${path}`, { farmUID: world.farm.uid });
  expect(reply.statusCode).toBe(200);
  return { text: reply.body, bytes: reply.rawPayload, headers: reply.headers };
};

let a10: DeviceRow;
let a2: DeviceRow;
beforeEach(async () => {
  world = await buildFarmWorld(server, { name: 'Hill & Dale' });
  const { id } = world.farm;
  a10 = await buildSprinkler(db(), id, { name: 'A10', mac: mac(), serial_number: 'IPC10' });
  a2 = await buildSprinkler(db(), id, {
    name: 'A2',
    mac: mac(),
    serial_number: 'IPC2',
    settings: { channel: 16, farmId: '02:03' },
  });
  await place(a2, -43.75, 171.95);
  await buildSprinkler(db(), id, {
    name: 'S1',
    mac: mac(),
    serial_number: 'IPC90',
    settings: { isSpareUnit: true },
  });
  await buildSprinkler(db(), id, {
    name: 'P1',
    mac: mac(),
    serial_number: 'IPC91',
    settings: { isPlaceholder: true, outOfService: true },
  });
  await buildGroup(db(), id, 'North|upper', [a2]);
  await buildGroup(db(), id, 'All', [a2, a10]);
});

describe('pod-config.ini', () => {
  it('has a section for each sprinkler in service, as people count, and nothing that is not known', async () => {
    const { text, headers } = await file('podlist');
    expect(text).toBe(
      [
        '[pod1]',
        'name=A2',
        'serial=IPC2',
        `mac=${a2.mac}`,
        'channel=16',
        'group=All|North\\|upper',
        'lat=-43.75',
        'lng=171.95',
        '',
        '[pod2]',
        'name=A10',
        'serial=IPC10',
        `mac=${a10.mac}`,
        'channel=1',
        'group=All',
        '',
      ].join('\r\n'),
    );
    expect(headers['content-disposition']).toBe('attachment; filename=pod-config.ini');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});

it('inc-rptrs.ini has the repeaters', async () => {
  const repeater = await buildDevice(db(), world.farm.id, 'repeater', {
    name: '"R 1"',
    mac: mac(),
    serial_number: 'R9',
  });
  await place(repeater, -43.7, 171.9);
  expect((await file('rptrlist')).text).toBe(
    `[repeater1]\r\nname=""R 1""\r\nserial=R9\r\nmac=${repeater.mac}\r\nlat=-43.7\r\nlng=171.9\r\n`,
  );
});

describe('devices.csv', () => {
  it('has every device, and no formula that a spreadsheet would run', async () => {
    await place(
      await buildDevice(db(), world.farm.id, 'poi', { name: '=cmd()', serial_number: '' }),
      -43.6,
      171.8,
    );
    const { text } = await file('devices.csv');
    expect(text.split('\r\n')).toEqual([
      '\uFEFFkind,name,serial_number,mac_address,farm_id,channel,group,latitude,longitude,state,description',
      `sprinkler,A2,IPC2,${a2.mac},02:03,16,All|North\\|upper,-43.75,171.95,in service,`,
      `sprinkler,A10,IPC10,${a10.mac},01:01,1,All,,,in service,`,
      expect.stringMatching(/^sprinkler,P1,IPC91,\w{12},01:01,1,,,,placeholder,$/),
      expect.stringMatching(/^sprinkler,S1,IPC90,\w{12},01:01,1,,,,spare,$/),
      expect.stringMatching(/^poi,"'=cmd\(\)",,\w+,,,,-43.6,171.8,,$/),
      '',
    ]);
  });
});

describe('maps', () => {
  beforeEach(async () => {
    const boundary = JSON.stringify([
      { lat: -43.7, lng: 171.9 },
      { lat: -43.7, lng: 172 },
      { lat: -43.8, lng: 172 },
    ]);
    await db().updateTable('farm').set({ boundary }).where('id', '=', world.farm.id).execute();
  });

  it('as GeoJSON have the boundary counterclockwise and closed, and what has a place', async () => {
    const { text, headers } = await file('farm.geojson');
    expect(headers['content-type']).toBe('application/geo+json; charset=utf-8');
    expect(JSON.parse(text)).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          properties: { kind: 'boundary', name: 'Hill & Dale' },
          geometry: {
            type: 'Polygon',
            coordinates: [
              [
                [171.9, -43.7],
                [172, -43.8],
                [172, -43.7],
                [171.9, -43.7],
              ],
            ],
          },
        },
        {
          type: 'Feature',
          properties: { kind: 'sprinkler', name: 'A2', serial: 'IPC2' },
          geometry: { type: 'Point', coordinates: [171.95, -43.75] },
        },
      ],
    });
  });

  it('as KML have folders by kind, and names as text', async () => {
    expect((await file('farm.kml')).text).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Hill &amp; Dale</name>',
        '<Placemark><name>Hill &amp; Dale</name><Polygon><outerBoundaryIs><LinearRing><coordinates>171.9,-43.7 172,-43.8 172,-43.7 171.9,-43.7</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>',
        '<Folder><name>Sprinklers</name>',
        '<Placemark><name>A2</name><ExtendedData><Data name="serial"><value>IPC2</value></Data></ExtendedData><Point><coordinates>171.95,-43.75</coordinates></Point></Placemark>',
        '</Folder>',
        '</Document></kml>',
        '',
      ].join('\n'),
    );
  });
});

describe('site.json', () => {
  it('has all there is, with its members by name, and no key, person or reading', async () => {
    const gateway = await buildGateway(db(), world.farm.id, 'the-secret-key', { mac: mac() });
    const setUID = await buildScheduleSet(db(), world.farm.id, [a2], [{ start: 60, duration: 28, cycle: 1 }]);
    const { text } = await file('site-json');
    const site = JSON.parse(text) as { ipcs: { name: string }[] };
    expect(Object.keys(site)).toEqual([
      'exportedAt',
      'farm',
      'gateways',
      'groups',
      'ipcs',
      'pois',
      'repeaters',
      'schedules',
      'sensors',
      'templates',
      'version',
    ]);
    expect(site).toMatchObject({
      version: 1,
      exportedAt: '2026-11-20T21:00:00.000Z',
      farm: { _id: world.farm.uid, name: 'Hill & Dale', currentSet: null },
      gateways: [{ _id: gateway.uid, macAddress: gateway.mac }],
      groups: [{ name: 'All', isLateral: false }, { name: 'North|upper' }],
      schedules: [{ _id: setUID, schedules: [{ serialNumber: 'IPC2', schedules: [{ start: 60 }] }] }],
    });
    expect(site.ipcs.map(({ name }) => name)).toEqual(['A2', 'A10', 'P1', 'S1']);
    expect(site.ipcs[0]).toMatchObject({ _id: a2.uid, settings: { channel: 16, farmId: '02:03' } });
    for (const secret of ['the-secret-key', 'key_hash', world.owner.email, 'latest'])
      expect(text).not.toContain(secret);
  });

  it('is the same for the same farm, but for the time at which it was made', async () => {
    const first = (await file('site-json')).text;
    server.clock.now = new Date('2026-11-21T00:00:00Z');
    const second = (await file('site-json')).text;
    server.clock.now = new Date('2026-11-20T21:00:00Z');
    expect(second.replace('2026-11-21T00:00:00.000Z', '2026-11-20T21:00:00.000Z')).toBe(first);
  });
});

it('site.zip has a file for each set and a manifest that names them', async () => {
  await buildScheduleSet(db(), world.farm.id, [a2], [{ start: 60, duration: 28, cycle: 1 }]);
  const { bytes, headers } = await file('schedules');
  expect(headers['content-type']).toBe('application/zip');
  // The entries' names stand in the central directory as they are.
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
  expect(bytes.toString('latin1')).toMatch(/Set \w{6}\.csv.*manifest\.json/s);
});

it('nobody without the right to export gets one', async () => {
  const other = await buildFarmWorld(server);
  const reply = await server.call('GET /export/site-json', {
    headers: other.headers,
    query: { farmUID: world.farm.uid },
  });
  expect(reply.statusCode).toBe(404);
});

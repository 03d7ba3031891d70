import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildAccount } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await createTestServer();
});
beforeEach(async () => {
  headers = await server.signIn(await buildAccount(server.database.db));
});
afterAll(() => server.close());

const read = async (as = headers) => (await server.call('GET /settings', { headers: as })).json<unknown>();
const store = (data: object, version = 6) =>
  server.call('PUT /settings', { headers, body: { data, version } });

const uid = 'a'.repeat(24);
const bands = [
  { idx: 0, name: 'Too full', start: 0, color: '#07369e' },
  { idx: 1, name: 'Full', start: 10, color: '#2c7ed6' },
  { idx: 2, name: 'Normal', start: 30, color: '#09a509' },
  { idx: 3, name: 'Refill', start: 60, color: '#f99b18' },
  { idx: 4, name: 'Stress', start: 100, color: '#eb2d17' },
];
const smPlot = {
  average: true,
  rain: true,
  rainAccumulated: false,
  rainHourly: false,
  swp1: true,
  swp2: true,
  temperature: false,
};
/** Every member that the specification names. spec 1 §3 */
const whole = {
  currFarm: uid,
  farms: [
    {
      info: {
        accountId: 'b'.repeat(24),
        id: uid,
        name: 'Rākaia Downs',
        description: 'Dairy',
        icon: 'farm-blue',
        position: { lat: -43.7, lng: 171.9 },
        tankOnly: false,
      },
      filters: [{ target: 'Level', timeScale: 'Custom', range: { from: '2026-11-01', to: '2026-11-09' } }],
      sites: [{ id: 'c'.repeat(24), smPlot, smStressBands: bands, soilType: 5 }],
      headlines: [{ position: 3, type: 9, configs: { sensor: uid } }],
      smCurrDisplayed: 'c'.repeat(24),
      dashboard: { cards: [{ type: 'Tank', visible: false, configs: {} }] },
      displayIPCMap: true,
      displayTankMap: false,
    },
  ],
  displayTooltips: true,
  displayPOI: false,
  displaySensors: true,
  displaySpares: false,
  showSpareReadyDialog: true,
};

describe('the settings of an account', () => {
  it('are null until they are stored, and then as they were stored, for that account alone', async () => {
    expect(await read()).toEqual({ data: null, version: 6 });
    const reply = await store(whole);
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({ data: whole, version: 6 });
    expect(await read()).toEqual({ data: whole, version: 6 });
    const stranger = await server.signIn(await buildAccount(server.database.db));
    expect(await read(stranger)).toEqual({ data: null, version: 6 });
  });

  it('are the last that were stored, with members that this version does not know', async () => {
    await store(whole);
    await store({ displayPOI: true, soilNotes: [1] }, 5);
    expect(await read()).toEqual({ data: { displayPOI: true, soilNotes: [1] }, version: 5 });
  });

  const site = (over: object) => ({ sites: [{ id: uid, ...over }] });
  const band = (over: object) => ({ smStressBands: bands.map((one) => ({ ...one, ...over })) });
  it.each<[what: string, data: object, version?: number]>([
    ['a fifth headline slot', { headlines: [{ position: 4, type: 1 }] }],
    ['an eleventh kind of headline', { headlines: [{ position: 0, type: 11 }] }],
    ['a sixth soil', site({ soilType: 6 })],
    ['no soil', site({ soilType: 0 })],
    ['a band that starts below 0 kPa', band({ start: -1 })],
    ['a band that starts above 200 kPa', band({ start: 201 })],
    ['four bands', { smStressBands: bands.slice(1) }],
    ['a later version', {}, 7],
    ['more than 256 KiB', { notes: 'x'.repeat(256 * 1024) }],
  ])('are refused with %s', async (_what, data, version) => {
    expect((await store(data, version)).statusCode).toBe(400);
    expect(await read()).toEqual({ data: null, version: 6 });
  });
});

it('GET /ims-settings tells everyone what the installation is set to', async () => {
  const reply = await server.call('GET /ims-settings');
  expect(reply.statusCode).toBe(200);
  expect(reply.json()).toMatchObject({
    enabledCountryCodes: ['au', 'nz'],
    newAccountCreationGlobal: true,
    newFarmCreationGlobal: true,
    appVersion: '1.6.0',
    mapsToken: '',
    vapidPublicKey: expect.stringMatching(/^[\w-]{87}$/) as string,
    broker: null,
  });
});

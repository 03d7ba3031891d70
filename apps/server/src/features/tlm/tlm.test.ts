import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { FarmRow } from '../../db/schema.ts';
import { buildAccount, buildFarm } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { installationCommands } from '../operator/installation-commands.ts';
import { standingCommands } from '../operator/standing-commands.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

const form = {
  name: 'Ann Lee',
  email: 'Ann@Farm.co.nz',
  countryCode: 64,
  mobile: '0211234567',
  farmName: 'Hill farm',
  tanks: 3,
};
const ask = (more: object = {}) => server.call('POST /tlm/signup', { body: { ...form, ...more } });

it('who asks for tank telemetry is kept, and the staff are told', async () => {
  const { db } = server.database;
  const staff = await buildAccount(db, { name: 'Sam Staff' });
  await db.updateTable('account').set({ is_staff: true }).where('id', '=', staff.id).execute();
  const reply = await ask({ notes: 'Two are new.' });
  expect(reply.statusCode).toBe(200);
  const lead = await db.selectFrom('tlm_lead').selectAll().executeTakeFirstOrThrow();
  expect(lead).toMatchObject({
    uid: reply.json<{ id: string }>().id,
    name: 'Ann Lee',
    email: 'ann@farm.co.nz',
    country_code: 64,
    mobile: '0211234567',
    farm_name: 'Hill farm',
    tanks: 3,
    notes: 'Two are new.',
    at: server.clock.now,
  });
  const [mail] = await db.selectFrom('outbox').selectAll().execute();
  expect(mail).toMatchObject({ recipient: staff.email, subject: 'Tank telemetry: Hill farm' });
  expect(mail?.body).toContain('Ann Lee asks for tank telemetry for Hill farm: 3 tanks.');
  expect(mail?.body).toContain('ann@farm.co.nz, mobile +64 0211234567');
});

it.each([
  [{ farmName: '' }, 'farmName', 'Farm name is required.'],
  [{ email: 'ann' }, 'email', 'E-mail must be an e-mail address.'],
  [
    { notes: 'Two are \u001B[31mnew.' },
    'notes',
    "Notes holds a character that can't be shown. Please type it again.",
  ],
])('says what is wrong by field: %j', async (wrong, field, errorMessage) => {
  const reply = await ask(wrong);
  expect(reply.statusCode).toBe(400);
  expect(reply.json()).toMatchObject({ field, errorMessage });
});

it('takes five a day from one address, and the operator lists them', async () => {
  const more = { email: 'bob@farm.co.nz' };
  for (let count = 0; count < 5; count += 1) expect((await ask(more)).statusCode).toBe(200);
  const refused = await ask(more);
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
    429,
    '86400',
    {
      errorMessage: 'This address has asked several times today. We will answer. Please try again in 1 day.',
      code: 'tooMany',
    },
  ]);
  const context = { db: server.database.db, now: server.clock.now };
  const list = await installationCommands['tlm-leads']?.run(context, ['2']);
  expect(list?.split('\n---\n')).toHaveLength(2);
  expect(list).toContain('Ann Lee, Hill farm, 3 tanks\nbob@farm.co.nz, +64 0211234567');
});

describe('without tank telemetry in the subscription of its owner, a farm', () => {
  const { TLM_V3, LEVEL } = sensorTypes;
  let farm: FarmRow;
  let headers: Record<string, string>;
  let email: string;
  let last = 0;
  const tlm = (state: string) =>
    standingCommands['tlm']?.run({ db: server.database.db, now: server.clock.now }, [email, state]);
  beforeEach(async () => {
    const owner = await buildAccount(server.database.db);
    ({ email } = owner);
    farm = await buildFarm(server.database.db, owner.id);
    headers = await server.signIn(owner);
  });

  const identity = () => {
    last += 1;
    return { name: 'Hill', serialNumber: `T${last}`, macAddress: `70B3D5AA${String(last).padStart(8, '0')}` };
  };
  const add = (type: number) =>
    server.call('POST /sensor', { headers, body: { farmUID: farm.uid, ...identity(), type } });
  const added = async (type: number) => (await add(type)).json<{ id: string }>().id;
  const change = async (id: string, type: number, name = 'Hill') => {
    const query = { deviceId: id };
    const { serialNumber, macAddress } = (await server.call('GET /sensor', { headers, query })).json();
    const body = { id, name, serialNumber, macAddress, type };
    return server.call('PUT /sensor', { headers, body });
  };
  const convert = async (type: number) => {
    const body = { farmUID: farm.uid, name: 'Tank', lat: farm.lat, lng: farm.lng };
    const poi = await server.call('POST /poi', { headers, body });
    const poiUID = poi.json<{ id: string }>().id;
    return server.call('POST /poi/sensorconv', { headers, body: { poiUID, ...identity(), type } });
  };
  const REFUSED = "Tank telemetry is not part of this farm's subscription. Please ask for it at /tlm/signup.";

  it('gets no tank unit: none is added, no other sensor and no point of interest becomes one', async () => {
    const level = await added(LEVEL);
    await tlm('off');
    for (const reply of [await add(TLM_V3), await change(level, TLM_V3), await convert(TLM_V3)])
      expect([reply.statusCode, reply.json()]).toEqual([
        403,
        expect.objectContaining({ errorMessage: REFUSED }),
      ]);
    const tanks = await server.database.db
      .selectFrom('device')
      .select('id')
      .where('farm_id', '=', farm.id)
      .where('type', '=', TLM_V3)
      .execute();
    expect(tanks).toEqual([]);
    for (const reply of [await add(LEVEL), await convert(LEVEL)]) expect(reply.statusCode).toBeLessThan(300);
    await tlm('on');
    for (const reply of [await add(TLM_V3), await change(level, TLM_V3), await convert(TLM_V3)])
      expect(reply.statusCode).toBeLessThan(300);
  });

  it('keeps the tank units it has: they are shown and changed, and one that was deleted by mistake comes back', async () => {
    const tank = await added(TLM_V3);
    await tlm('off');
    expect((await change(tank, TLM_V3, 'Top tank')).json()).toMatchObject({ name: 'Top tank' });
    const deleted = await server.call('DELETE /sensor', { headers, query: { deviceId: tank } });
    const { batchId } = deleted.json<{ batchId: string }>();
    const undone = await server.call('POST /undo', {
      headers,
      body: { farmUID: farm.uid, batchId, act: 'delete sensor' },
    });
    expect(undone.statusCode).toBe(200);
    const shown = await server.call('GET /sensor', { headers, query: { deviceId: tank } });
    expect(shown.json()).toMatchObject({ name: 'Top tank', type: TLM_V3 });
  });
});

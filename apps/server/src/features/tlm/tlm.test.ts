import { afterAll, beforeAll, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { buildAccount, buildFarm } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { installationCommands } from '../operator/installation-commands.ts';

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

it('a tank unit can be added while the owner has tank telemetry', async () => {
  const { db } = server.database;
  const owner = await buildAccount(db);
  const farm = await buildFarm(db, owner.id);
  const headers = await server.signIn(owner);
  const add = (serialNumber: string, macAddress: string, type: number = sensorTypes.TLM_V3) =>
    server.call('POST /sensor', {
      headers,
      body: { farmUID: farm.uid, name: 'Hill', serialNumber, macAddress, type },
    });
  expect((await add('T1', '70B3D5AA00000001')).statusCode).toBe(201);
  await db.updateTable('account').set({ tlm_subscription: false }).where('id', '=', owner.id).execute();
  const refused = await add('T2', '70B3D5AA00000002');
  expect(refused.statusCode).toBe(403);
  expect(refused.json()).toMatchObject({
    errorMessage: "Tank telemetry is not part of this farm's subscription. Please ask for it at /tlm/signup.",
  });
  expect((await add('T3', '70B3D5AA00000003', sensorTypes.LEVEL)).statusCode).toBe(201);
});

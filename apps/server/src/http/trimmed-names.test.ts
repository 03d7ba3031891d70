import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildFarmWorld, type FarmWorld } from '../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

const nameOf = async (table: 'device' | 'device_group', uid: string) =>
  (await server.database.db.selectFrom(table).select('name').where('uid', '=', uid).executeTakeFirstOrThrow())
    .name;

it.each([
  ['POST /ipc', { name: `  ${'A'.repeat(5)}   `, serialNumber: ` ${'S'.repeat(40)} ` }, 'AAAAA'],
  ['POST /poi', { name: ` ${'P'.repeat(40)} `, lat: -43.75, lng: 171.95 }, 'P'.repeat(40)],
])('%s judges names without the blanks around them', async (key, entry, name) => {
  const reply = await world.send(key, { farmUID: world.farm.uid, macAddress: '0004A30B001C0999', ...entry });
  expect([reply.statusCode, reply.body.slice(0, 100)]).toEqual([200, expect.any(String)]);
  const [record] = Object.values(reply.json<Record<string, { _id: string } | string>>()).flatMap((value) =>
    typeof value === 'object' && value ? [value._id] : /^[0-9a-f]{24}$/.test(value) ? [value] : [],
  );
  expect(await nameOf('device', record ?? '')).toBe(name);
});

it('POST /group judges names without the blanks around them', async () => {
  const reply = await world.send('POST /group', { farmUID: world.farm.uid, name: `  ${'G'.repeat(40)}  ` });
  expect(reply.statusCode).toBe(200);
  expect(await nameOf('device_group', reply.json<{ id: string }>().id)).toBe('G'.repeat(40));
});

it('descriptions and notes are judged without the blanks around them too', async () => {
  const description = ` ${'d'.repeat(250)}\n`;
  const poi = { farmUID: world.farm.uid, name: 'Ford', lat: -43.75, lng: 171.95 };
  expect((await world.send('POST /poi', { ...poi, description })).statusCode).toBe(200);
  const refused = await world.send('POST /poi', { ...poi, description: 'd'.repeat(251) });
  expect([refused.statusCode, refused.json()]).toMatchObject([400, { field: 'description' }]);
  const { name, email } = world.owner;
  const details = { name, email, newsletter: false, mobile: '0211234567', countryCode: 64 };
  const notes = 'n'.repeat(2000);
  expect((await world.send('POST /account/details', { ...details, notes: `  ${notes}  ` })).statusCode).toBe(
    200,
  );
  expect((await world.get('GET /account/details', {})).json()).toMatchObject({ notes });
});

it.each([
  ['POST /ipc', { name: '     ', serialNumber: 'S1' }],
  ['POST /ipc', { name: 'ABCDEF', serialNumber: 'S1' }],
  ['POST /group', { name: '   ' }],
  ['POST /group', { name: 'G'.repeat(41) }],
])('%s refuses what is blank or too long without them', async (key, entry) => {
  const reply = await world.send(key, { farmUID: world.farm.uid, macAddress: '0004A30B001C0998', ...entry });
  expect([reply.statusCode, reply.json()]).toMatchObject([400, { field: 'name' }]);
});

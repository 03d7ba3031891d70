import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AccountRow } from '../../db/schema.ts';
import { buildAccount, buildTank } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import {
  buildOwner,
  callsOf,
  notesOf,
  type PersonCalls,
  type SharingWorld,
} from '../sharing/testing/sharing-kit.ts';

const REASON = 'The gateway is silent.';

let server: TestServer;
let world: SharingWorld;
let staff: AccountRow;
let helping: PersonCalls;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  world = await buildOwner(server, 'Olive Owner');
  staff = await buildAccount(server.database.db, { type: 'AGENT', name: 'Sam Support', is_staff: true });
  helping = await callsOf(server, staff);
});

const open = (reason = REASON) =>
  helping.call('POST /support/session', { body: { farmUID: world.farm.uid, reason } });
const close = () => helping.call('DELETE /support/session', { query: { farmUID: world.farm.uid } });
const rename = async () =>
  (await helping.call('POST /farm-timezone', { body: { farmUID: world.farm.uid } })).statusCode;
const cards = async () => (await helping.call('GET /farms-card')).json<{ _id: string }[]>();
const log = async () => (await world.calls.log()).map(({ what, note }) => [what, note]);

it('staff read every farm, by the farm and by a device, but change nothing; each look is in the log once a day', async () => {
  const tank = await buildTank(server.database.db, world.farm.id);
  expect(await helping.mayRead(world.farm)).toBe(200);
  expect((await helping.call('GET /sensor', { query: { deviceId: tank.uid } })).statusCode).toBe(200);
  expect(
    (await helping.call('GET /flow/history', { query: { serial: tank.serial_number } })).statusCode,
  ).toBe(200);
  expect(await rename()).toBe(403);
  expect(await cards()).toEqual([]);
  expect(await log()).toEqual([['support looked', '']]);
  expect((await world.calls.log())[0]).toMatchObject({ by: 'Sam Support', farmName: world.farm.name });
  // The next day in UTC.
  server.clock.now = new Date(server.clock.now.getTime() + 4 * 3_600_000);
  await Promise.all([helping.mayRead(world.farm), helping.mayRead(world.farm)]);
  expect(await log()).toEqual([
    ['support looked', ''],
    ['support looked', ''],
  ]);
});

it('a session gives all rights for an hour, and the owner reads why', async () => {
  const until = new Date(server.clock.now.getTime() + 3_600_000);
  expect((await open()).json()).toEqual({
    farmUID: world.farm.uid,
    name: world.farm.name,
    ownerName: 'Olive Owner',
    ownerEmail: world.owner.email,
    sessionUntil: until.toISOString(),
  });
  expect(await rename()).toBe(200);
  expect(await cards()).toMatchObject([{ _id: world.farm.uid }]);
  expect(await notesOf(server, world.owner)).toEqual([
    `Sam Support of support has full rights on ${world.farm.name} for an hour. The reason: ${REASON}`,
  ]);
  server.clock.now = until;
  expect(await rename()).toBe(403);
  expect(await cards()).toEqual([]);
  await server.runJob('ended support');
  await server.runJob('ended support');
  // The look after the hour came before the job noted its end.
  expect(await log()).toEqual([
    ['support closed', 'The hour was over.'],
    ['support looked', ''],
    ['support opened', REASON],
  ]);
  expect(await notesOf(server, world.owner)).toHaveLength(2);
});

it('a session is closed at once, and only one that is open', async () => {
  await open();
  expect((await close()).json()).toEqual({ success: true });
  expect(await rename()).toBe(403);
  expect((await close()).statusCode).toBe(404);
  expect((await world.calls.log()).map(({ what }) => what)).toEqual([
    'support looked',
    'support closed',
    'support opened',
  ]);
});

it('opened by two calls at once it is one session, which goes on for an hour from the last', async () => {
  const replies = await Promise.all([open(), open('The same, once more.')]);
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const rows = await server.database.db
    .selectFrom('support_session')
    .select('id')
    .where('account_id', '=', staff.id)
    .where('closed_at', 'is', null)
    .execute();
  expect(rows).toHaveLength(1);
});

it('a session ends with being staff', async () => {
  await open();
  await server.database.db
    .updateTable('account')
    .set({ is_staff: false })
    .where('id', '=', staff.id)
    .execute();
  expect(await rename()).toBe(404);
  expect(await helping.mayRead(world.farm)).toBe(204);
  expect(await cards()).toEqual([]);
});

it.each([' '.repeat(10), `  short  ${' '.repeat(20)}`, '.'.repeat(20), 'xxxxxxxxxxxxx', '1234 5678 90'])(
  'takes %j for no reason',
  async (reason) => {
    expect((await open(reason)).statusCode).toBe(400);
  },
);

it('needs a reason of ten characters, and a farm that is there', async () => {
  expect((await open('short')).statusCode).toBe(400);
  const none = { farmUID: 'f'.repeat(24), reason: REASON };
  expect((await helping.call('POST /support/session', { body: none })).statusCode).toBe(404);
});

it('farms are found by how their name, owner or address begins, those with a session first', async () => {
  const find = async (value: string) =>
    (await helping.call('GET /support/farms', { query: { value } })).json<{
      farms: { farmUID: string; sessionUntil: string | null }[];
    }>().farms;
  const second = await buildOwner(server, 'Olive Owner');
  for (const value of [world.farm.name, ` ${world.owner.email.toUpperCase()}`])
    expect((await find(value)).map(({ farmUID }) => farmUID)).toEqual([world.farm.uid]);
  await helping.call('POST /support/session', { body: { farmUID: second.farm.uid, reason: REASON } });
  expect((await find('olive o'))[0]).toMatchObject({ farmUID: second.farm.uid });
  expect(await find('%')).toEqual([]);
  expect((await find('')).length).toBeLessThanOrEqual(20);
});

it('an owner whom no SMS can reach is told in the bell, and the session is open', async () => {
  const unreachable = { send_sms: true, mobile: '00000000', country_code: 64 };
  await server.database.db.updateTable('account').set(unreachable).where('id', '=', world.owner.id).execute();
  expect((await open()).statusCode).toBe(200);
  expect(await notesOf(server, world.owner)).toHaveLength(1);
});

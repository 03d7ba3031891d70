import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SharersSecondStep } from '@headrace/contract/sharing';
import type { AccountRow, FarmRow } from '../../db/schema.ts';
import { buildAccount, buildFarm, buildShare } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { codeShown } from '../accounts/testing/authenticator.ts';
import { days, later } from '../accounts/testing/account-kit.ts';
import { hashPassword } from '../accounts/password.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';

const PASSWORD = 'correct horse';
let server: TestServer;
let passwordHash: string;
let owner: AccountRow;
let agent: AccountRow;
let farm: FarmRow;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => server.close());
beforeEach(async () => {
  const { db } = server.database;
  owner = await buildAccount(db, { name: 'Mere Tawhai' });
  agent = await buildAccount(db, { name: 'Ana Reid', type: 'AGENT', password_hash: passwordHash });
  farm = await buildFarm(db, owner.id, { name: 'Hinds' });
  await buildShare(db, farm.id, agent.id);
});

let count = 0;
const call = async (
  key: string,
  as: AccountRow,
  more: { body?: object; query?: Record<string, string> } = {},
) =>
  server.call(key, { headers: await server.signIn(as), address: `192.0.2.${(count += 1) % 250}`, ...more });
const ask = (required: boolean, as = owner) => call('PUT /sharing/second-step', as, { body: { required } });
const state = async (as: AccountRow) =>
  (await call('GET /sharing/second-step', as)).json<SharersSecondStep>();
/** GET /farm answers with nothing where there is none. */
const opens = async (as: AccountRow) =>
  (await call('GET /farm', as, { query: { uid: farm.uid } })).statusCode;
const listed = async (as: AccountRow) =>
  (await call('GET /farms-card', as)).json<{ name: string }[]>().map(({ name }) => name);
async function setUpApp(): Promise<Record<string, string>> {
  const headers = await server.signIn(agent);
  const begun = await server.call('POST /account/authenticator/begin', {
    headers,
    body: { password: PASSWORD },
  });
  const code = codeShown(begun.json<{ secret: string }>().secret, server.clock.now.getTime());
  await server.call('POST /account/authenticator', { headers, body: { code } });
  return headers;
}

describe('an owner who asks for a second step', () => {
  it('is told who has none, and those are told once; a week later the farm is shut to them, and to nobody else', async () => {
    expect(await state(owner)).toMatchObject({ from: null, askedBy: [] });
    const from = new Date(server.clock.now.getTime() + days(7)).toISOString();
    const asked = await ask(true);
    expect(asked.json()).toEqual({ from, without: [{ name: 'Ana Reid', email: agent.email }], askedBy: [] });
    await ask(true);
    expect(await state(agent)).toEqual({
      from: null,
      without: [],
      askedBy: [{ owner: 'Mere Tawhai', farms: ['Hinds'], from }],
    });
    const told = await server.database.db
      .selectFrom('notification')
      .select(['title', 'link'])
      .where('account_id', '=', agent.id)
      .execute();
    expect(told).toEqual([{ title: 'Mere Tawhai asks for two-step sign-in', link: '/security' }]);
    await later(server, days(7) - 1, async () => expect(await opens(agent)).toBe(200));
    await later(server, days(7), async () => {
      expect([await opens(agent), await listed(agent)]).toEqual([204, []]);
      expect([await opens(owner), await listed(owner)]).toEqual([200, ['Hinds']]);
    });
  });

  it('lets in who sets one up, at once, and shuts out again who removes it', async () => {
    await ask(true);
    await later(server, days(8), async () => {
      expect(await opens(agent)).toBe(204);
      const headers = await setUpApp();
      expect(await opens(agent)).toBe(200);
      expect((await state(agent)).askedBy).toEqual([]);
      expect((await state(owner)).without).toEqual([]);
      await server.call('POST /account/authenticator/remove', { headers, body: { password: PASSWORD } });
      expect(await opens(agent)).toBe(204);
    });
  });

  it('shuts nobody out any more when they no longer ask', async () => {
    await ask(true);
    await ask(false);
    await later(server, days(8), async () => expect(await opens(agent)).toBe(200));
  });

  it('keeps nobody from hearing of alerts', async () => {
    await ask(true);
    const at = new Date(server.clock.now.getTime() + days(8));
    const { db } = server.database;
    const hear = async () => (await accountsWithFlag(db, farm.id, 'notifications', at)).toSorted();
    expect(await hear()).toEqual([owner.id, agent.id].toSorted());
  });

  it('says nothing of the farms of others, and shuts them to nobody', async () => {
    const other = await buildAccount(server.database.db);
    const theirs = await buildFarm(server.database.db, other.id);
    await buildShare(server.database.db, theirs.id, agent.id);
    await ask(true);
    await later(server, days(8), async () => {
      const reply = await call('GET /farm', agent, { query: { uid: theirs.uid } });
      expect(reply.statusCode).toBe(200);
      expect(await opens(agent)).toBe(204);
    });
    expect((await state(other)).without).toEqual([{ name: 'Ana Reid', email: agent.email }]);
  });
});

it('is asked for by owners alone', async () => {
  expect((await ask(true, agent)).statusCode).toBe(403);
});

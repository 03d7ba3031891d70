import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import type { SharersSecondStep } from '@headrace/contract/sharing';
import type { AccountRow, FarmRow } from '../../db/schema.ts';
import { buildAccount, buildAccountShare, buildFarm, buildShare } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { codeShown } from '../accounts/testing/authenticator.ts';
import { days, later, mailedKey, mailsTo } from '../accounts/testing/account-kit.ts';
import { hashPassword } from '../accounts/password.ts';
import { removeFactors } from '../accounts/second-step/factors.repo.ts';
import { createAccessRepo } from '../access/access.repo.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import { entry } from '../farms/testing/farm-kit.ts';
import { createRegistryRepo } from '../registry/registry.repo.ts';

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
  owner = await buildAccount(db, { name: 'Mere Tawhai', password_hash: passwordHash });
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
const ask = (required: boolean, as = owner) =>
  call('PUT /sharing/second-step', as, { body: { required, ...(!required && { password: PASSWORD }) } });
const state = async (as: AccountRow) =>
  (await call('GET /sharing/second-step', as)).json<SharersSecondStep>();
const notices = async ({ id }: AccountRow): Promise<string[]> => {
  const rows = await server.database.db
    .selectFrom('notification')
    .select('title')
    .where('account_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ title }) => title);
};
/** GET /farm answers with nothing where there is none. */
const opens = async (as: AccountRow) =>
  (await call('GET /farm', as, { query: { uid: farm.uid } })).statusCode;
const listed = async (as: AccountRow) =>
  (await call('GET /farms-card', as)).json<{ name: string }[]>().map(({ name }) => name);
/** With the code of the next half minute: that of now is used up. */
async function setUpApp(): Promise<{ headers: Record<string, string>; code: string }> {
  const headers = await server.signIn(agent);
  const begun = await server.call('POST /account/authenticator/begin', {
    headers,
    body: { password: PASSWORD },
  });
  const code = (ms: number) =>
    codeShown(begun.json<{ secret: string }>().secret, server.clock.now.getTime() + ms);
  await server.call('POST /account/authenticator', { headers, body: { code: code(0) } });
  return { headers, code: code(30_000) };
}

describe('an owner who asks for a second step', () => {
  it('has to prove who it is before it is asked no more, and not before it is', async () => {
    await ask(true);
    for (const password of [undefined, '', 'wrong horse']) {
      const reply = await call('PUT /sharing/second-step', owner, { body: { required: false, password } });
      expect([reply.statusCode, reply.json()]).toMatchObject([400, { field: 'password' }]);
    }
    expect((await state(owner)).from).not.toBeNull();
    expect((await ask(false)).json()).toMatchObject({ from: null });
  });

  it('is told who has none, and those are told once; a week later the farm is shut to them, and to nobody else', async () => {
    const ana = { name: 'Ana Reid', email: agent.email, hasSecondStep: false };
    expect(await state(owner)).toEqual({
      from: null,
      hasOwn: false,
      people: [ana],
      askedBy: [],
      requiredBy: [],
    });
    const from = new Date(server.clock.now.getTime() + days(7)).toISOString();
    const asked = await ask(true);
    expect(asked.json()).toEqual({ from, hasOwn: false, people: [ana], askedBy: [], requiredBy: [] });
    await ask(true);
    const hinds = { farmUID: farm.uid, farmName: 'Hinds' };
    expect((await state(agent)).askedBy).toEqual([{ owner: 'Mere Tawhai', farms: [hinds], from }]);
    expect(await notices(agent)).toEqual(['Mere Tawhai asks for two-step sign-in']);
    expect((await mailsTo(server, agent.email)).map(({ subject }) => subject)).toEqual([
      'Mere Tawhai asks for two-step sign-in',
    ]);
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
      const { headers, code } = await setUpApp();
      expect(await opens(agent)).toBe(200);
      expect((await state(agent)).askedBy).toEqual([]);
      expect((await state(owner)).people).toMatchObject([{ name: 'Ana Reid', hasSecondStep: true }]);
      await server.call('POST /account/authenticator/remove', {
        headers,
        body: { password: PASSWORD, code },
      });
      expect(await opens(agent)).toBe(204);
    });
  });

  it('is named to a sharer who has one, who removes it and is told then by bell and mail what that shuts', async () => {
    const { db } = server.database;
    const soon = await buildAccount(db, { name: 'Tama Reid' });
    await buildShare(db, (await buildFarm(db, soon.id)).id, agent.id);
    await ask(true);
    await later(server, days(8), async () => {
      await ask(true, soon);
      const { headers, code } = await setUpApp();
      const { askedBy, requiredBy } = await state(agent);
      expect([askedBy, requiredBy.map(({ owner: name }) => name)]).toEqual([
        [],
        ['Mere Tawhai', 'Tama Reid'],
      ]);
      const body = { password: PASSWORD, code };
      await server.call('POST /account/authenticator/remove', { headers, body });
      const title = 'Farms are shut to you without two-step sign-in';
      expect((await notices(agent)).at(-1)).toBe(title);
      const mail = (await mailsTo(server, agent.email)).find(({ subject }) => subject === title);
      expect(mail?.body).toContain("You can't open the farms of Mere Tawhai now.");
      expect(mail?.body).toMatch(/From .+ on you can't open the farms of Tama Reid\./);
    });
  });

  it('is told too where the link of a mail removes what was added', async () => {
    const { db } = server.database;
    await ask(true);
    await later(server, days(8), async () => {
      const confirmed = { email_confirmed_at: server.clock.now };
      await db.updateTable('account').set(confirmed).where('id', '=', agent.id).execute();
      await setUpApp();
      const key = await mailedKey(server, agent.email, '/undo-email?key=');
      const undone = await server.call('POST /account/undo-email', { body: { key } });
      expect(undone.json()).toMatchObject({ success: true });
      expect((await notices(agent)).at(-1)).toBe('Farms are shut to you without two-step sign-in');
    });
  });

  it('has who accepts an invitation afterwards told at once, where they have none', async () => {
    const { db } = server.database;
    await db.deleteFrom('share').where('agent_id', '=', agent.id).execute();
    const accept = async () => {
      const share = await buildShare(db, farm.id, agent.id);
      await db
        .updateTable('share')
        .set({ state: 'pending', agent_id: null, email: agent.email })
        .where('id', '=', share.id)
        .execute();
      await db
        .updateTable('account')
        .set({ email_confirmed_at: server.clock.now })
        .where('id', '=', agent.id)
        .execute();
      const { statusCode } = await call('POST /accept-invite', agent, { body: { key: share.uid } });
      expect(statusCode).toBe(200);
      await db.deleteFrom('share').where('id', '=', share.id).execute();
    };
    await ask(true);
    await accept();
    expect((await notices(agent)).at(-1)).toBe('Mere Tawhai asks for two-step sign-in');
    await later(server, days(8), async () => {
      await accept();
      expect((await notices(agent)).at(-1)).toBe('The farms of Mere Tawhai are shut to you');
      const before = (await notices(agent)).length;
      await setUpApp();
      await accept();
      expect(await notices(agent)).toHaveLength(before);
    });
  });

  it('shuts nobody out any more when they no longer ask, and says so', async () => {
    await ask(true);
    await ask(false);
    await later(server, days(8), async () => expect(await opens(agent)).toBe(200));
    expect((await notices(agent)).at(-1)).toBe('Mere Tawhai no longer asks for two-step sign-in');
  });

  it('has those who have none reminded a day before and when it has begun, each once, and hears who they are', async () => {
    const { db } = server.database;
    const ready = await buildAccount(db, { type: 'AGENT' });
    await db
      .updateTable('account')
      .set({ second_step_since: new Date(0) })
      .where('id', '=', ready.id)
      .execute();
    await buildShare(db, farm.id, ready.id);
    await ask(true);
    const remind = () => Promise.all([1, 2].map(() => server.runJob('second steps asked for')));
    await later(server, days(6) - 1, remind);
    expect(await notices(agent)).toHaveLength(1);
    await later(server, days(6), remind);
    await later(server, days(6) + 1000, remind);
    expect((await notices(agent)).slice(1)).toEqual(['The farms of Mere Tawhai are soon shut to you']);
    await later(server, days(7), remind);
    await later(server, days(9), remind);
    expect((await notices(agent)).slice(2)).toEqual(['The farms of Mere Tawhai are shut to you']);
    expect(await notices(owner)).toEqual([
      'Your farms are soon shut to people without two-step sign-in',
      'Your farms are shut to people without two-step sign-in',
    ]);
    expect(await notices(ready)).toEqual([]);
  });

  it('ends what an open page hears at its time, though nobody tells the page', async () => {
    await ask(true);
    const grants = (at: number) =>
      createAccessRepo(server.database.db).farms(agent.id, new Date(server.clock.now.getTime() + at));
    const from = new Date(server.clock.now.getTime() + days(7));
    expect(await grants(0)).toMatchObject([{ endsAt: from }]);
    expect(await grants(days(7))).toEqual([]);
  });

  it('has no farm made for them by whom they shut out: nor is one made that nobody is told of', async () => {
    const { db } = server.database;
    await buildAccountShare(db, owner.id, agent.id, presets.farmManager);
    const owners = async () =>
      (await call('GET /agent/list-accounts', agent)).json<{ accounts: { name: string }[] }>().accounts;
    const make = async () =>
      (await call('POST /farm', agent, { body: { ...entry, accountId: owner.uid } })).statusCode;
    await ask(true);
    expect(await owners()).toMatchObject([{ name: 'Mere Tawhai' }]);
    await later(server, days(8), async () => {
      expect([await owners(), await make()]).toEqual([[], 403]);
      expect(await listed(owner)).toEqual(['Hinds']);
      await setUpApp();
      expect([await owners(), await make()]).toMatchObject([[{ name: 'Mere Tawhai' }], 200]);
    });
  });

  it.each(['farm', 'account'])(
    'has no deleted farm named or brought back by a share of the %s',
    async (of) => {
      const { db } = server.database;
      await db.deleteFrom('share').where('agent_id', '=', agent.id).execute();
      if (of === 'farm') await buildShare(db, farm.id, agent.id, presets.farmManager);
      else await buildAccountShare(db, owner.id, agent.id, presets.farmManager);
      const deleted = async () =>
        (await call('GET /farms/deleted', agent)).json<{ farms: { name: string }[] }>().farms;
      const restore = async () =>
        (await call('POST /farm/restore', agent, { body: { farmUID: farm.uid } })).statusCode;
      await ask(true);
      await later(server, days(8), async () => {
        // By whom it was deleted is listed to them apart from shares.
        const by = of === 'farm' ? agent : owner;
        await db
          .updateTable('account')
          .set({ second_step_since: new Date(0) })
          .where('id', '=', agent.id)
          .execute();
        await call('DELETE /farm', by, { query: { farmId: farm.uid } });
        expect(await deleted()).toMatchObject([{ name: 'Hinds' }]);
        await db.updateTable('account').set({ second_step_since: null }).where('id', '=', agent.id).execute();
        expect([await deleted(), await restore()]).toEqual([[], 404]);
        await db
          .updateTable('account')
          .set({ second_step_since: new Date(0) })
          .where('id', '=', agent.id)
          .execute();
        expect(await restore()).toBe(200);
      });
    },
  );

  it('has what a shut farm says of devices told to nobody as their own', async () => {
    const { pool, db } = server.database;
    const serialNumber = `SHUT-${farm.id}`;
    await pool.query(
      `insert into registry (serial_number, mac, kind, type, channel, spfactor, claimed_by) values ($1, $2, 'ipc', 1, 1, 1, $3)`,
      [serialNumber, farm.id.toString(16).padStart(12, '0').toUpperCase(), farm.id],
    );
    const found = async () => {
      const asked = { accountId: agent.id, now: server.clock.now, serialNumber, kinds: ['ipc'] } as const;
      return (await createRegistryRepo(db).exact(asked))?.serial_number;
    };
    await ask(true);
    expect(await found()).toBe(serialNumber);
    await later(server, days(8), async () => expect(await found()).toBeUndefined());
  });

  it('leaves support in, which uses no share for that', async () => {
    const staff = await buildAccount(server.database.db, { type: 'AGENT', is_staff: true });
    await buildShare(server.database.db, farm.id, staff.id);
    await ask(true);
    await later(server, days(8), async () => {
      const asker = { accountId: staff.id, isStaff: true };
      const visible = await createAccessRepo(server.database.db).find(
        asker,
        'farm',
        farm.uid,
        server.clock.now,
      );
      expect(visible?.grant).toMatchObject({ share: null, endsAt: null, isLook: true });
    });
  });

  it('is told to every server that remembers rights, whoever removes the second step', async () => {
    await ask(true);
    await later(server, days(8), async () => {
      await setUpApp();
      const headers = await server.signIn(agent);
      const open = async () =>
        (await server.call('GET /farm', { headers, query: { uid: farm.uid } })).statusCode;
      expect([await open(), await open()]).toEqual([200, 200]);
      await removeFactors(server.database.db, agent.id, server.clock.now);
      expect(await open()).toBe(204);
    });
  });

  it('keeps nobody from hearing of alerts', async () => {
    await ask(true);
    const at = new Date(server.clock.now.getTime() + days(8));
    const { db } = server.database;
    const hear = new Set(await accountsWithFlag(db, farm.id, 'notifications', at));
    expect(hear).toEqual(new Set([owner.id, agent.id]));
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
    expect(await state(other)).toMatchObject({ from: null, people: [{ name: 'Ana Reid' }] });
  });
});

it('is asked for by owners alone', async () => {
  expect((await ask(true, agent)).statusCode).toBe(403);
});

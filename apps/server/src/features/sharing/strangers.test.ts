import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildAccount, buildDevice, buildFarm } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import * as passwords from '../accounts/password.ts';
import { days, later } from '../accounts/testing/account-kit.ts';
import { buildAgent, buildOwner, callsOf, keyMailedTo, mailsTo, refusal } from './testing/sharing-kit.ts';

/** What people whom nobody knows can do to others by mail, and what they can't. */
let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
let count = 0;
const newAddress = () => `stranger${(count += 1)}@example.com`;
const accountOf = (email: string) =>
  server.database.db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst();

describe('an account whose address nobody confirmed', () => {
  it('invites nobody, and no password is hashed for it', async () => {
    const owner = await buildAccount(server.database.db);
    const farm = await buildFarm(server.database.db, owner.id);
    const to = newAddress();
    const calls = await callsOf(server, owner);
    const hashed = vi.spyOn(passwords, 'hashPassword');
    const contacts = [
      { name: 'Con Tact', email: to, password: 'wide river', passwordConfirmation: 'wide river' },
    ];
    const reply = await calls.share([farm], to, { contacts });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      403,
      { errorMessage: expect.stringMatching(/^Please confirm your e-mail address first/) },
    ]);
    expect(hashed).not.toHaveBeenCalled();
    hashed.mockRestore();
    expect(await mailsTo(server, to)).toEqual([]);
  });

  const made = (values: object = {}) => buildAccount(server.database.db, values);
  const isThere = async (email: string, at: number) => {
    await later(server, at, () => server.runJob('closed accounts'));
    const found = await accountOf(email);
    return found !== undefined && !found.email.endsWith('closed.invalid');
  };
  const past = (ms: number) => ({ created_at: new Date(server.clock.now.getTime() - ms) });
  async function aged(ms: number): Promise<{ id: number; email: string }> {
    const account = await made();
    await server.database.db.updateTable('account').set(past(ms)).where('id', '=', account.id).execute();
    return account;
  }

  it('is removed after 30 days, with its farms, and without a mail to whoever has the address', async () => {
    const { id, email } = await aged(days(30) - 60_000);
    const farm = await buildFarm(server.database.db, id);
    expect(await isThere(email, 0)).toBe(true);
    expect(await isThere(email, 120_000)).toBe(false);
    expect(await mailsTo(server, email)).toEqual([]);
    const row = await server.database.db
      .selectFrom('farm')
      .select('deleted_at')
      .where('id', '=', farm.id)
      .executeTakeFirstOrThrow();
    expect(row.deleted_at).not.toBeNull();
  });

  it('stays where a device, a share or a person hangs on it', async () => {
    const withDevice = await aged(days(40));
    await buildDevice(server.database.db, (await buildFarm(server.database.db, withDevice.id)).id, 'poi');
    const inUse = await aged(days(40));
    await server.signIn((await accountOf(inUse.email)) ?? (await made()));
    const invited = await aged(days(40));
    const { farm, calls } = await buildOwner(server);
    expect((await calls.share([farm], invited.email)).statusCode).toBe(200);
    const confirmed = await made({ email_confirmed_at: server.clock.now });
    await server.database.db
      .updateTable('account')
      .set(past(days(40)))
      .where('id', '=', confirmed.id)
      .execute();
    for (const { email } of [withDevice, inUse, invited, confirmed])
      expect(await isThere(email, 0)).toBe(true);
  });

  it('doesn’t keep the one who has the address from being invited: the mailed link is accepted', async () => {
    const squatter = await made({ type: 'SUBSCRIBER' });
    const { farm, calls } = await buildOwner(server);
    expect((await calls.share([farm], squatter.email)).statusCode).toBe(200);
    const key = await keyMailedTo(server, squatter.email);
    const agent = await callsOf(server, await buildAgent(server));
    expect((await agent.accept(key)).statusCode).toBe(200);
    expect(await agent.mayRead(farm)).toBe(200);
    expect(await (await callsOf(server, squatter)).mayRead(farm)).toBe(204);
  });

  it('isn’t made an agent by an owner who invites the address with a password', async () => {
    const squatter = await made();
    const { farm, calls } = await buildOwner(server);
    const password = { password: 'wide river', passwordConfirmation: 'wide river' };
    const reply = await calls.share([farm], squatter.email, {
      contacts: [{ name: 'Con Tact', email: squatter.email, ...password }],
    });
    expect(refusal(reply)).toMatchObject({ status: 409, field: 'contacts.0.email' });
  });
});

describe('a mail to a stranger', () => {
  it.each([
    ['Headrace security: your account is locked, go to https://evil.example/login', 'evil.example'],
    ['Pay now at www.evil', 'www.evil'],
    ['Urgent: call 0900 123 456', '0900'],
  ])('holds nothing of a name like %j', async (text, hidden) => {
    const { farm, owner, calls } = await buildOwner(server, text);
    await server.database.db
      .updateTable('farm')
      .set({ name: text.slice(0, 60) })
      .where('id', '=', farm.id)
      .execute();
    const to = newAddress();
    const contacts = [{ name: 'Con Tact', email: to }];
    await calls.share([farm], to, { contacts });
    const [mail] = await mailsTo(server, to);
    expect(mail?.subject).toBe(`${owner.email} invites you to a farm of ${owner.email}`);
    const whole = Object.values(mail ?? {}).join('\n');
    expect(whole).not.toContain(hidden);
  });

  it('greets by a name alone: whoever invites gives it', async () => {
    const { farm, calls } = await buildOwner(server);
    const to = newAddress();
    const reply = await calls.share([farm], to, {
      contacts: [{ name: 'Go to https://evil.example', email: to }],
    });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      400,
      {
        errorMessage: "Name can't hold a link or an address. Please enter a name alone.",
        field: 'contacts.0.name',
      },
    ]);
    await calls.share([farm], to, { contacts: [{ name: 'Urgent: pay', email: to }] });
    const [mail] = await mailsTo(server, to);
    expect(Object.values(mail ?? {}).join('\n')).not.toContain('Urgent');
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { levels, presets } from '@headrace/contract/permissions';
import type { AccountRow } from '../../db/schema.ts';
import { buildAccount, buildFarm } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import {
  buildAgent,
  buildOwner,
  callsOf,
  keyMailedTo,
  notesOf,
  type PersonCalls,
  refusal,
  type SharingWorld,
} from './testing/sharing-kit.ts';

const texts = {
  INVALID_KEY: 'Sorry, but this access key is invalid.',
  IS_SUBSCRIBER:
    "Sorry, but your account type doesn't support accepting account/farm sharing. Please, create an agent/contractor account to accept it.",
  ALREADY_USED: 'Sorry, but this access key has already been used.',
  ALREADY_SUBSCRIBED: 'Sorry, but you already subscribed to this farm/account.',
};

let server: TestServer;
let world: SharingWorld;
let agent: AccountRow;
let helping: PersonCalls;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  world = await buildOwner(server);
  agent = await buildAgent(server);
  helping = await callsOf(server, agent);
  server.clock.now = new Date(server.clock.now.getTime() + 120_000);
});

/** Invites the agent, or another address; the mailed key. */
async function invited(email = agent.email, more: object = {}): Promise<string> {
  expect((await world.calls.share([world.farm], email, more)).statusCode).toBe(200);
  return keyMailedTo(server, email);
}

describe('an invitation', () => {
  it('is shown to whoever has the mailed key, without an account', async () => {
    const endsAt = new Date(server.clock.now.getTime() + 86_400_000).toISOString();
    const key = await invited(agent.email, { endsAt });
    expect(await (await callsOf(server, null)).info(key)).toEqual({
      success: true,
      reason: null,
      name: world.farm.name,
      farmer: 'Olive Owner',
      icon: 'farm-blue',
      description: '',
      farmUID: world.farm.uid,
      isAccountShare: false,
      endsAt,
      permissions: presets.guest,
    });
  });

  it('is shown and accepted by the key of the list too, by the confirmed address alone', async () => {
    await invited();
    const [invite] = await helping.invites();
    const key = invite?.key ?? '';
    expect(await helping.info(key)).toMatchObject({ success: true });
    const stranger = await callsOf(server, await buildAgent(server));
    expect(await stranger.info(key)).toMatchObject({ success: false, reason: 'INVALID_KEY' });
    expect((await stranger.accept(key)).statusCode).toBe(404);
    expect((await helping.accept(key)).json()).toEqual({
      farmUID: world.farm.uid,
      permissions: presets.guest,
    });
    expect(await helping.mayRead(world.farm)).toBe(200);
  });

  it('is not in the list of an account whose address nobody has confirmed', async () => {
    await server.database.db
      .updateTable('account')
      .set({ email_confirmed_at: null })
      .where('id', '=', agent.id)
      .execute();
    const mailed = await invited();
    const [sent] = await world.calls.invites();
    expect(await helping.invites()).toEqual([]);
    expect((await helping.accept(sent?.key ?? '')).statusCode).toBe(404);
    // The mailed key proves the address.
    expect((await helping.accept(mailed)).statusCode).toBe(200);
    const account = await server.database.db
      .selectFrom('account')
      .select('email_confirmed_at')
      .where('id', '=', agent.id)
      .executeTakeFirstOrThrow();
    expect(account.email_confirmed_at).toEqual(server.clock.now);
  });

  it("accepted with another address's key proves nothing of one's own, and is said in the log", async () => {
    const key = await invited('office@example.com');
    await server.database.db
      .updateTable('account')
      .set({ email_confirmed_at: null })
      .where('id', '=', agent.id)
      .execute();
    expect((await helping.accept(key)).statusCode).toBe(200);
    const account = await server.database.db
      .selectFrom('account')
      .select('email_confirmed_at')
      .where('id', '=', agent.id)
      .executeTakeFirstOrThrow();
    expect(account.email_confirmed_at).toBeNull();
    expect((await world.calls.log())[0]).toMatchObject({
      what: 'accepted',
      by: 'Ann Agent',
      note: 'The invitation went to office@example.com.',
    });
  });

  it('tells the owner when it is accepted and when it is rejected', async () => {
    await helping.accept(await invited());
    const other = await buildAgent(server, 'Rex Rejects');
    await (await callsOf(server, other)).reject(await invited(other.email));
    expect(await notesOf(server, world.owner)).toEqual([
      `Ann Agent has accepted the invitation to the farm ${world.farm.name}.`,
      `Rex Rejects has rejected the invitation to the farm ${world.farm.name}.`,
    ]);
    expect((await world.calls.log()).map(({ what }) => what)).toEqual([
      'rejected',
      'invited',
      'accepted',
      'invited',
    ]);
    expect(await (await callsOf(server, other)).mayRead(world.farm)).toBe(204);
  });

  it('to the whole account opens every farm, also later ones', async () => {
    await world.calls.share([], agent.email, { template: 3 });
    const reply = await helping.accept(await keyMailedTo(server, agent.email));
    const permissions = { ...presets.agent, farms: levels.Read | levels.Account };
    expect(reply.json()).toEqual({ farmUID: null, permissions });
    const later = await buildFarm(server.database.db, world.owner.id);
    for (const farm of [world.farm, later]) expect(await helping.mayRead(farm)).toBe(200);
    expect((await helping.call('GET /permissions', { query: { key: later.uid } })).json()).toMatchObject({
      key: later.uid,
      template: 3,
      isAccountShare: true,
      permissions,
      farmName: later.name,
    });
  });
});

describe('an invitation is refused', () => {
  const refused = (reason: keyof typeof texts, status: number) => ({
    status,
    code: reason,
    errorMessage: texts[reason],
  });

  it('with a key that never was', async () => {
    expect(await helping.info('x'.repeat(43))).toMatchObject({
      success: false,
      reason: 'INVALID_KEY',
      name: '',
    });
    expect(refusal(await helping.accept('x'.repeat(43)))).toEqual(refused('INVALID_KEY', 404));
    expect(refusal(await helping.reject('x'.repeat(43)))).toEqual(refused('INVALID_KEY', 404));
  });

  it('after the owner took it back, and after its end', async () => {
    const key = await invited();
    await world.calls.revoke((await world.calls.invites())[0]?.key ?? '');
    expect(refusal(await helping.accept(key))).toEqual(refused('INVALID_KEY', 404));
    const endsAt = new Date(server.clock.now.getTime() + 60_000);
    const ending = await invited(agent.email, { endsAt });
    server.clock.now = endsAt;
    expect(refusal(await helping.accept(ending))).toEqual(refused('INVALID_KEY', 404));
  });

  it("with an owner's account", async () => {
    const key = await invited('somebody@example.com');
    const owning = await callsOf(server, await buildAccount(server.database.db));
    expect(await owning.info(key)).toMatchObject({ success: false, reason: 'IS_SUBSCRIBER' });
    expect(refusal(await owning.accept(key))).toEqual(refused('IS_SUBSCRIBER', 403));
    expect(refusal(await world.calls.accept(key))).toEqual(refused('IS_SUBSCRIBER', 403));
  });

  it('a second time, by whoever comes', async () => {
    const key = await invited();
    await helping.accept(key);
    const other = await callsOf(server, await buildAgent(server));
    expect(refusal(await helping.accept(key))).toEqual(refused('ALREADY_USED', 409));
    expect(refusal(await other.accept(key))).toEqual(refused('ALREADY_USED', 409));
    expect(refusal(await other.reject(key))).toEqual(refused('ALREADY_USED', 409));
    expect(await (await callsOf(server, null)).info(key)).toMatchObject({ reason: 'ALREADY_USED' });
  });

  it('to somebody who has the farm already', async () => {
    await helping.accept(await invited());
    const key = await invited('second@example.com');
    expect(await helping.info(key)).toMatchObject({ reason: 'ALREADY_SUBSCRIBED' });
    expect(refusal(await helping.accept(key))).toEqual(refused('ALREADY_SUBSCRIBED', 409));
  });
});

describe('at the same time', () => {
  const statuses = (replies: { statusCode: number }[]) =>
    replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);

  it('one key accepted by two agents gives one of them access', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = await invited(`shared${round}-${agent.email}`);
      const others = await Promise.all([buildAgent(server), buildAgent(server)]);
      const calls = await Promise.all(others.map((other) => callsOf(server, other)));
      expect(statuses(await Promise.all(calls.map((one) => one.accept(key))))).toEqual([200, 409]);
      const reads = await Promise.all(calls.map((one) => one.mayRead(world.farm)));
      expect(reads.toSorted((a, b) => a - b)).toEqual([200, 204]);
    }
  });

  it('two invitations to one farm accepted by one agent give one share', async () => {
    const keys = [await invited('one@example.com'), await invited('two@example.com')];
    expect(statuses(await Promise.all(keys.map((key) => helping.accept(key))))).toEqual([200, 409]);
    expect((await helping.invites()).filter(({ accepted }) => accepted)).toHaveLength(1);
  });

  it('revoked and accepted, it ends without access', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = await invited(`gone${round}@example.com`);
      const sent = (await world.calls.invites()).find(({ email }) => email === `gone${round}@example.com`);
      const [accepted, revoked] = await Promise.all([
        helping.accept(key),
        world.calls.revoke(sent?.key ?? ''),
      ]);
      expect([200, 404]).toContain(accepted.statusCode);
      expect(revoked.statusCode).toBe(200);
      expect(await helping.mayRead(world.farm)).toBe(204);
      expect(await world.calls.invites()).toEqual([]);
    }
  });
});

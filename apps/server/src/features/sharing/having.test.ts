import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import type { ServerFrame } from '@headrace/contract/live';
import { levels, presets } from '@headrace/contract/permissions';
import type { AccountRow } from '../../db/schema.ts';
import { buildAccountShare, buildFarm, buildShare } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import {
  buildAgent,
  buildOwner,
  callsOf,
  keyMailedTo,
  mailsTo,
  notesOf,
  type PersonCalls,
  refusal,
  type SharingWorld,
} from './testing/sharing-kit.ts';

let server: TestServer;
let world: SharingWorld;
let agent: AccountRow;
let helping: PersonCalls;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
  await server.http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());
beforeEach(async () => {
  world = await buildOwner(server);
  agent = await buildAgent(server);
  helping = await callsOf(server, agent);
  server.clock.now = new Date(server.clock.now.getTime() + 600_000);
});

const later = (ms: number) => new Date(server.clock.now.getTime() + ms);
const ownRights = async (farmUid = world.farm.uid) =>
  (await helping.call('GET /permissions', { query: { key: farmUid } })).json<object>();

/** An agent's open page: the newest `permissions` that it was told. */
async function openPage(account: AccountRow) {
  const { port } = server.http.server.address() as AddressInfo;
  const token = (await server.signIn(account))['authorization'] ?? '';
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/live`, token);
  const told: ServerFrame[] = [];
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as ServerFrame;
    if (frame.type === 'permissions') told.push(frame);
  });
  await once(socket, 'open');
  await expect.poll(() => told.length).toBe(1);
  return { socket, farms: () => told.at(-1)?.data, count: () => told.length };
}

describe('what a share allows', () => {
  it('is changed by its owner: it holds at once, and the page, the mail, the bell and the log say so', async () => {
    const { uid } = await buildShare(server.database.db, world.farm.id, agent.id, presets.farmManager);
    const page = await openPage(agent);
    const reply = await world.calls.call('PUT /permissions', {
      body: { key: uid, template: 4, permissions: {}, endsAt: later(86_400_000).toISOString() },
    });
    expect(reply.json()).toMatchObject({
      key: uid,
      template: 4,
      permissions: presets.guest,
      name: 'Ann Agent',
    });
    expect(await ownRights()).toMatchObject({
      permissions: presets.guest,
      endsAt: later(86_400_000).toISOString(),
    });
    await expect.poll(page.farms).toEqual([{ farmUID: world.farm.uid, ...presets.guest }]);
    page.socket.terminate();
    const farm = await helping.call('DELETE /farm', { query: { farmId: world.farm.uid } });
    expect(refusal(farm)).toMatchObject({
      status: 403,
      errorMessage: "Sorry, you don't have permissions to access this page for the current farm.",
    });
    expect((await mailsTo(server, agent.email)).map(({ subject }) => subject)).toEqual([
      `Your access to the farm ${world.farm.name} was changed`,
    ]);
    expect(await notesOf(server, agent)).toEqual([
      `Olive Owner changed what you may do on the farm ${world.farm.name}. It is now: Guest.`,
    ]);
    expect((await world.calls.log())[0]).toMatchObject({
      what: 'changed',
      whom: 'Ann Agent',
      note: `from Custom rights to Guest; ends ${later(86_400_000).toISOString()}`,
    });
  });

  it('is changed by nobody else, and not to an end that has passed', async () => {
    const { uid } = await buildShare(server.database.db, world.farm.id, agent.id);
    const body = { key: uid, template: 2, permissions: {} };
    expect((await (await buildOwner(server)).calls.call('PUT /permissions', { body })).statusCode).toBe(404);
    expect((await helping.call('PUT /permissions', { body })).statusCode).toBe(403);
    const endsAt = server.clock.now.toISOString();
    const past = await world.calls.call('PUT /permissions', { body: { ...body, endsAt } });
    expect(refusal(past)).toMatchObject({ status: 400, field: 'endsAt' });
    expect(await ownRights()).toMatchObject({ permissions: presets.guest });
  });

  it('on one farm goes before what the whole account allows, until it ends', async () => {
    const { db } = server.database;
    const endsAt = later(60_000);
    await buildAccountShare(db, world.owner.id, agent.id, presets.farmManager);
    await buildShare(db, world.farm.id, agent.id, presets.guest, endsAt);
    const other = await buildFarm(db, world.owner.id);
    const whole = { ...presets.farmManager, farms: levels.All | levels.Account };
    expect(await ownRights()).toMatchObject({ permissions: presets.guest });
    expect(await ownRights(other.uid)).toMatchObject({ permissions: whole });
    server.clock.now = endsAt;
    expect(await ownRights()).toMatchObject({ permissions: whole });
  });

  it('that was given before a right existed gives all but that right, and none that is gone', async () => {
    const { pois: _, sendRelayValues: __, ...known } = presets.farmManager;
    const { id, uid } = await buildShare(server.database.db, world.farm.id, agent.id);
    await server.database.db
      .updateTable('share')
      .set({ permissions: JSON.stringify({ ...known, fertigation: true }) })
      .where('id', '=', id)
      .execute();
    const page = await openPage(agent);
    const expected = { ...presets.farmManager, pois: levels.None, sendRelayValues: false };
    const list = await helping.call('GET /permissions-list');
    expect([list.statusCode, list.json()]).toEqual([
      200,
      { permissions: [{ farmUID: world.farm.uid, ...expected }] },
    ]);
    expect(page.farms()).toEqual([{ farmUID: world.farm.uid, ...expected }]);
    expect(await ownRights()).toMatchObject({ permissions: expected });
    const shown = await world.calls.call('GET /permissions', { query: { key: uid } });
    expect(shown.json()).toMatchObject({ permissions: expected });
    page.socket.close();
  });

  it('is written down as used, every five minutes at most', async () => {
    const { uid } = await buildShare(server.database.db, world.farm.id, agent.id);
    const lastUsed = async () => (await world.calls.invites()).find(({ key }) => key === uid)?.lastUsedAt;
    const first = server.clock.now.toISOString();
    await helping.mayRead(world.farm);
    await expect.poll(lastUsed).toBe(first);
    server.clock.now = later(5 * 60_000 - 1);
    await helping.mayRead(world.farm);
    server.clock.now = later(1);
    await helping.mayRead(world.farm);
    await expect.poll(lastUsed).toBe(server.clock.now.toISOString());
  });
});

describe('a share ends', () => {
  it.each(['POST /revoke-invite', 'DELETE /permissions'])(
    'by its owner (%s): the farm is gone for the agent, who is told',
    async (key) => {
      const { uid } = await buildShare(server.database.db, world.farm.id, agent.id);
      const page = await openPage(agent);
      const parts = key.startsWith('POST') ? { body: { key: uid } } : { query: { key: uid } };
      expect((await world.calls.call(key, parts)).json()).toEqual({ success: true });
      expect(await helping.mayRead(world.farm)).toBe(204);
      await expect.poll(page.farms).toEqual([]);
      page.socket.terminate();
      expect((await mailsTo(server, agent.email)).map(({ subject }) => subject)).toEqual([
        `Your access to the farm ${world.farm.name} has ended`,
      ]);
      expect((await world.calls.log())[0]).toMatchObject({
        what: 'revoked',
        by: 'Olive Owner',
        whom: 'Ann Agent',
      });
      expect((await world.calls.call(key, parts)).statusCode).toBe(404);
    },
  );

  it('by the agent who gives it up: the owner is told', async () => {
    const { uid } = await buildShare(server.database.db, world.farm.id, agent.id);
    expect((await helping.revoke(uid)).statusCode).toBe(200);
    expect(await helping.mayRead(world.farm)).toBe(204);
    expect(await notesOf(server, world.owner)).toEqual([
      `Ann Agent has given up the farm ${world.farm.name}.`,
    ]);
    expect((await world.calls.log())[0]).toMatchObject({ what: 'given up', by: 'Ann Agent' });
  });

  it('by nobody else', async () => {
    const { uid } = await buildShare(server.database.db, world.farm.id, agent.id);
    const stranger = await callsOf(server, await buildAgent(server));
    expect((await stranger.revoke(uid)).statusCode).toBe(404);
    expect((await (await buildOwner(server)).calls.revoke(uid)).statusCode).toBe(404);
    expect(await helping.mayRead(world.farm)).toBe(200);
  });

  it('by itself: both sides and the log are told once, whatever often it is looked for', async () => {
    const endsAt = later(60_000);
    await buildShare(server.database.db, world.farm.id, agent.id, presets.guest, endsAt);
    await server.runJob('ended shares');
    expect(await world.calls.log()).toEqual([]);
    server.clock.now = endsAt;
    const page = await openPage(agent);
    await Promise.all([server.runJob('ended shares'), server.runJob('ended shares')]);
    await expect.poll(page.count).toBe(2);
    page.socket.terminate();
    expect(await world.calls.log()).toMatchObject([
      { what: 'ended by itself', by: 'Headrace', whom: 'Ann Agent' },
    ]);
    expect(await notesOf(server, agent)).toHaveLength(1);
    expect(await notesOf(server, world.owner)).toHaveLength(1);
  });

  it('and goes on when its owner sets a later end', async () => {
    const endsAt = later(60_000);
    const { uid } = await buildShare(server.database.db, world.farm.id, agent.id, presets.guest, endsAt);
    server.clock.now = endsAt;
    await server.runJob('ended shares');
    await world.calls.call('PUT /permissions', {
      body: { key: uid, template: 4, permissions: {}, endsAt: null },
    });
    expect(await helping.mayRead(world.farm)).toBe(200);
  });
});

describe('the list', () => {
  it('has accepted, then rejected, then pending shares, each by name or address; an agent sees its own', async () => {
    const people = await Promise.all(
      ['Zoe', 'adam', 'Mia', 'Ben'].map((name) => buildAgent(server, `${name} Helper`)),
    );
    for (const person of people) await world.calls.share([world.farm], person.email);
    await world.calls.share([world.farm], `aaa-${agent.email}`);
    for (const [index, person] of people.entries()) {
      const calls = await callsOf(server, person);
      const key = await keyMailedTo(server, person.email);
      if (index < 2) await calls.accept(key);
      else if (index === 2) await calls.reject(key);
    }
    const shown = (await world.calls.invites()).map(({ agentName, email, accepted, rejected }) => [
      agentName || email,
      accepted,
      rejected,
    ]);
    expect(shown).toEqual([
      ['adam Helper', true, false],
      ['Zoe Helper', true, false],
      ['Mia Helper', false, true],
      [`aaa-${agent.email}`, false, false],
      ['Ben Helper', false, false],
    ]);
    const zoe = people[0];
    const own = zoe ? await (await callsOf(server, zoe)).invites() : [];
    expect(own).toMatchObject([{ farmerName: 'Olive Owner', farmName: world.farm.name, accepted: true }]);
  });
});

it('the log is read by its owner alone, page by page', async () => {
  for (const who of ['aa', 'bb', 'cc']) await world.calls.share([world.farm], `${who}-${agent.email}`);
  const page = async (query: Record<string, string>) =>
    (await world.calls.call('GET /access-log', { query })).json<{
      events: { id: string }[];
      isLast: boolean;
    }>();
  const first = await page({ limit: '2' });
  expect([first.events.length, first.isLast]).toEqual([2, false]);
  const rest = await page({ limit: '2', before: first.events[1]?.id ?? '' });
  expect([rest.events.length, rest.isLast]).toEqual([1, true]);
  expect(await (await buildOwner(server)).calls.log()).toEqual([]);
  expect((await helping.call('GET /access-log')).statusCode).toBe(403);
});

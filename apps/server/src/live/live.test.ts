import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import type { ServerFrame, StatusUpdate } from '@headrace/contract/live';
import { presets } from '@headrace/contract/permissions';
import type { AccountRow, FarmRow } from '../db/schema.ts';
import { buildAccount, buildFarm, buildShare } from '../testing/factories.ts';
import { createTestServer, type TestServer } from '../testing/test-server.ts';
import { createLocalBus, type LiveListener, type News } from './live-bus.ts';
import { createLivePublisher } from './live-publisher.ts';
import { statusEvent } from './status-event.ts';

let server: TestServer;
let owner: AccountRow;
let farm: FarmRow;
let sockets: WebSocket[] = [];

beforeAll(async () => {
  server = await createTestServer();
  await server.http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await buildAccount(server.database.db);
  farm = await buildFarm(server.database.db, owner.id);
});
afterEach(() => {
  for (const socket of sockets) socket.terminate();
  sockets = [];
});

async function connect(
  token: string,
  to = server,
): Promise<{ socket: WebSocket; frames: ServerFrame[]; next(count: number): Promise<ServerFrame[]> }> {
  const { port } = to.http.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/live`, token);
  sockets.push(socket);
  const frames: ServerFrame[] = [];
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as ServerFrame));
  await once(socket, 'open');
  const next = async (count: number) => {
    while (frames.length < count) await once(socket, 'message');
    return frames;
  };
  return { socket, frames, next };
}

const tokenOf = async (account: AccountRow) => (await server.signIn(account))['authorization'] ?? '';
const tankUpdate = (of: FarmRow, type: StatusUpdate['type'] = 'tank_level') =>
  statusEvent(of.id, {
    type,
    farmUID: of.uid,
    uid: 'a'.repeat(24),
    serialNumber: 'T1',
    updatedAt: '2026-11-20T21:00:00.000Z',
  });

describe('a share with an end', () => {
  it('is told of nothing from its end on, before anybody wrote down that it ended', async () => {
    const agent = await buildAccount(server.database.db, { type: 'AGENT' });
    const endsAt = new Date(server.clock.now.getTime() + 60_000);
    await buildShare(server.database.db, farm.id, agent.id, presets.guest, endsAt);
    const [theirs, ours] = [await connect(await tokenOf(agent)), await connect(await tokenOf(owner))];
    await Promise.all([theirs.next(5), ours.next(5)]);
    const before = theirs.frames.length;
    server.live.publish([tankUpdate(farm)]);
    await theirs.next(before + 1);
    const start = server.clock.now;
    server.clock.now = endsAt;
    const oursBefore = ours.frames.length;
    server.live.publish([tankUpdate(farm)]);
    await ours.next(oursBefore + 1);
    server.clock.now = start;
    // Had it been sent, it would have come before this.
    server.live.publish([tankUpdate(farm, 'soil_moisture')]);
    await theirs.next(before + 2);
    expect(theirs.frames.slice(before).map((frame) => (frame.data as { type?: string }).type)).toEqual([
      'tank_level',
      'soil_moisture',
    ]);
  });
});

describe('a live connection', () => {
  it('opens with settings, default settings, permissions, the version and notifications', async () => {
    const { next } = await connect(await tokenOf(owner));
    const frames = await next(5);
    expect(frames.map((frame) => frame.type)).toEqual([
      'settings',
      'default_settings',
      'permissions',
      'app_version',
      'notifications',
    ]);
    expect(frames[2]?.data).toMatchObject([{ farmUID: farm.uid, sensors: 15, dashboard: true }]);
    expect(frames[3]?.data).toEqual({ version: '1.6.0' });
  });

  it('answers whether it is still there, on both paths', async () => {
    const { socket, next, frames } = await connect(await tokenOf(owner));
    await next(5);
    socket.send(JSON.stringify({ type: 'ping', data: {} }));
    await next(6);
    expect(frames[5]).toEqual({ type: 'pong', data: {} });
  });

  it('is closed with 4401 when the token is refused, after the upgrade was accepted', async () => {
    const { socket } = await connect('made-up-token');
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(4401);
  });

  it('is refused to who has to choose a password first', async () => {
    const values = { must_change_password: true };
    await server.database.db.updateTable('account').set(values).where('id', '=', owner.id).execute();
    const { socket, frames } = await connect(await tokenOf(owner));
    expect((await once(socket, 'close'))[0]).toBe(4401);
    expect(frames).toEqual([]);
  });

  it('is one of a hundred of its session at most; another browser of the account may come', async () => {
    const token = await tokenOf(owner);
    await Promise.all(Array.from({ length: 100 }, () => connect(token)));
    await expect.poll(() => server.hub.count()).toBe(100);
    const { socket } = await connect(token);
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
    expect([code, reason.toString()]).toEqual([1013, 'Too many pages are open: close some.']);
    const elsewhere = await connect(await tokenOf(owner));
    expect((await elsewhere.next(1))[0]).toMatchObject({ type: 'settings' });
  });

  it("hears of the account's farms and of nobody else's", async () => {
    const other = await buildFarm(server.database.db, (await buildAccount(server.database.db)).id);
    const { next } = await connect(await tokenOf(owner));
    await next(5);
    server.live.publish([tankUpdate(other), tankUpdate(farm)]);
    const frames = await next(6);
    expect(frames[5]).toEqual(tankUpdate(farm).frame);
  });

  it('hears nothing of a kind of device that the share does not let it read', async () => {
    const agent = await buildAccount(server.database.db, { type: 'AGENT' });
    await buildShare(server.database.db, farm.id, agent.id, { ...presets.none, repeaters: 1 });
    const { next } = await connect(await tokenOf(agent));
    await next(5);
    server.live.publish([tankUpdate(farm), tankUpdate(farm, 'repeater')]);
    const frames = await next(6);
    expect(frames[5]?.data).toMatchObject({ type: 'repeater' });
  });

  it('hears nothing more once its rights were taken back', async () => {
    const agent = await buildAccount(server.database.db, { type: 'AGENT' });
    await buildShare(server.database.db, farm.id, agent.id, presets.guest);
    const { next, frames } = await connect(await tokenOf(agent));
    await next(5);
    await server.database.db.deleteFrom('share').where('agent_id', '=', agent.id).execute();
    await server.live.accessChanged(agent.id);
    server.live.publish([tankUpdate(farm)]);
    server.live.toAccount(agent.id, { type: 'app_version', data: { version: 'marker' } });
    await next(6);
    expect(frames[5]?.data).toEqual({ version: 'marker' });
  });

  it('closes at once when its session signs out', async () => {
    const token = await tokenOf(owner);
    const { socket, next } = await connect(token);
    await next(5);
    const closed = once(socket, 'close');
    await server.call('POST /account/logout', { headers: { authorization: token } });
    expect((await closed)[0]).toBe(4401);
  });

  it("brings settings stored elsewhere to the account's other browsers, not back to the sender", async () => {
    const sender = await tokenOf(owner);
    const here = await connect(sender);
    const there = await connect(await tokenOf(owner));
    await here.next(5);
    await there.next(5);
    await server.call('PUT /settings', {
      headers: { authorization: sender },
      body: { data: { currFarm: farm.uid }, version: 6 },
    });
    expect((await there.next(6))[5]).toEqual({
      type: 'settings',
      data: { data: { currFarm: farm.uid }, version: 6 },
    });
    expect(here.frames).toHaveLength(5);
  });
});

describe('what another server says', () => {
  const told: News[] = [];
  let other: LiveListener;
  let here: TestServer;
  beforeAll(async () => {
    const bus = {
      ...createLocalBus(),
      tell: (news: News) => void told.push(news),
      listen: (listener: LiveListener) => void (other = listener),
    };
    here = await createTestServer({ live: createLivePublisher(bus) });
    await here.http.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => here.close());

  /** A connection of an account of this server's database, past its opening frames. */
  async function openHere(account: AccountRow) {
    const token = (await here.signIn(account))['authorization'] ?? '';
    const connection = await connect(token, here);
    await connection.next(5);
    return connection;
  }

  it('reaches the account it is for, but not the session that it came from', async () => {
    const account = await buildAccount(here.database.db);
    const connection = await openHere(account);
    const frame = (version: string): ServerFrame => ({ type: 'app_version', data: { version } });
    const { token_hash: hash } = await here.database.db
      .selectFrom('session')
      .select('token_hash')
      .where('account_id', '=', account.id)
      .executeTakeFirstOrThrow();
    const except = hash.toString('hex');
    void other.onNews({ kind: 'account', accountId: account.id, frame: frame('own'), except });
    void other.onNews({ kind: 'account', accountId: account.id + 1, frame: frame('stranger') });
    void other.onNews({ kind: 'account', accountId: account.id, frame: frame('theirs') });
    expect((await connection.next(6))[5]).toEqual(frame('theirs'));
  });

  it('changes rights here too: what is no longer allowed is not heard any more', async () => {
    const { db } = here.database;
    const [farmOwner, agent] = [await buildAccount(db), await buildAccount(db, { type: 'AGENT' })];
    const shared = await buildFarm(db, farmOwner.id);
    await buildShare(db, shared.id, agent.id, presets.guest);
    const connection = await openHere(agent);
    void other.onNews({ kind: 'farm', event: tankUpdate(shared) });
    expect((await connection.next(6))[5]).toEqual(tankUpdate(shared).frame);
    await db.deleteFrom('share').where('agent_id', '=', agent.id).execute();
    void other.onNews({ kind: 'access-changed', accountId: agent.id });
    void other.onNews({ kind: 'farm', event: tankUpdate(shared) });
    const marker = { type: 'app_version', data: { version: 'marker' } } as const;
    void other.onNews({ kind: 'account', accountId: agent.id, frame: marker });
    expect((await connection.next(7))[6]).toEqual(marker);
  });

  it('may have been missed: browsers are asked to connect again', async () => {
    const connection = await openHere(await buildAccount(here.database.db));
    const closed = once(connection.socket, 'close');
    other.onGap();
    expect((await closed)[0]).toBe(1012);
  });

  it('is told by this one in turn', async () => {
    told.length = 0;
    const hash = Buffer.alloc(32, 0xab);
    here.live.publish([tankUpdate(farm)]);
    here.live.toAccount(7, { type: 'app_version', data: { version: '9' } }, hash);
    here.live.endSession(hash);
    await here.live.accessChanged(7);
    expect(told).toEqual([
      { kind: 'farm', event: tankUpdate(farm) },
      {
        kind: 'account',
        accountId: 7,
        frame: { type: 'app_version', data: { version: '9' } },
        except: 'ab'.repeat(32),
      },
      { kind: 'session-ended', tokenHash: 'ab'.repeat(32) },
      { kind: 'access-changed', accountId: 7 },
    ]);
  });
});

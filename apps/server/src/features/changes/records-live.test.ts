import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import type { RecordKind, ServerFrame } from '@headrace/contract/live';
import { levels, presets } from '@headrace/contract/permissions';
import type { AccountRow, DeviceRow, FarmRow } from '../../db/schema.ts';
import { listenToDatabase } from '../../live/database-news.ts';
import { newMac } from '../../testing/device-kit.ts';
import { buildAccount, buildDevice, buildFarm, buildShare } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
/** Another server on the same database. */
let second: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
  const { db, pool, url } = server.database;
  second = await createTestServer({ db, pool });
  for (const each of [server, second]) {
    await each.http.listen({ port: 0, host: '127.0.0.1' });
    const news = listenToDatabase(url, each.hub.listener, { warn() {} });
    stops.push(news.stop);
    await news.listening;
  }
});
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  world = await buildFarmWorld(server);
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await second.close();
  await server.close();
});

/** An open page that looks at a farm; `page` is the id that it gives. */
async function look(account: AccountRow, at: FarmRow | null = world.farm, page = 'other', on = server) {
  const { port } = on.http.server.address() as AddressInfo;
  const token = (await server.signIn(account))['authorization'] ?? '';
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/live`, token);
  onTestFinished(() => socket.terminate());
  const frames: ServerFrame[] = [];
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as ServerFrame));
  await once(socket, 'open');
  const say = (frame: object) => socket.send(JSON.stringify(frame));
  if (at) say({ type: 'watch', data: { farmUID: at.uid, sprinklers: false } });
  say({ type: 'client_id', data: { clientId: page } });
  await expect.poll(() => frames.some(({ type }) => type === 'notifications')).toBe(true);
  return {
    told: () => frames.flatMap((frame) => (frame.type === 'records_update' ? [frame.data] : [])),
    frames,
    account,
  };
}
type Page = Awaited<ReturnType<typeof look>>;

/** What is told of after `act`, by kind, in order. Whoever else is told is told in the same moment. */
async function newsAfter(page: Page, act: () => Promise<unknown>): Promise<RecordKind[]> {
  const before = page.told().length;
  await act();
  await expect.poll(() => page.told().length).toBeGreaterThan(before);
  return page
    .told()
    .slice(before)
    .flatMap(({ kinds }) => kinds)
    .toSorted();
}
/** When all that was told before has arrived. */
async function settled(...pages: Page[]): Promise<void> {
  const marker: ServerFrame = { type: 'app_version', data: { version: 'marker' } };
  for (const { account } of pages) server.live.toAccount(account.id, marker);
  for (const { frames } of pages) await expect.poll(() => frames.at(-1)).toEqual(marker);
}

const send = async (
  key: string,
  options: { body?: object; query?: Record<string, string>; page?: string },
) => {
  const { page, ...rest } = options;
  const headers = { ...world.headers, ...(page && { clientid: page }) };
  const reply = await server.call(key, { headers, ...rest });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<{ id: string }>();
};
const entry = (values: object = {}) => ({ name: 'A1', serialNumber: 'S1', macAddress: newMac(), ...values });
const add = () => send('POST /ipc', { body: { farmUID: world.farm.uid, ...entry() } });
const sprinkler = (name = 'A1') => buildSprinkler(server.database.db, world.farm.id, { name });
const rename = ({ uid, mac, serial_number: serialNumber }: DeviceRow, values: object = {}, page?: string) =>
  send('PUT /ipc', {
    body: { id: uid, name: 'B1', serialNumber, macAddress: mac, ...values },
    ...(page && { page }),
  });

const edits: [string, (unit: DeviceRow) => Promise<unknown>, RecordKind[]][] = [
  ['a sprinkler that is added', () => add(), ['sprinkler']],
  ['one that is renamed', (unit) => rename(unit), ['sprinkler']],
  ['one that is moved', (unit) => rename(unit, { name: unit.name, lat: -43.8, lng: 171.8 }), ['sprinkler']],
  ['one that is deleted', ({ uid }) => send('DELETE /ipc', { query: { deviceId: uid } }), ['sprinkler']],
  [
    'several edited at once',
    async ({ uid }) => {
      const deviceIds = [uid, (await sprinkler('A2')).uid];
      const body = { farmUID: world.farm.uid, deviceIds, changes: { channel: 4 } };
      await send('POST /ipc/bulk-edit', { body });
    },
    ['sprinkler'],
  ],
  [
    'one that is converted',
    ({ uid }) => send('PUT /placeholder/convert-to-poi', { body: { deviceId: uid } }),
    ['poi', 'sprinkler'],
  ],
  [
    'who is in a group',
    async ({ uid }) => {
      const groupId = await buildGroup(server.database.db, world.farm.id, 'South', []);
      await send('PUT /group/devices/add', { body: { groupId, ipcs: [uid] } });
    },
    ['group'],
  ],
  ['a new group', () => send('POST /group', { body: { farmUID: world.farm.uid, name: 'North' } }), ['group']],
  [
    'a repeater that is deleted',
    async () => {
      const { uid: deviceId } = await buildDevice(server.database.db, world.farm.id, 'repeater');
      await send('DELETE /repeater', { query: { deviceId } });
    },
    ['repeater'],
  ],
  [
    "the farm's clock",
    () => send('PUT /farm-timezone', { body: { farmUID: world.farm.uid, dstEnabled: false } }),
    ['farm'],
  ],
];
it.each(edits)('who watches the farm hears of %s', async (_what, act, kinds) => {
  const [page, unit] = [await look(world.owner), await sprinkler()];
  expect(await newsAfter(page, () => act(unit))).toEqual(kinds);
  expect(page.told()).toHaveLength(1);
  expect(page.told()[0]?.farmUID).toBe(world.farm.uid);
});

it('a hundred that are changed at once are one piece of news', async () => {
  const units = await Promise.all(Array.from({ length: 100 }, (_, n) => sprinkler(`A${n}`)));
  const page = await look(world.owner);
  const body = { farmUID: world.farm.uid, deviceIds: units.map(({ uid }) => uid), changes: { channel: 4 } };
  await newsAfter(page, () => send('POST /ipc/bulk-edit', { body }));
  await newsAfter(page, () => send('POST /group', { body: { farmUID: world.farm.uid, name: 'North' } }));
  expect(page.told().map(({ kinds }) => kinds)).toEqual([['sprinkler'], ['group']]);
});

it('whoever watches another farm or none, or may not see such records, hears nothing', async () => {
  const { db } = server.database;
  const agents = await Promise.all([1, 2].map(() => buildAccount(db, { type: 'AGENT' })));
  const [sensors, guest] = agents as [AccountRow, AccountRow];
  await buildShare(db, world.farm.id, sensors.id, { ...presets.none, sensors: levels.Read });
  await buildShare(db, world.farm.id, guest.id, presets.guest);
  const deaf = [
    await look(world.owner, await buildFarm(db, world.owner.id)),
    await look(world.owner, null),
    await look(await buildAccount(db)),
    await look(sensors),
  ];
  const page = await look(guest);
  const unit = await sprinkler();
  expect(await newsAfter(page, () => rename(unit))).toEqual(['sprinkler']);
  await settled(...deaf);
  expect(deaf.map(({ told }) => told())).toEqual([[], [], [], []]);
});

it('the page that did it hears nothing of it, another of the same person does, and so does it of what others did meanwhile', async () => {
  const unit = await sprinkler();
  const [own, other] = [await look(world.owner, world.farm, 'own'), await look(world.owner)];
  await newsAfter(other, () => rename(unit, {}, 'own'));
  await settled(own);
  expect(own.told()).toEqual([]);
  await newsAfter(own, async () => {
    await rename(unit, { name: 'A2' }, 'own');
    await rename(unit, { name: 'A3' }, 'another');
  });
  expect(own.told()).toEqual([{ farmUID: world.farm.uid, kinds: ['sprinkler'] }]);
});

it('nothing is told of a change that was refused', async () => {
  const [unit, taken] = [await sprinkler(), await sprinkler('A2')];
  const page = await look(world.owner);
  const refused = await server.call('PUT /ipc', {
    headers: world.headers,
    body: { id: unit.uid, name: 'A3', serialNumber: 'S', macAddress: taken.mac },
  });
  expect(refused.statusCode).toBe(409);
  expect(
    await newsAfter(page, () => send('POST /group', { body: { farmUID: world.farm.uid, name: 'N' } })),
  ).toEqual(['group']);
});

it('whose rights are taken away hears nothing more', async () => {
  const { db } = server.database;
  const agent = await buildAccount(db, { type: 'AGENT' });
  await buildShare(db, world.farm.id, agent.id, presets.guest);
  const [page, guest] = [await look(world.owner), await look(agent)];
  const unit = await sprinkler();
  // The server hears of it right after the change: a busy machine might tell what it gathers before a statement is through.
  await db.deleteFrom('share').where('agent_id', '=', agent.id).execute();
  await newsAfter(page, async () => {
    await rename(unit);
    await server.live.accessChanged(agent.id);
  });
  await settled(guest);
  expect(guest.told()).toEqual([]);
});

it('another server on the same database tells its pages too', async () => {
  const there = await look(world.owner, world.farm, 'other', second);
  const unit = await sprinkler();
  expect(await newsAfter(there, () => rename(unit))).toEqual(['sprinkler']);
});

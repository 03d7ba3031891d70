import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { commandTypes } from '@headrace/contract/command-types';
import type { Command } from '@headrace/contract/commands';
import type { GroupInfo, IpcStatus } from '@headrace/contract/groups';
import type { ServerFrame } from '@headrace/contract/live';
import type { UnitRow } from '@headrace/contract/map-units';
import { presets } from '@headrace/contract/permissions';
import { fromUnitRow } from '@headrace/contract/rules/unit-rows';
import type { AccountRow, DeviceRow, FarmRow } from '../../db/schema.ts';
import { createLocalBus, type LiveListener } from '../../live/live-bus.ts';
import { createLivePublisher } from '../../live/live-publisher.ts';
import { neededForSprinklers, statusEvent } from '../../live/status-event.ts';
import {
  buildAccount,
  buildFarm,
  buildGateway,
  buildQueuedCommand,
  buildShare,
} from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildSprinkler, buildWanted } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
/** This server, as it hears of others. */
let here: LiveListener;
beforeAll(async () => {
  const bus = { ...createLocalBus(), listen: (listener: LiveListener) => void (here = listener) };
  server = await createTestServer({ requestsPerMinute: 100_000, live: createLivePublisher(bus) });
  await server.http.listen({ port: 0, host: '127.0.0.1' });
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

/** A page of the account that is through with its opening, and looks at a farm. */
async function look(account: AccountRow, at: FarmRow | null, path = 'live', shows: object = {}) {
  const { port } = server.http.server.address() as AddressInfo;
  const token = (await server.signIn(account))['authorization'] ?? '';
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/${path}`, token);
  onTestFinished(() => socket.terminate());
  const frames: ServerFrame[] = [];
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as ServerFrame));
  await once(socket, 'open');
  const say = (frame: object) => socket.send(JSON.stringify(frame));
  if (at) say({ type: 'watch', data: { farmUID: at.uid, ...shows } });
  say({ type: 'client_id', data: { clientId: 'test' } });
  await expect.poll(() => frames.some(({ type }) => type === 'notifications')).toBe(true);
  const sprinklers = () =>
    frames.flatMap((frame) => (frame.type === 'ipc_status_update' ? [frame.data] : []));
  const pongs = () => frames.filter(({ type }) => type === 'pong').length;
  /** Resolves when the server has heard it. */
  const watch = async (data: object) => {
    const before = pongs();
    say({ type: 'watch', data });
    say({ type: 'ping', data: {} });
    await expect.poll(pongs).toBe(before + 1);
  };
  const batches = () => frames.flatMap((frame) => (frame.type === 'ipc_status_batch' ? [frame.data] : []));
  const counts = () => frames.flatMap((frame) => (frame.type === 'ipc_counts' ? [frame.data] : []));
  return { watch, frames, sprinklers, batches, counts };
}
/** A page that shows how many are how, and not the sprinklers. */
const lookAtCounts = (account: AccountRow, at: FarmRow) => look(account, at, 'live', { sprinklers: false });

const event = (unit: DeviceRow) =>
  statusEvent(world.farm.id, {
    type: 'ipc',
    farmUID: world.farm.uid,
    uid: unit.uid,
    serialNumber: unit.serial_number,
    updatedAt: '2026-11-20T20:00:00.000Z',
  });
const sprinkler = (name: string) => buildSprinkler(server.database.db, world.farm.id, { name });

const store = (unit: DeviceRow, charge: number, at = '2026-11-20T20:00:00Z') =>
  world.record(unit, [{ at, values: { charge, clock: 0, cycleDay: 1, cycleLen: 1 } }]);

/** The unit's report is stored and told. */
async function report(...stored: Parameters<typeof store>): Promise<void> {
  await store(...stored);
  server.live.publish([event(stored[0])]);
}

async function shown(unit: DeviceRow): Promise<IpcStatus | undefined> {
  const reply = await world.get('GET /group/info', { farmUID: world.farm.uid, name: 'FARM' });
  return reply.json<GroupInfo>().ipcs.find(({ id }) => id === unit.uid);
}

it('who watches the farm is told how a sprinkler is after its report, as GET /group/info says it, and of no other', async () => {
  const [a1] = [await sprinkler('A1'), await sprinkler('A2')];
  const page = await look(world.owner, world.farm);
  await report(a1, 12);
  await expect.poll(page.sprinklers).toEqual([{ farmUID: world.farm.uid, ipc: await shown(a1) }]);
  expect(page.sprinklers()[0]?.ipc).toMatchObject({ name: 'A1', charge: 12, hasBatteryError: true });
});

it('many reports of a second are told once, a later one again', async () => {
  const unit = await sprinkler('A1');
  const page = await look(world.owner, world.farm);
  await store(unit, 70);
  for (let told = 0; told < 3; told++) server.live.publish([event(unit)]);
  const charges = () => page.sprinklers().map(({ ipc }) => ipc.charge);
  await expect.poll(charges).toEqual([70]);
  await report(unit, 60, '2026-11-20T20:10:00Z');
  await expect.poll(charges).toEqual([70, 60]);
});

it('who watches no farm, another one or one of others, who may not see sprinklers, and notification connections are told nothing', async () => {
  const { db } = server.database;
  const unit = await sprinkler('A1');
  const second = await buildFarm(db, world.owner.id);
  const agent = await buildAccount(db, { type: 'AGENT' });
  await buildShare(db, world.farm.id, agent.id, { ...presets.guest, sprinklersStatus: false });
  const others = [
    await look(world.owner, null),
    await look(world.owner, second),
    await look(await buildAccount(db), world.farm),
    await look(agent, world.farm),
    await look(world.owner, world.farm, 'notifications'),
  ];
  const page = await look(world.owner, world.farm);
  await report(unit, 50);
  await expect.poll(page.sprinklers).toHaveLength(1);
  // They are told in the same moment.
  server.live.toAccount(world.owner.id, marker);
  await expect.poll(() => others[0]?.frames.at(-1)).toEqual(marker);
  expect(others.map((other) => other.sprinklers())).toEqual([[], [], [], [], []]);
});
const SEND = commandTypes.SendScheduleSet;
const marker: ServerFrame = { type: 'app_version', data: { version: 'marker' } };

it('one farm is watched at a time: the last one said', async () => {
  const unit = await sprinkler('A1');
  const second = await buildFarm(server.database.db, world.owner.id);
  const [gone, come] = [await look(world.owner, world.farm), await look(world.owner, second)];
  await gone.watch({ farmUID: second.uid });
  await come.watch({ farmUID: world.farm.uid });
  await report(unit, 50);
  await expect.poll(come.sprinklers).toHaveLength(1);
  expect(gone.sprinklers()).toEqual([]);
});

it('who watches the farm but shows no sprinklers is told nothing of them, until it does', async () => {
  const unit = await sprinkler('A1');
  const dashboard = await look(world.owner, world.farm);
  const watch = (sprinklers: boolean) => dashboard.watch({ farmUID: world.farm.uid, sprinklers });
  await watch(false);
  const page = await look(world.owner, world.farm);
  await report(unit, 50);
  await expect.poll(page.sprinklers).toHaveLength(1);
  server.live.toAccount(world.owner.id, marker);
  await expect.poll(() => dashboard.frames).toContainEqual(marker);
  expect(dashboard.sprinklers()).toEqual([]);
  await watch(true);
  await report(unit, 40, '2026-11-20T20:10:00Z');
  await expect.poll(dashboard.sprinklers).toMatchObject([{ ipc: { charge: 40 } }]);
});

it('whose rights are taken away after the report is told nothing', async () => {
  const { db } = server.database;
  const unit = await sprinkler('A1');
  const agent = await buildAccount(db, { type: 'AGENT' });
  await buildShare(db, world.farm.id, agent.id, { ...presets.guest, sprinklersStatus: true });
  const [page, guest] = [await look(world.owner, world.farm), await look(agent, world.farm)];
  // The server hears of it right after the report: a busy machine might tell what it gathers before a statement is through.
  await db.deleteFrom('share').where('agent_id', '=', agent.id).execute();
  await report(unit, 50);
  await server.live.accessChanged(agent.id);
  await expect.poll(page.sprinklers).toHaveLength(1);
  server.live.toAccount(agent.id, marker);
  await expect.poll(() => guest.frames.at(-1)).toEqual(marker);
  // It heard that there is something new, while it might.
  expect(guest.frames.map(({ type }) => type).slice(-2)).toEqual(['status_update', 'app_version']);
});

it('what another server stored is told here too, and a unit that is no more is left out', async () => {
  const [a1, gone] = [await sprinkler('A1'), await sprinkler('A2')];
  const page = await look(world.owner, world.farm);
  await world.record(a1, [{ at: '2026-11-20T20:00:00Z', values: { charge: 55 } }]);
  await server.database.db
    .updateTable('device')
    .set({ deleted_at: new Date() })
    .where('id', '=', gone.id)
    .execute();
  void here.onNews({ kind: 'farm', event: event(gone) });
  void here.onNews({ kind: 'farm', event: event(a1) });
  await expect.poll(page.sprinklers).toMatchObject([{ ipc: { name: 'A1', charge: 55 } }]);
});

it('three hundred that report at once are three frames, each unit once and in short', async () => {
  const units: DeviceRow[] = [];
  for (let n = 0; n < 300; n++) units.push(await sprinkler(`B${n}`));
  const page = await look(world.owner, world.farm);
  server.live.publish(units.map(event));
  await expect.poll(() => page.batches().flatMap((batch) => batch.units)).toHaveLength(300);
  expect(page.batches().map((batch) => batch.units.length)).toEqual([100, 100, 100]);
  expect(page.sprinklers()).toEqual([]);
  const told = page.batches().flatMap((batch) => batch.units);
  expect(new Set(told.map(({ id }) => id))).toEqual(new Set(units.map(({ uid }) => uid)));
  const [first] = told;
  const whole = await shown(units.find(({ uid }) => uid === first?.id) as DeviceRow);
  expect(whole).toMatchObject(fromUnitRow(first as UnitRow));
});

it('who shows counts is told them after reports, as GET /ipc/status says them, and no unit; maps are told no counts', async () => {
  const units = [await sprinkler('A1'), await sprinkler('A2'), await sprinkler('A3')];
  const [page, map] = [await lookAtCounts(world.owner, world.farm), await look(world.owner, world.farm)];
  for (const unit of units) await store(unit, 90);
  server.live.publish(units.map(event));
  const reply = await world.get('GET /ipc/status', { farmUID: world.farm.uid });
  // By the minute they are told too: what counts is the last word.
  await expect
    .poll(() => page.counts().at(-1))
    .toMatchObject({ farmUID: world.farm.uid, counts: reply.json() });
  expect(page.counts().at(-1)?.counts.total).toBe(3);
  await expect.poll(map.sprinklers).toHaveLength(3);
  expect(map.counts()).toEqual([]);
  expect([...page.sprinklers(), ...page.batches()]).toEqual([]);
});

it('a unit that a send fails for while it goes on for others is told, though it said nothing, and as a count', async () => {
  const { db } = server.database;
  const [a1, a2] = [await sprinkler('A1'), await sprinkler('A2')];
  const gateway = await buildGateway(db, world.farm.id);
  const now = new Date();
  await buildWanted(db, world.farm.id, [a1, a2], [{ start: 60, duration: 28, cycle: 1 }]);
  for (const unit of [a1, a2]) {
    await buildQueuedCommand(db, gateway, now, { unit, type: SEND });
    // It holds another one.
    await store(unit, 90);
    const said = { farm_id: world.farm.id, device_id: unit.id, name: 'ipcCrc', at: '2026-11-20T20:00:00Z' };
    await db
      .insertInto('device_fact')
      .values({ ...said, value: '1A:2B' })
      .execute();
  }
  const parts = db.updateTable('command_unit').where('farm_id', '=', world.farm.id);
  await parts.set({ entries: '[]' }).execute();
  const [page, counts] = [await look(world.owner, world.farm), await lookAtCounts(world.owner, world.farm)];
  const data = { farmUID: world.farm.uid, type: SEND, state: 'progress' } as Command;
  const goOn = () =>
    server.live.publish([
      { farmId: world.farm.id, frame: { type: 'command_update', data }, anyOf: neededForSprinklers },
    ]);
  expect(await shown(a1)).toMatchObject({ isScheduleComing: true, condition: 0 });
  goOn();
  await expect.poll(() => counts.counts().at(-1)?.counts).toMatchObject({ ok: 2, attention: 0 });
  await parts.set({ state: 'failed' }).where('device_id', '=', a1.id).execute();
  goOn();
  await expect
    .poll(page.sprinklers, { timeout: 10_000 })
    .toMatchObject([{ ipc: { name: 'A1', isScheduleComing: false, condition: 2 } }]);
  expect(page.sprinklers()).toHaveLength(1);
  await expect.poll(() => counts.counts().at(-1)?.counts).toMatchObject({ ok: 1, attention: 1 });
});

it('counts are not told to who looks at another farm, nor to who may see none', async () => {
  const { db } = server.database;
  const unit = await sprinkler('A1');
  const second = await buildFarm(db, world.owner.id);
  const agent = await buildAccount(db, { type: 'AGENT' });
  await buildShare(db, world.farm.id, agent.id, { ...presets.none, sensors: presets.guest.sensors });
  const others = [
    await lookAtCounts(world.owner, second),
    await lookAtCounts(await buildAccount(db), world.farm),
    await lookAtCounts(agent, world.farm),
  ];
  const page = await lookAtCounts(world.owner, world.farm);
  await report(unit, 50);
  await expect.poll(() => page.counts().length).toBeGreaterThan(0);
  // They are told in the same moment.
  server.live.toAccount(world.owner.id, marker);
  await expect.poll(() => others[0]?.frames).toContainEqual(marker);
  const ofFarm = others.flatMap((other) =>
    other.counts().filter(({ farmUID }) => farmUID === world.farm.uid),
  );
  expect(ofFarm).toEqual([]);
});

it('a stop is told at once to who shows sprinklers, and as a count to who shows counts', async () => {
  const { db } = server.database;
  const unit = await sprinkler('A1');
  const guest = await buildAccount(db, { type: 'AGENT' });
  await buildShare(db, world.farm.id, guest.id, { ...presets.guest, sprinklersStatus: false });
  const page = await look(world.owner, world.farm);
  const [counts, blind] = [await lookAtCounts(world.owner, world.farm), await look(guest, world.farm)];
  const since = Date.parse('2026-11-20T21:00:00Z');
  await db
    .insertInto('unit_stop')
    .values({
      farm_id: world.farm.id,
      device_id: unit.id,
      kind: 'inhibit',
      since: new Date(since),
      command_id: 1,
    })
    .execute();
  const data = { farmUID: world.farm.uid, since, units: [unit.uid] };
  const frame = { type: 'ipc_stops', data } as const;
  server.live.publish([{ farmId: world.farm.id, frame, anyOf: neededForSprinklers }]);
  await expect.poll(() => page.frames).toContainEqual(frame);
  await expect.poll(() => counts.counts().at(-1)?.counts.stopWanted).toBe(1);
  server.live.toAccount(guest.id, marker);
  await expect.poll(() => blind.frames.at(-1)).toEqual(marker);
  expect([...counts.frames, ...blind.frames].map(({ type }) => type)).not.toContain('ipc_stops');
});

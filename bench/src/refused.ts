import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandTypes } from '@headrace/contract/command-types';
import { unitIsLive } from '@headrace/server/dist/db/under-way.js';
import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import WebSocket from 'ws';
import { signIn } from './calls.ts';
import { scheduleOf, send, until } from './farm-orders.ts';
import { record } from './report.ts';
import { addSprinklers } from './sprinkler-farm.ts';
import { serverOf, type Stand } from './stand.ts';
import { startUnitGateway } from './unit-gateway.ts';
import { type BenchGateway, buildWorld } from './world.ts';

const SPRINKLERS = 5000;
const MAPS = 50;
const PATIENCE_MS = 240_000;
const [EMAIL, PASSWORD] = ['refused@bench.test', 'bench-password'];

/**
 * A send to five thousand sprinklers that their gateway refuses as fast as it is given it: how long that takes, of how many a map is told
 * while it goes on, and when it is told that it is over, upon which it asks for all of them.
 */
export async function benchRefused(stand: Stand): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD);
  const world = { farms: 1, sensors: 1, from: 72_000_000, ownerEmail: EMAIL, passwordHash };
  const [farm] = await buildWorld(stand.sql, world);
  if (!farm) throw new Error('no farm');
  await addSprinklers(stand.sql, farm, SPRINKLERS);
  const token = await signIn(stand, EMAIL, PASSWORD);
  const gateway = await startUnitGateway(stand.mqttPort, farm, { refusesSchedules: true });
  await until(stand, farm, 'online and contact_at is not null');
  await send(stand, token, farm, { type: commandTypes.UpdateINCList, payload: {} });
  await until(stand, farm, 'list_rev = acked_rev');
  const heard: Heard = { known: new Set(), overAt: 0 };
  const sockets = [await watch(stand, token, farm, heard)];
  while (sockets.length < MAPS) sockets.push(await watch(stand, token, farm));
  gateway.setPace(1_000_000);
  const before = await serverOf(stand);
  const start = performance.now();
  await send(stand, token, farm, await scheduleOf(stand, farm));
  const units = await count(stand, farm, 'entries is not null');
  const isOver = async () => (await count(stand, farm, unitIsLive())) === 0;
  const failedMs = await timeUntil(start, isOver);
  await timeUntil(start, async () => heard.overAt > 0);
  const after = await serverOf(stand);
  const cpuS = after.cpuS - before.cpuS;
  tell({
    units,
    told: heard.known.size,
    failedMs,
    overMs: heard.overAt - start,
    cpuS,
    stallMs: after.stallMs,
  });
  for (const socket of sockets) socket.terminate();
  await gateway.close();
}

interface Refused {
  units: number;
  told: number;
  failedMs: number;
  overMs: number;
  cpuS: number;
  stallMs: number;
}
function tell({ units, told, failedMs, overMs, cpuS, stallMs }: Refused): void {
  record({
    what: `a send to ${units} sprinklers whose gateway refuses each, until all of it has failed`,
    value: `${(failedMs / 1000).toFixed(1)} s, ${((cpuS * 1000) / units).toFixed(1)} ms of CPU each`,
  });
  record({ what: `  told one by one or in batches to each of ${MAPS} maps meanwhile`, value: `${told}` });
  const lateMs = overMs - failedMs;
  record({
    what: '  until they are told that it is over',
    value: `${(lateMs / 1000).toFixed(1)} s later`,
    target: { text: 'at most 3 s later', met: lateMs <= 3000 },
  });
  const cores = cpuS / (overMs / 1000);
  record({
    what: "  the server's processor meanwhile, its database not counted",
    value: `${cores.toFixed(2)} cores`,
    target: { text: 'at most 1', met: cores <= 1 },
  });
  record({
    what: '  longest stall of its event loop',
    value: `${stallMs.toFixed(0)} ms`,
    target: { text: 'at most 100 ms', met: stallMs <= 100 },
  });
}

/** What a map is told: which sprinklers no schedule is on its way to, and when the send was over. */
interface Heard {
  known: Set<string>;
  overAt: number;
}
async function watch({ url }: Stand, token: string, farm: BenchGateway, heard?: Heard): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/live`, token);
  if (heard) socket.on('message', (data: Buffer) => read(data.toString(), heard));
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'watch', data: { farmUID: farm.farmUid, sprinklers: true } }));
  return socket;
}

interface Unit {
  id: string;
  isScheduleComing?: boolean;
}
interface Frame {
  type: string;
  data: { ipc?: Unit; units?: Unit[]; state?: string; type?: number };
}
function read(text: string, heard: Heard): void {
  const { type, data } = JSON.parse(text) as Frame;
  if (type === 'command_update' && data.type === commandTypes.SendScheduleSet && data.state === 'failed')
    heard.overAt = performance.now();
  if (!type.startsWith('ipc_status_')) return;
  for (const { id, isScheduleComing } of data.ipc ? [data.ipc] : (data.units ?? []))
    if (!isScheduleComing) heard.known.add(id);
}

async function count({ sql }: Stand, { farmId }: BenchGateway, which: string): Promise<number> {
  const text = `select count(*)::int as n from command_unit where farm_id = $1 and ${which}`;
  return (await sql.query<{ n: number }>(text, [farmId])).rows[0]?.n ?? 0;
}

async function timeUntil(start: number, isSo: () => Promise<boolean>): Promise<number> {
  while (!(await isSo())) {
    if (performance.now() - start > PATIENCE_MS) throw new Error('The send was not refused in time.');
    await sleep(50);
  }
  return performance.now() - start;
}

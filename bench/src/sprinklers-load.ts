import { once } from 'node:events';
import type { Socket } from 'node:net';
import WebSocket from 'ws';
import { signIn } from './calls.ts';
import { startUnitGateway, type UnitGateway } from './unit-gateway.ts';
import type { BenchGateway } from './world.ts';

export interface Crowd {
  url: string;
  port: number;
  gateway: BenchGateway;
  email: string;
  password: string;
  dashboards: number;
  maps: number;
}
export type Ask = { pace: number } | { reports: string[] } | 'begin' | 'report' | 'end';
export interface Heard {
  /** Report of a unit to a map, ms. */
  delays: number[];
  /** To all browsers, over the sockets. */
  bytes: number;
  answered: number;
}

/** Maps whose frames are read; the others only receive theirs, so that reading doesn't take the machine. */
const READ_MAPS = 5;
const SOCKETS_A_SESSION = 50;

let delays: number[] = [];
let from = { bytes: 0, answered: 0 };
const sockets: WebSocket[] = [];

process.once('message', (crowd: Crowd) => {
  void begin(crowd);
});

async function begin(crowd: Crowd): Promise<void> {
  const gateway = await gather(crowd);
  process.on('message', (ask: Ask) => void obey(ask, gateway));
  process.send?.('ready');
}

async function gather(crowd: Crowd): Promise<UnitGateway> {
  const shows = [...Array(crowd.maps).fill(true), ...Array(crowd.dashboards).fill(false)] as boolean[];
  let token = '';
  for (const [index, isMap] of shows.entries()) {
    if (index % SOCKETS_A_SESSION === 0) token = await signIn(crowd, crowd.email, crowd.password);
    await open(crowd, token, isMap, isMap && index < READ_MAPS);
  }
  return startUnitGateway(crowd.port, crowd.gateway);
}

async function open({ url, gateway }: Crowd, token: string, isMap: boolean, isRead: boolean): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/live`, token);
  const newest: Newest = new Map();
  if (isRead) socket.on('message', (data: Buffer) => read(data, newest));
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'watch', data: { farmUID: gateway.farmUid, sprinklers: isMap } }));
  sockets.push(socket);
}

interface Unit {
  id: string;
  statustime: number;
}
interface Frame {
  type: string;
  data: { ipc?: Unit; units?: Unit[] };
}

type Newest = Map<string, number>;
function read(data: Buffer, newest: Newest): void {
  const text = data.toString();
  if (!text.startsWith('{"type":"ipc_status_')) return;
  const { type, data: news } = JSON.parse(text) as Frame;
  for (const unit of type === 'ipc_status_update' ? [news.ipc] : (news.units ?? []))
    if (unit) note(unit, newest);
}

/** A unit that is told again because something else of it changed has its report's old time: that is no arrival. */
function note({ id, statustime }: Unit, newest: Newest): void {
  if ((newest.get(id) ?? 0) >= statustime) return;
  newest.set(id, statustime);
  delays.push(Date.now() - statustime);
}

const received = () =>
  sockets.reduce(
    (sum, socket) => sum + ((socket as unknown as { _socket: Socket | null })._socket?.bytesRead ?? 0),
    0,
  );

async function obey(ask: Ask, gateway: UnitGateway): Promise<void> {
  if (typeof ask === 'object' && 'reports' in ask) process.send?.(await gateway.report(ask.reports));
  else if (typeof ask === 'object') gateway.setPace(ask.pace);
  else if (ask === 'begin') {
    delays = [];
    from = { bytes: received(), answered: gateway.answered() };
  } else if (ask === 'report') {
    const bytes = received() - from.bytes;
    process.send?.({ delays, bytes, answered: gateway.answered() - from.answered } satisfies Heard);
  } else {
    for (const socket of sockets) socket.terminate();
    await gateway.close();
    process.exit(0);
  }
}

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { ErrorReply } from '@headrace/contract/errors';
import { WaitingRoom, type WaitingRoomLimits } from '../waiting-room.ts';
import { subscriberNetwork } from './subscriber-network.ts';
import { isProxyAddress, type TrustedProxies } from './trusted-proxies.ts';

export interface ConnectionLimits {
  /** Connections without a whole request head yet, by address of the connection; our proxies' aren't counted. */
  heads: WaitingRoomLimits;
  /** Requests whose body has not all come although there was time, by the caller's address. */
  bodies: WaitingRoomLimits;
  /** After so long a body is slow, ms: until then it may be us who don't read. */
  slowAfterMs: number;
  /** How long a stranger's body may take, ms. */
  strangersBodyMs: number;
  /** How long a body that was answered already may go on coming, ms: so long a slow sender has to read why. */
  lingerMs: number;
}

/** A request's head, and the whole request, have to be here after so long, ms. Our own pages wait no longer than 30 s. */
export const HEADERS_WITHIN_MS = 15_000;
export const REQUEST_WITHIN_MS = 60_000;

/** Hundreds come at the same moment from a farm's one address, or through a proxy that we know nothing of, and speak at once. */
const LIMITS: ConnectionLimits = {
  heads: { perKey: 1000, all: 4000 },
  bodies: { perKey: 64, all: 256 },
  slowAfterMs: 1_000,
  strangersBodyMs: 15_000,
  lingerMs: 5_000,
};

interface Options {
  trustedProxies: TrustedProxies;
  connectionLimits?: Partial<ConnectionLimits>;
}

/** Nobody keeps the server waiting: see ConnectionLimits. */
export function guardConnections(app: FastifyInstance, options: Options): void {
  const limits = { ...LIMITS, ...options.connectionLimits };
  const heads = new WaitingRoom<Socket>(limits.heads, (socket) => socket.destroy());
  const bodies = new WaitingRoom<IncomingMessage>(limits.bodies, (raw) => raw.destroy());
  const leaves = new WeakMap<Socket, () => void>();

  app.server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxyAddress(options.trustedProxies, address)) return;
    const leave = heads.enter(subscriberNetwork(address), socket);
    leaves.set(socket, leave);
    socket.once('close', leave);
  });

  /** It isn't here yet although there was time. */
  function holdSlow(raw: IncomingMessage, ip: string, isStranger: boolean): void {
    const leave = bodies.enter(subscriberNetwork(ip), raw);
    const left = limits.strangersBodyMs - limits.slowAfterMs;
    const timer = isStranger && setTimeout(() => raw.destroy(), left).unref();
    whenOver(raw, () => {
      leave();
      if (timer) clearTimeout(timer);
    });
  }

  app.addHook('onRequest', async (request) => {
    const { raw, ip } = request;
    leaves.get(raw.socket)?.();
    if (!isStillComing(raw)) return;
    const isStranger = isForAnybody(request);
    const look = () => isStillComing(raw) && holdSlow(raw, ip, isStranger);
    const timer = setTimeout(look, limits.slowAfterMs).unref();
    whenOver(raw, () => clearTimeout(timer));
  });

  app.addHook('onResponse', async ({ raw }) => {
    if (isStillComing(raw)) setTimeout(() => isStillComing(raw) && raw.destroy(), limits.lingerMs).unref();
  });
}

const isStillComing = ({ complete, destroyed, headers }: IncomingMessage): boolean =>
  !complete &&
  !destroyed &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0);

const whenOver = (raw: IncomingMessage, done: () => void): void =>
  void raw.once('end', done).once('close', done);

/** It takes no session to call it. */
function isForAnybody({ routeOptions }: FastifyRequest): boolean {
  const { endpoint } = routeOptions.config;
  return !endpoint || 'public' in endpoint.needs;
}

const NO_REQUEST: Record<string, { status: string; errorMessage: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    errorMessage: 'The request took too long to arrive. Please try again.',
  },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    errorMessage: 'The headers of the request are too large.',
  },
};
const UNREADABLE = { status: '400 Bad Request', errorMessage: 'This is no HTTP request that can be read.' };

/** To what never became a request. */
export function answerNoRequest({ code }: Pick<FastifyError, 'code'>, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, errorMessage } = NO_REQUEST[code] ?? UNREADABLE;
  const body = JSON.stringify({ errorMessage, code: 'invalid' } satisfies ErrorReply);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Content-Type-Options: nosniff\r\nContent-Security-Policy: default-src 'none'; base-uri 'none'; frame-ancestors 'none'\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
}

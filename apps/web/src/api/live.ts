import {
  CLOSE_UNAUTHENTICATED,
  LIVE_PATH,
  LIVE_PING_MS,
  LIVE_RECONNECT_MS,
  LIVE_SILENCE_MS,
} from '@headrace/contract/limits';
import type { ClientFrame, ServerFrame, Watch } from '@headrace/contract/live';
import { API_BASE } from './client.ts';
import { pageId } from './page-id.ts';
import { hearLive } from './reach.ts';

export type LiveState = 'connecting' | 'open' | 'lost';

export interface LiveHandlers {
  onFrame: (frame: ServerFrame) => void;
  /** `again`: the connection had been open before, so messages may have been missed. */
  onOpen: (again: boolean) => void;
  onState: (state: LiveState) => void;
  /** The server refused the token. Nothing else ends a session. */
  onRefused: () => void;
}

export interface LivePolicy {
  /** Under `/v1`. */
  path: string;
  /** From a loss to the next try, ms. Null: the loss is reported and the connection has ended. */
  reconnectMs: number | null;
}

/** The two live paths. The app opens `live`; `notifications` tells of notifications alone. */
export const livePolicies = {
  live: { path: LIVE_PATH, reconnectMs: LIVE_RECONNECT_MS },
  notifications: { path: '/notifications', reconnectMs: null },
} as const satisfies Record<string, LivePolicy>;

/** A connection on which nothing is heard says its id again; then it is lost, however open it seems. spec 1 §9 */
const GREETING = { everyMs: 2000, times: 5 } as const;
/** Tries at the exact interval; later ones are spread a little, ms, so that a restarted server isn't met by all in one moment. */
const EXACT_TRIES = 3;
const SPREAD_MS = 500;

export interface LiveConnection {
  watch: (farm: Watch) => void;
  /** The network came back, or the page came to the front: connect now if not connected, else ask whether the other end is there. */
  reconnectNow: () => void;
  close: () => void;
}

const urlOf = (path: string) => `${location.origin.replace(/^http/, 'ws')}${API_BASE}${path}`;

/** Keeps one live connection open until `close()`, by its policy. */
export function connectLive(
  token: string,
  handlers: LiveHandlers,
  { path, reconnectMs }: LivePolicy = livePolicies.live,
): LiveConnection {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let greeting: ReturnType<typeof setTimeout> | undefined;
  let asking: ReturnType<typeof setInterval> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let wasOpen = false;
  let isEnded = false;
  let watched: Watch | null = null;

  const send = (frame: ClientFrame) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  };

  function open(): void {
    clearTimeout(timer);
    const mine = new WebSocket(urlOf(path), token);
    socket = mine;
    silence = setTimeout(loseSilent, LIVE_SILENCE_MS);
    mine.addEventListener('open', () => {
      if (mine !== socket) return;
      clearTimeout(silence);
      silence = undefined;
      greet(GREETING.times);
      if (watched) send({ type: 'watch', data: watched });
      handlers.onState('open');
      handlers.onOpen(wasOpen);
      wasOpen = true;
    });
    mine.addEventListener('message', (event: MessageEvent) => {
      if (mine !== socket) return;
      clearTimeout(greeting);
      clearTimeout(silence);
      silence = undefined;
      tries = 0;
      hearLive();
      const frame = parseFrame(event.data);
      if (frame && frame.type !== 'pong') handlers.onFrame(frame);
      if (asking === undefined && mine === socket) {
        asking = setInterval(ask, LIVE_PING_MS);
        ask();
      }
    });
    // An error is always followed by a close: one place decides what comes next.
    mine.addEventListener('close', (event) => {
      if (mine === socket && !isEnded) lose(event);
    });
  }

  function loseSilent(): void {
    const silent = socket;
    lose({ code: 0, wasClean: false });
    silent?.close();
  }

  /**
   * Any word is an answer. Counted from the question: the browser slows the timers of a page in the background, and a page that
   * slept has heard nothing for hours.
   */
  function ask(): void {
    send({ type: 'ping', data: {} });
    silence ??= setTimeout(loseSilent, LIVE_SILENCE_MS);
  }

  function greet(left: number): void {
    if (left === 0) return loseSilent();
    send({ type: 'client_id', data: { clientId: pageId } });
    greeting = setTimeout(() => greet(left - 1), GREETING.everyMs);
  }

  function lose({ code, wasClean }: Pick<CloseEvent, 'code' | 'wasClean'>): void {
    socket = null;
    stopAsking();
    isEnded = code === CLOSE_UNAUTHENTICATED || reconnectMs === null;
    if (code === CLOSE_UNAUTHENTICATED) return handlers.onRefused();
    if (reconnectMs !== null) retryAfter(reconnectMs);
    if (reconnectMs !== null || !wasClean) handlers.onState('lost');
  }

  function stopAsking(): void {
    clearTimeout(greeting);
    clearInterval(asking);
    clearTimeout(silence);
    asking = undefined;
    silence = undefined;
  }

  function retryAfter(ms: number): void {
    const spread = tries < EXACT_TRIES ? 0 : Math.random() * SPREAD_MS;
    tries += 1;
    timer = setTimeout(open, ms + spread);
  }

  handlers.onState('connecting');
  open();
  return {
    watch: (farm) => {
      watched = farm;
      send({ type: 'watch', data: farm });
    },
    reconnectNow: () => {
      if (isEnded) return;
      if (socket === null) open();
      else if (asking !== undefined) ask();
    },
    close: () => {
      isEnded = true;
      clearTimeout(timer);
      stopAsking();
      socket?.close();
      socket = null;
    },
  };
}

function parseFrame(data: unknown): ServerFrame | null {
  if (typeof data !== 'string') return null;
  try {
    const frame = JSON.parse(data) as Partial<ServerFrame> | null;
    return typeof frame?.type === 'string' && frame.data !== undefined ? (frame as ServerFrame) : null;
  } catch {
    return null;
  }
}

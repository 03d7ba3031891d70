import { CLOSE_UNAUTHENTICATED, LIVE_PATH, LIVE_RECONNECT_MS } from '@headrace/contract/limits';
import type { ClientFrame, ServerFrame } from '@headrace/contract/live';
import { API_BASE } from './client.ts';

export type LiveState = 'connecting' | 'open' | 'lost';

export interface LiveHandlers {
  onFrame: (frame: ServerFrame) => void;
  /** `again`: the connection had been open before, so messages may have been missed. */
  onOpen: (again: boolean) => void;
  onState: (state: LiveState) => void;
  /** The server refused the token. Nothing else ends a session. */
  onRefused: () => void;
}

/** Tries at the exact interval; later ones are spread so that a restarted server isn't met by all at once. */
const EXACT_TRIES = 3;

export interface LiveConnection {
  watch: (farmUID: string) => void;
  /** Connect now if not connected: the network came back, or the page came to the front. */
  nudge: () => void;
  close: () => void;
}

export function liveUrl(origin = location.origin): string {
  return `${origin.replace(/^http/, 'ws')}${API_BASE}${LIVE_PATH}`;
}

/** Keeps one live connection open until `close()`. */
export function connectLive(token: string, handlers: LiveHandlers): LiveConnection {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let wasOpen = false;
  let isEnded = false;
  let farmUID: string | null = null;

  const send = (frame: ClientFrame) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  };

  function open(): void {
    clearTimeout(timer);
    const mine = new WebSocket(liveUrl(), token);
    socket = mine;
    mine.addEventListener('open', () => {
      if (mine !== socket) return;
      tries = 0;
      if (farmUID !== null) send({ type: 'watch', data: { farmUID } });
      handlers.onState('open');
      handlers.onOpen(wasOpen);
      wasOpen = true;
    });
    mine.addEventListener('message', (event: MessageEvent) => {
      const frame = mine === socket ? parseFrame(event.data) : null;
      if (frame) handlers.onFrame(frame);
    });
    // An error is always followed by a close: one place decides what comes next.
    mine.addEventListener('close', (event) => {
      if (mine !== socket || isEnded) return;
      socket = null;
      isEnded = event.code === CLOSE_UNAUTHENTICATED;
      if (isEnded) handlers.onRefused();
      else retryLater();
    });
  }

  function retryLater(): void {
    handlers.onState('lost');
    const spread = tries < EXACT_TRIES ? 0 : Math.random() * LIVE_RECONNECT_MS;
    tries += 1;
    timer = setTimeout(open, LIVE_RECONNECT_MS + spread);
  }

  handlers.onState('connecting');
  open();
  return {
    watch: (uid) => {
      farmUID = uid;
      send({ type: 'watch', data: { farmUID: uid } });
    },
    nudge: () => {
      if (!isEnded && socket === null) open();
    },
    close: () => {
      isEnded = true;
      clearTimeout(timer);
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

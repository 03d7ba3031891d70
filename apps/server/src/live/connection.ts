import type { WebSocket } from 'ws';
import type { ServerFrame, Watch } from '@headrace/contract/live';
import type { Permissions } from '@headrace/contract/permissions';
import type { Caller } from '../http/access-gate.ts';

/** `/v1/live` hears everything, `/v1/notifications` notifications alone. */
export type LiveChannel = 'everything' | 'notifications';

/** A farm's part in what one connection may hear. */
export interface LiveGrant {
  farmId: number;
  farmUID: string;
  permissions: Permissions;
  /** A share or a support session that gave it ends then: nothing more is told. Null: it has no end. */
  endsAt: Date | null;
}

export interface Connection {
  readonly socket: WebSocket;
  readonly channel: LiveChannel;
  readonly caller: Caller;
  readonly token: string;
  /** By farm. */
  grants: Map<number, LiveGrant>;
  /** The farm that it looks at. */
  watched: Watch | null;
  /** The page that it is of, as its calls name it too. */
  page: string | null;
  /** Since its last word, ms. */
  quietMs: number;
  /** How often its rights were asked for: an answer that a later question overtook is old. */
  asked: number;
}

/** A browser that reads this much too slowly is cut off; it comes back and fetches what it missed. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

export function openConnection(
  parts: Pick<Connection, 'socket' | 'channel' | 'caller' | 'token'>,
): Connection {
  return { ...parts, grants: new Map(), watched: null, page: null, quietMs: 0, asked: 0 };
}

export function send({ socket }: Connection, text: string): void {
  if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate();
  else socket.send(text);
}

/** For what its page asks for by itself in a while: too slow a reader does without it. */
export function sendIfQuick({ socket }: Connection, text: string): void {
  if (socket.bufferedAmount < MAX_BUFFERED_BYTES / 2) socket.send(text);
}

/** A notification connection hears nothing else; it has no farms either. */
export const mayHear = ({ channel }: Connection, { type }: ServerFrame): boolean =>
  channel === 'everything' || type === 'new_notification' || type === 'notifications';

/** The session's token as the bus names it. */
export const hashOf = ({ caller }: Connection): string => caller.tokenHash.toString('hex');

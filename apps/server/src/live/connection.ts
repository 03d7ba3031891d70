import type { Writable } from 'node:stream';
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

/** What carries a connection's frames. */
export type Wire = Pick<Writable, 'cork' | 'uncork'>;

export interface Connection {
  readonly socket: WebSocket;
  /** Null: not known, each frame is written by itself. */
  readonly wire: Wire | null;
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
  /** Frames are held until the event loop's next turn. */
  isGathering: boolean;
}

/** A browser that reads this much too slowly is cut off; it comes back and fetches what it missed. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

export function openConnection(
  parts: Pick<Connection, 'socket' | 'wire' | 'channel' | 'caller' | 'token'>,
): Connection {
  return { ...parts, grants: new Map(), watched: null, page: null, quietMs: 0, asked: 0, isGathering: false };
}

/**
 * What is said to a connection in one turn of the event loop is written at once: of a hundred reports that came together each page
 * is told one by one, and a write for each took more of the processor than all else.
 */
function gather(connection: Connection): void {
  const { wire } = connection;
  if (!wire || connection.isGathering) return;
  connection.isGathering = true;
  wire.cork();
  setImmediate(() => {
    connection.isGathering = false;
    wire.uncork();
  });
}

/** A text as many are told it: its bytes are made once. */
type Payload = string | Buffer;

function write(connection: Connection, told: Payload): void {
  gather(connection);
  connection.socket.send(told, { binary: false });
}

export function send(connection: Connection, told: Payload): void {
  const { socket } = connection;
  if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate();
  else write(connection, told);
}

/** For what its page asks for by itself in a while: too slow a reader does without it. */
export function sendIfQuick(connection: Connection, told: Payload): void {
  if (connection.socket.bufferedAmount < MAX_BUFFERED_BYTES / 2) write(connection, told);
}

/** A notification connection hears nothing else; it has no farms either. */
export const mayHear = ({ channel }: Connection, { type }: ServerFrame): boolean =>
  channel === 'everything' || type === 'new_notification' || type === 'notifications';

/** The session's token as the bus names it. */
export const hashOf = ({ caller }: Connection): string => caller.tokenHash.toString('hex');

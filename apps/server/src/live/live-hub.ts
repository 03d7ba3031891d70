import type { WebSocket } from 'ws';
import type { ServerFrame, StatusUpdate } from '@headrace/contract/live';
import { CLOSE_UNAUTHENTICATED, APP_VERSION, LIVE_PING_MS } from '@headrace/contract/limits';
import { hasRight, type Permissions, type Right, can, flag } from '@headrace/contract/permissions';
import type { Caller } from '../http/access-gate.ts';

/** A farm's part in what one connection may hear. */
export interface LiveGrant {
  farmId: number;
  permissions: Permissions;
}

/** What the hub asks of the features; passed in, so that live knows none of them. */
export interface LiveSources {
  callerOf(token: string, now: Date): Promise<Caller | null>;
  grantsOf(accountId: number, now: Date): Promise<LiveGrant[]>;
  /** settings, default_settings and permissions, in the order they are sent. */
  openingFrames(accountId: number, now: Date): Promise<ServerFrame[]>;
}

export interface LiveEvent {
  farmId: number;
  update: StatusUpdate;
}

interface Connection {
  socket: WebSocket;
  caller: Caller;
  token: string;
  grants: Map<number, Permissions>;
  isAlive: boolean;
}

/** A browser that reads this much too slowly is cut off; it comes back and fetches what it missed. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

const dashboard = flag('dashboard');
const neededFor: Record<StatusUpdate['type'], Right[]> = {
  tank_level: [can('sensors', 'Read'), dashboard, flag('sprinklersStatus')],
  flow: [can('sensors', 'Read'), dashboard],
  soil_moisture: [can('sensors', 'Read'), dashboard],
  gateway: [can('gateways', 'Read'), dashboard, flag('sprinklersStatus')],
  io: [can('gateways', 'Read'), dashboard, flag('sprinklersStatus')],
  repeater: [can('repeaters', 'Read'), flag('sprinklersStatus')],
  ipc: [can('irrigationDevices', 'Read'), flag('sprinklersStatus')],
};

/**
 * All live connections of this server. A connection hears of a farm only while its account may read that kind of
 * device there; rights and sessions are read again every half minute and at once when told that they changed.
 */
export function createLiveHub(
  sources: LiveSources,
  now: () => Date,
  log: { warn(details: object, message: string): void },
) {
  const connections = new Set<Connection>();
  const byFarm = new Map<number, Set<Connection>>();
  const timer = setInterval(() => void checkAll(), LIVE_PING_MS);
  timer.unref();

  const send = (connection: Connection, text: string) => {
    if (connection.socket.bufferedAmount > MAX_BUFFERED_BYTES) connection.socket.terminate();
    else connection.socket.send(text);
  };

  function index(connection: Connection, grants: LiveGrant[]): void {
    unindex(connection);
    connection.grants = new Map(grants.map((grant) => [grant.farmId, grant.permissions]));
    for (const farmId of connection.grants.keys()) {
      const there = byFarm.get(farmId) ?? new Set();
      byFarm.set(farmId, there.add(connection));
    }
  }

  function unindex(connection: Connection): void {
    for (const farmId of connection.grants.keys()) {
      const there = byFarm.get(farmId);
      there?.delete(connection);
      if (there?.size === 0) byFarm.delete(farmId);
    }
  }

  function remove(connection: Connection): void {
    connections.delete(connection);
    unindex(connection);
  }

  async function checkAll(): Promise<void> {
    for (const connection of connections) {
      if (!connection.isAlive) connection.socket.terminate();
      else {
        connection.isAlive = false;
        connection.socket.ping();
        await recheck(connection).catch((error: unknown) =>
          log.warn({ err: error }, 'rights of a live connection not read'),
        );
      }
    }
  }

  async function recheck(connection: Connection): Promise<void> {
    const caller = await sources.callerOf(connection.token, now());
    if (!caller) connection.socket.close(CLOSE_UNAUTHENTICATED, 'Please sign in.');
    else index(connection, await sources.grantsOf(caller.accountId, now()));
  }

  return {
    /** Takes over an upgraded socket: refuses a bad token with 4401, else sends the opening frames. */
    async accept(socket: WebSocket, token: string): Promise<void> {
      const caller = token ? await sources.callerOf(token, now()) : null;
      if (!caller) return socket.close(CLOSE_UNAUTHENTICATED, 'Please sign in.');
      const connection: Connection = { socket, caller, token, grants: new Map(), isAlive: true };
      socket.on('pong', () => (connection.isAlive = true));
      socket.on('close', () => remove(connection));
      socket.on('error', () => socket.terminate());
      const grants = await sources.grantsOf(caller.accountId, now());
      const frames = await sources.openingFrames(caller.accountId, now());
      if (socket.readyState !== socket.OPEN) return;
      connections.add(connection);
      index(connection, grants);
      for (const frame of frames) send(connection, JSON.stringify(frame));
      send(
        connection,
        JSON.stringify({ type: 'app_version', data: { version: APP_VERSION } } satisfies ServerFrame),
      );
    },

    /** Tells everyone who may know, once per device and commit. */
    publish(events: readonly LiveEvent[]): void {
      for (const { farmId, update } of events) {
        const there = byFarm.get(farmId);
        if (!there) continue;
        const text = JSON.stringify({ type: 'status_update', data: update } satisfies ServerFrame);
        for (const connection of there) {
          const permissions = connection.grants.get(farmId);
          if (permissions && neededFor[update.type].some((right) => hasRight(permissions, right)))
            send(connection, text);
        }
      }
    },

    /** Sends a frame to an account's connections, but for the one with this session. */
    toAccount(accountId: number, frame: ServerFrame, except?: Buffer): void {
      const text = JSON.stringify(frame);
      for (const connection of connections) {
        const isSender = except !== undefined && connection.caller.tokenHash.equals(except);
        if (connection.caller.accountId === accountId && !isSender) send(connection, text);
      }
    },

    /** A session ended: its connections close at once. */
    endSession(tokenHash: Buffer): void {
      for (const connection of connections) {
        if (connection.caller.tokenHash.equals(tokenHash))
          connection.socket.close(CLOSE_UNAUTHENTICATED, 'Signed out.');
      }
    },

    /** An account's rights changed: read them again before anything more is sent. */
    async accessChanged(accountId: number): Promise<void> {
      for (const connection of connections) {
        if (connection.caller.accountId !== accountId) continue;
        unindex(connection);
        await recheck(connection);
      }
    },

    count: () => connections.size,

    stop(): void {
      clearInterval(timer);
      for (const connection of connections) connection.socket.close(1001, 'The server is restarting.');
    },
  };
}
export type LiveHub = ReturnType<typeof createLiveHub>;

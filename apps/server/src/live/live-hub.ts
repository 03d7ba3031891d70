import type { WebSocket } from 'ws';
import type { IpcStatus } from '@headrace/contract/groups';
import type { ClientFrame, ServerFrame } from '@headrace/contract/live';
import { CLOSE_UNAUTHENTICATED, APP_VERSION, LIVE_PING_MS } from '@headrace/contract/limits';
import { hasRight, type Permissions, type Right } from '@headrace/contract/permissions';
import type { NotificationPreferences } from '@headrace/contract/notifications';
import type { Caller } from '../http/access-gate.ts';
import { hearFrames } from './client-frames.ts';
import type { LiveBus, LiveEvent, LiveListener, News } from './live-bus.ts';
import { createSprinklerNews, type WatchedFarm } from './sprinkler-news.ts';
import { neededForSprinklers } from './status-event.ts';

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
  /** The account's notifications as this browser is to have them. */
  notifications(caller: Caller): Promise<ServerFrame>;
  /** By which ways the account wants to hear, as a browser says. */
  setNotificationPreferences(caller: Caller, wanted: NotificationPreferences, now: Date): Promise<void>;
  /** How those of the farm's sprinklers with these uids are; who is no more is left out. */
  sprinklers(farmId: number, uids: ReadonlySet<string>, now: Date): Promise<IpcStatus[]>;
}

/** `/v1/live` hears everything, `/v1/notifications` notifications alone. */
export type LiveChannel = 'everything' | 'notifications';

interface Connection {
  socket: WebSocket;
  channel: LiveChannel;
  caller: Caller;
  token: string;
  grants: Map<number, Permissions>;
  /** uid of the farm that it looks at. */
  watched: string | null;
  isAlive: boolean;
  /** How often its rights were asked for: an answer that a later question overtook is old. */
  asked: number;
}

/** A browser that reads this much too slowly is cut off; it comes back and fetches what it missed. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** RFC 6455's registry: the service restarts, the client should connect again. */
const CLOSE_COME_BACK = 1012;

/**
 * All live connections of this server. A connection hears of a farm only while its account may read that kind of
 * device there; rights and sessions are read again every half minute and at once when told that they changed. What is
 * said here reaches the connections of the other servers too, by the bus.
 */
export function createLiveHub(
  sources: LiveSources,
  bus: LiveBus,
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

  /** For what its page asks for by itself in a while: too slow a reader does without it. */
  const sendIfQuick = ({ socket }: Connection, text: string) => {
    if (socket.bufferedAmount < MAX_BUFFERED_BYTES / 2) socket.send(text);
  };

  const notRead = (error: unknown) => log.warn({ err: error }, 'rights of a live connection not read');

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
        await recheck(connection).catch(notRead);
      }
    }
  }

  async function recheck(connection: Connection): Promise<void> {
    const turn = (connection.asked += 1);
    const caller = await sources.callerOf(connection.token, now());
    if (!mayListen(caller)) connection.socket.close(CLOSE_UNAUTHENTICATED, 'Please sign in.');
    else if (connection.channel === 'everything') {
      const grants = await sources.grantsOf(caller.accountId, now());
      if (turn === connection.asked && connections.has(connection)) index(connection, grants);
    }
  }

  /** `client_id` asks for the notifications; connections that hear everything got them at the start. */
  async function answer(connection: Connection, frame: ClientFrame): Promise<void> {
    switch (frame.type) {
      case 'client_id':
        if (connection.channel === 'notifications')
          send(connection, JSON.stringify(await sources.notifications(connection.caller)));
        return;
      case 'notification_settings':
        return sources.setNotificationPreferences(connection.caller, frame.data, now());
      case 'watch':
        connection.watched = frame.data.farmUID;
        return;
      default:
        return frame satisfies never;
    }
  }

  function* mayKnow(farmId: number, anyOf: readonly Right[]): Iterable<Connection> {
    for (const connection of byFarm.get(farmId) ?? []) {
      const permissions = connection.grants.get(farmId);
      if (permissions && anyOf.some((right) => hasRight(permissions, right))) yield connection;
    }
  }

  function sendToFarm(event: LiveEvent): void {
    sprinklerNews.hear(event);
    if (!byFarm.has(event.farmId)) return;
    const text = JSON.stringify(event.frame);
    for (const connection of mayKnow(event.farmId, event.anyOf)) send(connection, text);
  }

  const watchersOf = ({ farmId, farmUID }: WatchedFarm) =>
    [...mayKnow(farmId, neededForSprinklers)].filter(({ watched }) => watched === farmUID);

  const sprinklerNews = createSprinklerNews({
    isWatched: (farm) => watchersOf(farm).length > 0,
    read: (farmId, uids) => sources.sprinklers(farmId, uids, now()),
    send(farm, sprinklers) {
      const watchers = watchersOf(farm);
      for (const ipc of sprinklers) {
        const frame: ServerFrame = { type: 'ipc_status_update', data: { farmUID: farm.farmUID, ipc } };
        const text = JSON.stringify(frame);
        for (const watcher of watchers) sendIfQuick(watcher, text);
      }
    },
    onError: (error) => log.warn({ err: error }, 'sprinklers for live connections not read'),
  });

  function sendToAccount({ accountId, frame, except }: News & { kind: 'account' }): void {
    const text = JSON.stringify(frame);
    for (const connection of connections) {
      const isSender = except !== undefined && hashOf(connection) === except;
      if (connection.caller.accountId === accountId && !isSender && mayHear(connection, frame))
        send(connection, text);
    }
  }

  async function sendNotifications(accountId: number): Promise<void> {
    for (const connection of connections) {
      if (connection.caller.accountId === accountId)
        send(connection, JSON.stringify(await sources.notifications(connection.caller)));
    }
  }

  function closeSession(tokenHash: string, code: number, why: string): void {
    for (const connection of connections) {
      if (hashOf(connection) === tokenHash) connection.socket.close(code, why);
    }
  }

  async function recheckAccount(accountId: number): Promise<void> {
    for (const connection of connections) {
      if (connection.caller.accountId !== accountId) continue;
      unindex(connection);
      await recheck(connection);
    }
  }

  function hear(news: News): void {
    switch (news.kind) {
      case 'farm':
        return sendToFarm(news.event);
      case 'account':
        return sendToAccount(news);
      case 'session-ended':
        return closeSession(news.tokenHash, CLOSE_UNAUTHENTICATED, 'Signed out.');
      case 'session-renewed':
        return closeSession(news.tokenHash, CLOSE_COME_BACK, 'Please connect again.');
      case 'access-changed':
        return void recheckAccount(news.accountId).catch(notRead);
      case 'notifications-changed':
        return void sendNotifications(news.accountId).catch(notRead);
      case 'devices-changed':
      case 'sender-disconnected':
      case 'incomplete':
        return;
      default:
        return news satisfies never;
    }
  }

  function tellAll(news: News): void {
    hear(news);
    bus.tell(news);
  }

  const listener: LiveListener = {
    onNews: hear,
    // Browsers fetch anew when they come back, and their rights are read anew: nothing that was missed stays missed.
    onGap() {
      for (const { socket } of connections) socket.close(CLOSE_COME_BACK, 'Please connect again.');
    },
  };
  bus.listen(listener);

  return {
    /** Takes over an upgraded socket: refuses a bad token with 4401, else sends the opening frames. */
    async accept(socket: WebSocket, token: string, channel: LiveChannel = 'everything'): Promise<void> {
      const heard: ClientFrame[] = [];
      let hearFrame = (frame: ClientFrame): void => void heard.push(frame);
      hearFrames(socket, (frame) => hearFrame(frame));
      const caller = token ? await sources.callerOf(token, now()) : null;
      if (!mayListen(caller)) return socket.close(CLOSE_UNAUTHENTICATED, 'Please sign in.');
      const connection: Connection = {
        socket,
        channel,
        caller,
        token,
        grants: new Map(),
        watched: null,
        isAlive: true,
        asked: 0,
      };
      socket.on('pong', () => (connection.isAlive = true));
      socket.on('close', () => remove(connection));
      socket.on('error', () => socket.terminate());
      hearFrame = (frame) => void answer(connection, frame).catch(notRead);
      for (const frame of heard) hearFrame(frame);
      if (channel === 'notifications') {
        if (socket.readyState === socket.OPEN) connections.add(connection);
        return;
      }
      if (socket.readyState !== socket.OPEN) return;
      // Before its rights are read: a change of them, or the session's end, from here on is told to it.
      connections.add(connection);
      await recheck(connection);
      const frames = await sources.openingFrames(caller.accountId, now());
      frames.push({ type: 'app_version', data: { version: APP_VERSION } });
      frames.push(await sources.notifications(caller));
      for (const frame of frames) send(connection, JSON.stringify(frame));
    },

    /** Tells everyone who may know. */
    publish(events: readonly LiveEvent[]): void {
      for (const event of events) {
        sendToFarm(event);
        bus.tell({ kind: 'farm', event });
      }
    },

    /** Sends a frame to an account's connections, but for the one with this session. */
    toAccount(accountId: number, frame: ServerFrame, except?: Buffer): void {
      const news = { kind: 'account', accountId, frame, except: except?.toString('hex') } as const;
      sendToAccount(news);
      bus.tell(news);
    },

    /** A session ended: its connections close at once. */
    endSession(tokenHash: Buffer): void {
      tellAll({ kind: 'session-ended', tokenHash: tokenHash.toString('hex') });
    },

    /** A session has another token: its connections come back with it. */
    renewSession(tokenHash: Buffer): void {
      tellAll({ kind: 'session-renewed', tokenHash: tokenHash.toString('hex') });
    },

    /** An account's rights changed: read them again before anything more is sent. */
    async accessChanged(accountId: number): Promise<void> {
      bus.tell({ kind: 'access-changed', accountId });
      await recheckAccount(accountId);
    },

    /** The list, its count or the preferences of an account are others now: each of its browsers gets them. */
    notificationsChanged(accountId: number): void {
      tellAll({ kind: 'notifications-changed', accountId });
    },

    /** For news that all servers hear by themselves. */
    listener,

    count: () => connections.size,

    stop(): void {
      clearInterval(timer);
      sprinklerNews.stop();
      for (const connection of connections) connection.socket.close(1001, 'The server is restarting.');
    },
  };
}

/** Who still has to choose a password may do nothing else: see beforeNewPassword. */
const mayListen = (caller: Caller | null): caller is Caller => caller !== null && !caller.mustChangePassword;

/** A notification connection hears nothing else; it has no farms either. */
const mayHear = ({ channel }: Connection, { type }: ServerFrame) =>
  channel === 'everything' || type === 'new_notification' || type === 'notifications';

const hashOf = ({ caller }: Connection) => caller.tokenHash.toString('hex');

export type LiveHub = ReturnType<typeof createLiveHub>;

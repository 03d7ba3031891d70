import type { WebSocket } from 'ws';
import type { ClientFrame, ServerFrame } from '@headrace/contract/live';
import { APP_VERSION, CLOSE_UNAUTHENTICATED, LIVE_PING_MS } from '@headrace/contract/limits';
import type { NotificationPreferences } from '@headrace/contract/notifications';
import type { Caller } from '../http/access-gate.ts';
import { hearFrames } from './client-frames.ts';
import { type Connection, type LiveChannel, openConnection, send } from './connection.ts';
import { createConnections } from './connections.ts';
import type { LiveBus, LiveEvent, News } from './live-bus.ts';
import { createLiveNews, type NewsSources } from './live-news.ts';
import { createLiveRights, mayListen, type RightsSources } from './live-rights.ts';

/** What the hub asks of the features; passed in, so that live knows none of them. */
export interface LiveSources extends RightsSources, NewsSources {
  /** settings, default_settings and permissions, in the order they are sent. */
  openingFrames(accountId: number, now: Date): Promise<ServerFrame[]>;
  /** By which ways the account wants to hear, as a browser says. */
  setNotificationPreferences(caller: Caller, wanted: NotificationPreferences, now: Date): Promise<void>;
}

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
  const onError = (error: unknown) => log.warn({ err: error }, 'rights of a live connection not read');
  const connections = createConnections();
  const rights = createLiveRights(sources, connections, now, onError);
  const news = createLiveNews({ sources, connections, rights, now, log, onError });
  const timer = setInterval(() => void rights.recheckAll(), LIVE_PING_MS);
  timer.unref();
  bus.listen(news.listener);

  /** `client_id` asks for the notifications too; connections that hear everything got them at the start. */
  async function answer(connection: Connection, frame: ClientFrame): Promise<void> {
    switch (frame.type) {
      case 'client_id':
        connection.page = frame.data.clientId;
        if (connection.channel === 'notifications')
          send(connection, JSON.stringify(await sources.notifications(connection.caller)));
        return;
      case 'notification_settings':
        return sources.setNotificationPreferences(connection.caller, frame.data, now());
      case 'watch':
        connection.watched = frame.data;
        return;
      default:
        return frame satisfies never;
    }
  }

  function tellAll(what: News): void {
    news.hear(what);
    bus.tell(what);
  }

  return {
    /** Takes over an upgraded socket: refuses a bad token with 4401, else sends the opening frames. */
    async accept(socket: WebSocket, token: string, channel: LiveChannel = 'everything'): Promise<void> {
      const heard: ClientFrame[] = [];
      let hearFrame = (frame: ClientFrame): void => void heard.push(frame);
      hearFrames(socket, (frame) => hearFrame(frame));
      const caller = token ? await sources.callerOf(token, now()) : null;
      if (!mayListen(caller)) return socket.close(CLOSE_UNAUTHENTICATED, 'Please sign in.');
      const connection = openConnection({ socket, channel, caller, token });
      socket.on('pong', () => (connection.isAlive = true));
      socket.on('close', () => connections.remove(connection));
      socket.on('error', () => socket.terminate());
      hearFrame = (frame) => void answer(connection, frame).catch(onError);
      for (const frame of heard) hearFrame(frame);
      if (socket.readyState !== socket.OPEN) return;
      // Before its rights are read: a change of them, or the session's end, from here on is told to it.
      connections.add(connection);
      if (channel === 'notifications') return;
      await rights.recheck(connection);
      const frames = await sources.openingFrames(caller.accountId, now());
      frames.push({ type: 'app_version', data: { version: APP_VERSION } });
      frames.push(await sources.notifications(caller));
      for (const frame of frames) send(connection, JSON.stringify(frame));
    },

    /** Tells everyone who may know. */
    publish(events: readonly LiveEvent[]): void {
      for (const event of events) tellAll({ kind: 'farm', event });
    },

    /** Sends a frame to an account's connections, but for the one with this session. */
    toAccount(accountId: number, frame: ServerFrame, except?: Buffer): void {
      tellAll({ kind: 'account', accountId, frame, except: except?.toString('hex') });
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
      await rights.recheckAccount(accountId);
    },

    /** The list, its count or the preferences of an account are others now: each of its browsers gets them. */
    notificationsChanged(accountId: number): void {
      tellAll({ kind: 'notifications-changed', accountId });
    },

    /** For news that all servers hear by themselves. */
    listener: news.listener,

    count: connections.count,

    stop(): void {
      clearInterval(timer);
      news.stop();
      for (const { socket } of connections.all()) socket.close(1001, 'The server is restarting.');
    },
  };
}

export type LiveHub = ReturnType<typeof createLiveHub>;

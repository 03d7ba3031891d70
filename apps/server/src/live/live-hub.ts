import type { WebSocket } from 'ws';
import type { ClientFrame, ServerFrame } from '@headrace/contract/live';
import { APP_VERSION, CLOSE_UNAUTHENTICATED } from '@headrace/contract/limits';
import type { NotificationPreferences } from '@headrace/contract/notifications';
import type { Caller } from '../http/access-gate.ts';
import { hearFrames } from './client-frames.ts';
import { type Connection, type LiveChannel, openConnection, send, type Wire } from './connection.ts';
import { createConnections } from './connections.ts';
import type { LivePublisher } from './live-publisher.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createLiveNews, type NewsSources } from './live-news.ts';
import { createLiveRights, mayListen, type RightsSources } from './live-rights.ts';

/** Rights and sessions are read again this often, ms, in case news of a change was lost. */
const RECHECK_MS = 30_000;
/** The same for every question. */
const PONG = JSON.stringify({ type: 'pong', data: {} } satisfies ServerFrame);

/** RFC 6455's registry: try again later. */
const CLOSE_TRY_LATER = 1013;
const TOO_MANY_TEXT = 'Too many pages are open: close some.';
/** Time for a refused connection to close, ms. */
const FAREWELL_MS = 5000;

function turnAway(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), FAREWELL_MS).unref();
}

/** What the hub needs from features. It is passed in, so that `live` imports none of them. */
export interface LiveSources extends RightsSources, NewsSources {
  /** settings, default_settings and permissions, in the order they are sent. */
  openingFrames(accountId: number, now: Date): Promise<ServerFrame[]>;
  /** By which ways the account wants to be notified, as its browser says. */
  setNotificationPreferences(caller: Caller, wanted: NotificationPreferences, now: Date): Promise<void>;
}

export interface LiveHubParts {
  readonly live: LivePublisher;
  readonly now: () => Date;
  readonly log: { warn(details: object, message: string): void };
}

/**
 * All live connections of this server. A connection receives news of a farm only while its account may read that kind of device
 * there. Rights and sessions are read again every half minute, and at once when news of a change arrives.
 */
export function createLiveHub(sources: LiveSources, { live, now, log }: LiveHubParts) {
  const onError = (error: unknown) => log.warn({ err: error }, 'rights of a live connection not read');
  const connections = createConnections(now);
  const rights = createLiveRights(sources, connections, now, onError);
  const news = createLiveNews({ sources, connections, rights, now, log, onError });
  const heartbeat = createHeartbeat(connections);
  const timer = setInterval(() => void rights.recheckAll(), RECHECK_MS);
  timer.unref();
  live.listen(news.listener);

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
      case 'ping':
        return send(connection, PONG);
      default:
        return frame satisfies never;
    }
  }

  return {
    /** Takes over an upgraded socket: refuses a bad token with 4401, else sends the opening frames. */
    async accept(
      socket: WebSocket,
      token: string,
      { channel = 'everything', wire = null }: { channel?: LiveChannel; wire?: Wire | null } = {},
    ): Promise<void> {
      const heard: ClientFrame[] = [];
      let hearFrame = (frame: ClientFrame): void => void heard.push(frame);
      hearFrames(socket, (frame) => hearFrame(frame));
      const caller = token ? await sources.callerOf(token, now()) : null;
      if (!mayListen(caller)) return turnAway(socket, CLOSE_UNAUTHENTICATED, 'Please sign in.');
      if (connections.areTooMany(caller)) return turnAway(socket, CLOSE_TRY_LATER, TOO_MANY_TEXT);
      const connection = openConnection({ socket, wire, channel, caller, token });
      for (const word of ['message', 'pong']) socket.on(word, () => (connection.quietMs = 0));
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

    /** For news that every server receives by itself. */
    listener: news.listener,

    count: connections.count,

    stop(): void {
      clearInterval(timer);
      heartbeat.stop();
      news.stop();
      for (const { socket } of connections.all()) socket.close(1001, 'The server is restarting.');
    },
  };
}

export type LiveHub = ReturnType<typeof createLiveHub>;

import type { IpcStatus, SprinklerCounts } from '@headrace/contract/groups';
import { CLOSE_UNAUTHENTICATED } from '@headrace/contract/limits';
import { type ServerFrame, UNITS_ALONE, UNITS_IN_BATCH } from '@headrace/contract/live';
import { toUnitRow } from '@headrace/contract/rules/unit-rows';
import type { Caller } from '../http/access-gate.ts';
import { type Connection, hashOf, type LiveGrant, mayHear, send, sendIfQuick } from './connection.ts';
import { type Connections, hasOne } from './connections.ts';
import type { LiveEvent, LiveListener, News } from './live-bus.ts';
import type { LiveRights } from './live-rights.ts';
import { createCountNews } from './count-news.ts';
import { createRecordNews } from './record-news.ts';
import { createSprinklerNews, type WatchedFarm } from './sprinkler-news.ts';
import { neededForCounts, neededForRecords, neededForSprinklers } from './status-event.ts';

/** RFC 6455's registry: the service restarts, the client should connect again. */
const CLOSE_COME_BACK = 1012;

export interface NewsSources {
  /** The account's notifications as this browser is to have them. */
  notifications(caller: Caller): Promise<ServerFrame>;
  /** How those of the farm's sprinklers with these uids are; who is no more is left out. */
  sprinklers(farmId: number, uids: ReadonlySet<string>, now: Date): Promise<readonly IpcStatus[]>;
  /** The uids of those of the farm's sprinklers that a schedule is being sent to. */
  sprinklersSentTo(farmId: number): Promise<ReadonlySet<string>>;
  /** How many of the farm's sprinklers are how; null: there is no such farm. */
  sprinklerCounts(farmId: number, now: Date): Promise<SprinklerCounts | null>;
}

export interface NewsOptions {
  sources: NewsSources;
  connections: Connections;
  rights: LiveRights;
  now: () => Date;
  log: { warn(details: object, message: string): void };
  /** Rights or notifications of a connection could not be read. */
  onError: (error: unknown) => void;
}

/** What news is to this server's connections, wherever it came from. */
export function createLiveNews({ sources, connections, rights, now, log, onError }: NewsOptions) {
  const watchersOf = ({ farmId }: WatchedFarm): Connection[] =>
    [...connections.watching(farmId)].flatMap(({ connection, grant }) =>
      connection.watched?.sprinklers !== false && hasOne(grant, neededForSprinklers) ? [connection] : [],
    );

  const sprinklerNews = createSprinklerNews({
    isWatched: (farm) => watchersOf(farm).length > 0,
    sending: (farmId) => sources.sprinklersSentTo(farmId),
    read: (farmId, uids) => sources.sprinklers(farmId, uids, now()),
    send(farm, sprinklers) {
      const watchers = watchersOf(farm);
      for (const frame of sprinklerFrames(farm.farmUID, sprinklers, now())) {
        const told = bytesOf(frame);
        for (const watcher of watchers) sendIfQuick(watcher, told);
      }
    },
    onError: (error) => log.warn({ err: error }, 'sprinklers for live connections not read'),
  });

  const showsCounts = ({ connection, grant }: { connection: Connection; grant: LiveGrant }): boolean =>
    connection.watched?.sprinklers === false && hasOne(grant, neededForCounts);
  const countersOf = ({ farmId }: WatchedFarm): Connection[] =>
    [...connections.watching(farmId)].flatMap((one) => (showsCounts(one) ? [one.connection] : []));

  const countNews = createCountNews({
    watched: () => connections.watchedFarms().filter((farm) => countersOf(farm).length > 0),
    isWatched: (farm) => countersOf(farm).length > 0,
    read: (farmId) => sources.sprinklerCounts(farmId, now()),
    send({ farmId, farmUID }, counts) {
      const frame: ServerFrame = { type: 'ipc_counts', data: { farmUID, at: now().toISOString(), counts } };
      const told = bytesOf(frame);
      for (const watcher of countersOf({ farmId, farmUID })) sendIfQuick(watcher, told);
    },
    onError: (error) => log.warn({ err: error }, 'sprinklers for live connections not counted'),
  });

  const recordNews = createRecordNews((farmId, changed) => {
    for (const { connection, grant } of connections.watching(farmId)) {
      const kinds = [...changed].flatMap(([kind, pages]) =>
        hasOne(grant, neededForRecords[kind]) && !isOwn(connection, pages) ? [kind] : [],
      );
      const frame: ServerFrame = { type: 'records_update', data: { farmUID: grant.farmUID, kinds } };
      if (kinds.length > 0) send(connection, JSON.stringify(frame));
    }
  });

  function toFarm(event: LiveEvent): void {
    sprinklerNews.hear(event);
    countNews.hear(event);
    if (!connections.hasFarm(event.farmId)) return;
    const { farmId, frame, anyOf } = event;
    const told = bytesOf(frame);
    // Of five thousand units it is long: for who shows them.
    const hearers =
      frame.type === 'ipc_stops'
        ? watchersOf({ farmId, farmUID: frame.data.farmUID })
        : connections.mayKnow(farmId, anyOf);
    for (const connection of hearers) send(connection, told);
  }

  function toAccount({ accountId, frame, except }: News & { kind: 'account' }): void {
    const text = JSON.stringify(frame);
    for (const connection of connections.ofAccount(accountId)) {
      const isSender = except !== undefined && hashOf(connection) === except;
      if (!isSender && mayHear(connection, frame)) send(connection, text);
    }
  }

  async function sendNotifications(accountId: number): Promise<void> {
    for (const connection of connections.ofAccount(accountId))
      send(connection, JSON.stringify(await sources.notifications(connection.caller)));
  }

  function closeSession(tokenHash: string, code: number, why: string): void {
    for (const { socket } of connections.ofSession(tokenHash)) socket.close(code, why);
  }

  function hear(news: News): void | Promise<void> {
    switch (news.kind) {
      case 'farm':
        return toFarm(news.event);
      case 'account':
        return toAccount(news);
      case 'session-ended':
        return closeSession(news.tokenHash, CLOSE_UNAUTHENTICATED, 'Signed out.');
      case 'session-renewed':
        return closeSession(news.tokenHash, CLOSE_COME_BACK, 'Please connect again.');
      case 'access-changed':
        return rights.recheckAccount(news.accountId).catch(onError);
      case 'notifications-changed':
        return sendNotifications(news.accountId).catch(onError);
      case 'records-changed':
        return recordNews.hear(news);
      case 'devices-changed':
      case 'sender-disconnected':
      case 'incomplete':
        return;
      default:
        return news satisfies never;
    }
  }

  const listener: LiveListener = {
    onNews: hear,
    // Browsers fetch anew when they come back, and their rights are read anew: nothing that was missed stays missed.
    onGap() {
      for (const { socket } of connections.all()) socket.close(CLOSE_COME_BACK, 'Please connect again.');
    },
  };
  return {
    listener,
    stop(): void {
      sprinklerNews.stop();
      countNews.stop();
      recordNews.stop();
    },
  };
}

const bytesOf = (frame: ServerFrame) => Buffer.from(JSON.stringify(frame));

/** A few one by one, many together: hundreds of frames in a second are work for each browser. */
function sprinklerFrames(farmUID: string, units: readonly IpcStatus[], at: Date): ServerFrame[] {
  if (units.length <= UNITS_ALONE)
    return units.map((ipc) => ({ type: 'ipc_status_update', data: { farmUID, ipc } }));
  return Array.from({ length: Math.ceil(units.length / UNITS_IN_BATCH) }, (_, nth) => ({
    type: 'ipc_status_batch',
    data: {
      farmUID,
      at: at.toISOString(),
      units: units.slice(nth * UNITS_IN_BATCH, (nth + 1) * UNITS_IN_BATCH).map(toUnitRow),
    },
  }));
}

/** Its page did all of it, and knows. */
const isOwn = ({ page }: Connection, pages: ReadonlySet<string | undefined>): boolean =>
  page !== null && pages.size === 1 && pages.has(page);

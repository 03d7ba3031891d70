import type { ServerFrame } from '@headrace/contract/live';
import type { LiveBus, LiveEvent, LiveListener, News } from './live-bus.ts';

/**
 * Says what open pages should hear: on this server at once, on the others by the bus. It knows no connections, so that features can
 * have it before there is a hub that asks them who may hear what.
 */
export function createLivePublisher(bus: LiveBus) {
  const listeners: LiveListener[] = [];

  function tellAll(news: News) {
    bus.tell(news);
    return listeners.map((listener) => listener.onNews(news));
  }

  return {
    /** Hears what is said here and on other servers. */
    listen(listener: LiveListener): void {
      listeners.push(listener);
      bus.listen(listener);
    },

    /** Tells everyone who may know. */
    publish(events: readonly LiveEvent[]): void {
      for (const event of events) void tellAll({ kind: 'farm', event });
    },

    /** Sends a frame to an account's connections, but for the one with this session. */
    toAccount(accountId: number, frame: ServerFrame, except?: Buffer): void {
      void tellAll({ kind: 'account', accountId, frame, except: except?.toString('hex') });
    },

    /** A session ended: its connections close at once. */
    endSession(tokenHash: Buffer): void {
      void tellAll({ kind: 'session-ended', tokenHash: tokenHash.toString('hex') });
    },

    /** A session has another token: its connections come back with it. */
    renewSession(tokenHash: Buffer): void {
      void tellAll({ kind: 'session-renewed', tokenHash: tokenHash.toString('hex') });
    },

    /** An account's rights changed: resolves once they were read again here, before anything more is sent. */
    async accessChanged(accountId: number): Promise<void> {
      for (const done of tellAll({ kind: 'access-changed', accountId })) await done;
    },

    /** The list, its count or the preferences of an account are others now: each of its browsers gets them. */
    notificationsChanged(accountId: number): void {
      void tellAll({ kind: 'notifications-changed', accountId });
    },
  };
}
export type LivePublisher = ReturnType<typeof createLivePublisher>;

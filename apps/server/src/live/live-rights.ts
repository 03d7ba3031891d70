import { CLOSE_UNAUTHENTICATED } from '@headrace/contract/limits';
import type { Caller } from '../http/access-gate.ts';
import type { Connection, LiveGrant } from './connection.ts';
import type { Connections } from './connections.ts';

export interface RightsSources {
  callerOf(token: string, now: Date): Promise<Caller | null>;
  grantsOf(accountId: number, now: Date): Promise<LiveGrant[]>;
}

/** Who still has to choose a password may do nothing else: see beforeNewPassword. */
export const mayListen = (caller: Caller | null): caller is Caller =>
  caller !== null && !caller.mustChangePassword;

/** Sessions and rights of connections, read anew: a connection whose session is over is closed. */
export function createLiveRights(
  sources: RightsSources,
  connections: Connections,
  now: () => Date,
  onError: (error: unknown) => void,
) {
  async function recheck(connection: Connection): Promise<void> {
    const turn = (connection.asked += 1);
    const caller = await sources.callerOf(connection.token, now());
    if (!mayListen(caller)) connection.socket.close(CLOSE_UNAUTHENTICATED, 'Please sign in.');
    else if (connection.channel === 'everything') {
      const grants = await sources.grantsOf(caller.accountId, now());
      if (turn === connection.asked && connections.has(connection)) connections.grant(connection, grants);
    }
  }

  let isUnderWay = false;

  return {
    recheck,

    /** Until its rights are read, the account hears of no farm, on none of its pages. */
    async recheckAccount(accountId: number): Promise<void> {
      const own = [...connections.ofAccount(accountId)];
      for (const connection of own) connections.revoke(connection);
      await Promise.all(own.map(recheck));
    },

    /** One after the other; not again while the last time is still under way, as with a slow database. */
    async recheckAll(): Promise<void> {
      if (isUnderWay) return;
      isUnderWay = true;
      for (const connection of connections.all()) {
        await recheck(connection).catch(onError);
      }
      isUnderWay = false;
    },
  };
}
export type LiveRights = ReturnType<typeof createLiveRights>;

import { hasRight, type Right } from '@headrace/contract/permissions';
import type { Caller } from '../http/access-gate.ts';
import { type Connection, hashOf, type LiveGrant } from './connection.ts';

export const hasOne = ({ permissions }: LiveGrant, anyOf: readonly Right[]): boolean =>
  anyOf.some((right) => hasRight(permissions, right));

/** Pages that one browser (they share its session), and one account in all its browsers, may have open. */
const MAX_PER_SESSION = 100;
const MAX_PER_ACCOUNT = 500;

/** All live connections of this server, and by farm those that may hear something of it. */
/** `now`: what ends by itself is over at its time, whoever tells it when. */
export function createConnections(now: () => Date) {
  const all = new Set<Connection>();
  const byFarm = new Map<number, Set<Connection>>();

  const holds = ({ endsAt }: LiveGrant) => endsAt === null || endsAt > now();

  function leaveFarms(connection: Connection): void {
    for (const farmId of connection.grants.keys()) {
      const there = byFarm.get(farmId);
      there?.delete(connection);
      if (there?.size === 0) byFarm.delete(farmId);
    }
  }

  function* where(is: (connection: Connection) => boolean): Iterable<Connection> {
    for (const connection of all) if (is(connection)) yield connection;
  }

  return {
    all: (): Iterable<Connection> => all,
    count: () => all.size,

    /** Of this session, or of its account: one more would be too much. */
    areTooMany({ accountId, tokenHash }: Caller): boolean {
      let [account, session] = [0, 0];
      for (const { caller } of all) {
        if (caller.accountId !== accountId) continue;
        account += 1;
        if (caller.tokenHash.equals(tokenHash)) session += 1;
      }
      return session >= MAX_PER_SESSION || account >= MAX_PER_ACCOUNT;
    },

    has: (connection: Connection) => all.has(connection),
    add: (connection: Connection) => void all.add(connection),

    remove(connection: Connection): void {
      all.delete(connection);
      leaveFarms(connection);
    },

    /** From now on it hears of these farms, as far as it may, and of no other. */
    grant(connection: Connection, grants: readonly LiveGrant[]): void {
      leaveFarms(connection);
      connection.grants = new Map(grants.map((grant) => [grant.farmId, grant]));
      for (const farmId of connection.grants.keys()) {
        const there = byFarm.get(farmId) ?? new Set();
        byFarm.set(farmId, there.add(connection));
      }
    },

    /** It hears of no farm until it is granted some again. */
    revoke: leaveFarms,

    hasFarm: (farmId: number) => byFarm.has(farmId),

    /** Those that have one of the rights there. */
    *mayKnow(farmId: number, anyOf: readonly Right[]): Iterable<Connection> {
      for (const connection of byFarm.get(farmId) ?? []) {
        const grant = connection.grants.get(farmId);
        if (grant && holds(grant) && hasOne(grant, anyOf)) yield connection;
      }
    },

    /** Those that look at the farm, with what they may do there. */
    *watching(farmId: number): Iterable<{ connection: Connection; grant: LiveGrant }> {
      for (const connection of byFarm.get(farmId) ?? []) {
        const grant = connection.grants.get(farmId);
        if (grant && holds(grant) && grant.farmUID === connection.watched?.farmUID)
          yield { connection, grant };
      }
    },

    /** Farms that are looked at, each once. */
    watchedFarms(): { farmId: number; farmUID: string }[] {
      const farms = new Map<number, { farmId: number; farmUID: string }>();
      for (const { grants, watched } of all)
        for (const { farmId, farmUID } of grants.values())
          if (farmUID === watched?.farmUID) farms.set(farmId, { farmId, farmUID });
      return [...farms.values()];
    },

    ofAccount: (accountId: number) => where(({ caller }) => caller.accountId === accountId),
    ofSession: (tokenHash: string) => where((connection) => hashOf(connection) === tokenHash),
  };
}
export type Connections = ReturnType<typeof createConnections>;

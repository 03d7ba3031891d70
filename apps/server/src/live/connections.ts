import { hasRight, type Right } from '@headrace/contract/permissions';
import { type Connection, hashOf, type LiveGrant } from './connection.ts';

export const hasOne = ({ permissions }: LiveGrant, anyOf: readonly Right[]): boolean =>
  anyOf.some((right) => hasRight(permissions, right));

/** All live connections of this server, and by farm those that may hear something of it. */
export function createConnections() {
  const all = new Set<Connection>();
  const byFarm = new Map<number, Set<Connection>>();

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
        if (grant && hasOne(grant, anyOf)) yield connection;
      }
    },

    /** Those that look at the farm, with what they may do there. */
    *watching(farmId: number): Iterable<{ connection: Connection; grant: LiveGrant }> {
      for (const connection of byFarm.get(farmId) ?? []) {
        const grant = connection.grants.get(farmId);
        if (grant && grant.farmUID === connection.watched?.farmUID) yield { connection, grant };
      }
    },

    ofAccount: (accountId: number) => where(({ caller }) => caller.accountId === accountId),
    ofSession: (tokenHash: string) => where((connection) => hashOf(connection) === tokenHash),
  };
}
export type Connections = ReturnType<typeof createConnections>;

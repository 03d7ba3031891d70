import type { Pool } from 'pg';
import { readDue, waitingFarms } from './due-uplinks.ts';
import type { createFairTurns, Worker } from './fair-turns.ts';
import type { FarmWork } from './farm-work.ts';
import type { createSensorTurns } from './sensor-turns.ts';

/** Farms whose uplinks are in memory at the same time. */
const FARMS = 16;

/** Which farms' stored uplinks are next to be decoded, and what they are. */
export function createNextFarms(
  pool: Pool,
  turns: ReturnType<typeof createFairTurns>,
  sensors: ReturnType<typeof createSensorTurns>,
) {
  return {
    /** One farm of each account, whose turn comes soonest. */
    async wanted(): Promise<Worker[]> {
      const accounts = new Set<number>();
      return turns
        .ranked(await waitingFarms(pool))
        .filter(({ accountId }) => accounts.size < accounts.add(accountId).size)
        .slice(0, FARMS);
    },

    async read(farms: readonly Worker[]): Promise<FarmWork[]> {
      const readAt = performance.now();
      const due = await readDue(
        pool,
        farms.map(({ farmId }) => farmId),
      );
      return farms.flatMap(({ farmId, accountId }) => {
        const waiting = sensors.inTurn(due.filter((held) => held.due.farmId === farmId));
        return waiting.length === 0 ? [] : [{ farmId, accountId, waiting, readAt, unstored: 0, again: [] }];
      });
    },
  };
}

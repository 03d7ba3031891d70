import { randomBytes } from 'node:crypto';
import type { IpcStatus } from '@headrace/contract/groups';

/**
 * Numbers statuses by the order in which this server came to know them, so that a reply can leave out what its caller has. A status
 * that changes is another object and gets another number. Nothing is kept of who was told what.
 */
export function createStatusVersions() {
  /** A server that was started anew, or another one, knows nothing of these numbers. */
  const run = randomBytes(6).toString('hex');
  const numbers = new WeakMap<IpcStatus, number>();
  /** By farm, the last number that was given. */
  const lasts = new Map<number, number>();
  const lastOf = (farmId: number) => lasts.get(farmId) ?? 0;

  function numberNew(farmId: number, units: readonly IpcStatus[]): void {
    let last = lastOf(farmId);
    for (const unit of units) if (!numbers.has(unit)) numbers.set(unit, (last += 1));
    lasts.set(farmId, last);
  }

  return {
    /** Before a farm is read; what it gives numbers what was read, and is the version of a reply made of it. */
    begin(farmId: number): (units: readonly IpcStatus[]) => string {
      const before = lastOf(farmId);
      return (units) => {
        // What others have numbered meanwhile may be newer than what was read here.
        const isAlone = lastOf(farmId) === before;
        numberNew(farmId, units);
        return `${run}.${isAlone ? lastOf(farmId) : before}`;
      };
    },

    /** What a caller with this version hasn't seen; null: everything. */
    newerThan(version: string | undefined): ((unit: IpcStatus) => boolean) | null {
      const [of, number] = version?.split('.') ?? [];
      if (of !== run || !number) return null;
      const seen = Number(number);
      return (unit) => (numbers.get(unit) ?? Infinity) > seen;
    },
  };
}

import { randomBytes } from 'node:crypto';

/**
 * Numbers the rows of a farm's list in the order in which this server first had them, so that a reply can leave out what its caller
 * has. A row that changes must be a new object, and gets a new number. Nothing is kept about callers.
 */
export function createRowVersions<Row extends object>() {
  /** A server that was started anew, or another one, knows nothing of these numbers. */
  const run = randomBytes(6).toString('hex');
  const numbers = new WeakMap<Row, number>();
  /** By farm, the last number that was given. */
  const lasts = new Map<number, number>();
  const lastOf = (farmId: number) => lasts.get(farmId) ?? 0;

  function numberNew(farmId: number, rows: readonly Row[]): void {
    let last = lastOf(farmId);
    for (const row of rows) if (!numbers.has(row)) numbers.set(row, (last += 1));
    lasts.set(farmId, last);
  }

  return {
    /** Before a farm is read; what it gives numbers what was read, and is the version of a reply made of it. */
    begin(farmId: number): (rows: readonly Row[]) => string {
      const before = lastOf(farmId);
      return (rows) => {
        // What others have numbered meanwhile may be newer than what was read here.
        const isAlone = lastOf(farmId) === before;
        numberNew(farmId, rows);
        return `${run}.${isAlone ? lastOf(farmId) : before}`;
      };
    },

    /** What a caller with this version hasn't seen; null: everything. */
    newerThan(version: string | undefined): ((row: Row) => boolean) | null {
      const [of, number] = version?.split('.') ?? [];
      if (of !== run || !number) return null;
      const seen = Number(number);
      return (row) => (numbers.get(row) ?? Infinity) > seen;
    },
  };
}

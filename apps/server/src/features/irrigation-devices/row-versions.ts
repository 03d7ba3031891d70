import { randomBytes } from 'node:crypto';

/**
 * Numbers the rows of a farm's list in the order in which this server first saw them, so that a reply can leave out rows that the caller
 * already has. A changed row must be a new object: it gets a new number. Nothing is stored about callers.
 */
export function createRowVersions<Row extends object>() {
  /** Numbers of another server, or from before a restart, mean nothing here. */
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
    /** Call before reading a farm, then call the result with the rows read: it numbers them and returns the version of the reply. */
    begin(farmId: number): (rows: readonly Row[]) => string {
      const before = lastOf(farmId);
      return (rows) => {
        // Rows numbered meanwhile by other calls may be newer than those read here.
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

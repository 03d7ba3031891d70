/**
 * Rows of a list of thousands: members that have their usual value are left out and added again by the reader. Both sides use the same
 * `usual`, which is part of the contract.
 */
export function shortRows<
  Full extends object,
  const Always extends keyof Full,
  const Usual extends Partial<Full>,
>(always: readonly Always[], usual: Usual) {
  type Row = Pick<Full, Always> & Partial<Pick<Full, keyof Usual & keyof Full>>;
  const usualMembers = Object.entries(usual) as [keyof Full & keyof Usual, unknown][];
  return {
    toRow(full: Full): Row {
      const row: Partial<Full> = {};
      for (const name of always) row[name] = full[name];
      for (const [name, value] of usualMembers) if (!isUsual(full[name], value)) row[name] = full[name];
      return row as Row;
    },
    fromRow: (row: Row) => ({ ...usual, ...row }) as Pick<Full, Always | (keyof Usual & keyof Full)>,
  };
}

/** Of lists only the empty one is usual. */
const isUsual = (value: unknown, usual: unknown): boolean =>
  value === usual || (Array.isArray(value) && Array.isArray(usual) && value.length === 0);

/** For the contract's pages: "charge null, groups []". */
export const usualText = (usual: object): string =>
  Object.entries(usual)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ');

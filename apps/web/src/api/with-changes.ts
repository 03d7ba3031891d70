interface Changes<Row> {
  readonly rows: readonly Row[];
  /** True: all rows. False: only rows that are new or have changed. */
  readonly isWhole: boolean;
  readonly total: number;
}

/**
 * The list after a reply that may hold only changes. Unchanged rows stay the same objects, so they are not drawn again. Null: some rows are
 * gone and the reply does not say which, so the list must be fetched whole.
 */
export function withChanges<Row>(
  known: readonly Row[] = [],
  { rows, isWhole, total }: Changes<Row>,
  idOf: (row: Row) => string,
): Row[] | null {
  const changed = new Map(rows.map((row) => [idOf(row), row]));
  const before = isWhole ? [] : known.map((row) => changed.get(idOf(row)) ?? row);
  const ids = new Set(before.map(idOf));
  const all = [...before, ...rows.filter((row) => !ids.has(idOf(row)))];
  return all.length === total ? all : null;
}

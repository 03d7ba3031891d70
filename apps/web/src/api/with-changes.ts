interface Changes<Row> {
  readonly rows: readonly Row[];
  /** They are all that there are; false: only those that are new or have changed. */
  readonly isWhole: boolean;
  readonly total: number;
}

/**
 * A list after a reply that may tell only what changed since the one before. Rows that did not change stay the same objects, and are
 * not drawn again. Null: some of the known rows are gone, and which ones isn't known.
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

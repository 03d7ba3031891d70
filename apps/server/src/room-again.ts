const DAY_MS = 86_400_000;

/** What was used of a limit over 24 hours, at one moment. */
export interface Use {
  readonly at: Date;
  readonly count: number;
}

/**
 * When `wanted` more will fit into `limit`, which counts the uses of the last 24 hours: `now` or a later moment. More than the limit
 * itself never fits; then it is a day from now.
 */
export function roomAgain(uses: readonly Use[], limit: number, wanted: number, now: Date): Date {
  if (wanted > limit) return new Date(now.getTime() + DAY_MS);
  const since = now.getTime() - DAY_MS;
  const counted = uses
    .filter(({ at }) => at.getTime() > since)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  let used = sumOf(counted);
  let again = now;
  for (const { at, count } of counted) {
    if (used + wanted <= limit) break;
    used -= count;
    again = new Date(at.getTime() + DAY_MS);
  }
  return again;
}

export interface RoomLeft {
  readonly left: number;
  /** When there is more than that; null: nothing was used. */
  readonly moreAt: Date | null;
}

/** What is left of a limit over 24 hours; `uses` are those of the last 24. */
export function roomLeft(uses: readonly Use[], limit: number, now: Date): RoomLeft {
  const left = Math.max(0, limit - sumOf(uses));
  return { left, moreAt: left < limit ? roomAgain(uses, limit, left + 1, now) : null };
}

const sumOf = (uses: readonly Use[]) => uses.reduce((sum, { count }) => sum + count, 0);

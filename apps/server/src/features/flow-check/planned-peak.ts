/** From when until when a sprinkler gives its water, or may. Epoch ms. */
export interface Giving {
  readonly unit: string;
  readonly lps: number;
  readonly from: number;
  readonly to: number;
  readonly isSure: boolean;
}

/** L/s: the most of what is sure, and of all, that is given at a time. */
export interface Peak {
  readonly sure: number;
  readonly all: number;
}

/** At any moment from `since` (epoch ms) on. A sprinkler gives its water once, however often it is planned. */
export const peakOf = (givings: readonly Giving[], since: number): Peak => ({
  sure: mostAtOnce(
    givings.filter(({ isSure }) => isSure),
    since,
  ),
  all: mostAtOnce(givings, since),
});

function mostAtOnce(givings: readonly Giving[], since: number): number {
  const changes = givings
    .filter(({ to }) => to > since)
    .flatMap(({ unit, lps, from, to }) => [
      { unit, lps, at: Math.max(from, since), by: 1 },
      { unit, lps, at: to, by: -1 },
    ])
    // Who ends makes room for who begins then.
    .toSorted((one, other) => one.at - other.at || one.by - other.by);
  const open = new Map<string, number>();
  let [sum, most] = [0, 0];
  for (const { unit, lps, by } of changes) {
    const before = open.get(unit) ?? 0;
    open.set(unit, before + by);
    if (before === 0 && by === 1) sum += lps;
    if (before === 1 && by === -1) sum -= lps;
    most = Math.max(most, sum);
  }
  return most;
}

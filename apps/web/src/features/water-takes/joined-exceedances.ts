import type { TakeExceedance } from '@headrace/contract/water-takes';

export interface JoinedExceedance extends TakeExceedance {
  /** How many are told as one. */
  readonly count: number;
}

/** Quarters above one rate that follow each other as one, by the highest of them; a night was forty lines. The newest first, as they come. */
export function joinedExceedances(exceedances: readonly TakeExceedance[]): JoinedExceedance[] {
  const found: JoinedExceedance[] = [];
  let open: { nth: number; from: string } | null = null;
  for (const one of exceedances) {
    const later = open && found[open.nth];
    if (open && later && one.limit === 'rate' && one.at.to === open.from && isOfOneLimit(one, later))
      found[open.nth] = joined(one, later);
    else found.push({ ...one, count: 1 });
    if (one.limit === 'rate')
      open = { nth: found.findLastIndex(({ limit }) => limit === 'rate'), from: one.at.from };
  }
  return found;
}

const isOfOneLimit = (a: TakeExceedance, b: TakeExceedance) =>
  a.most === b.most && a.isRestricted === b.isRestricted;

const joined = (earlier: TakeExceedance, later: JoinedExceedance): JoinedExceedance => ({
  ...later,
  at: { from: earlier.at.from, to: later.at.to },
  count: later.count + 1,
  value: Math.max(earlier.value, later.value),
  isWhole: earlier.isWhole && later.isWhole,
  isWithinAccuracy: earlier.isWithinAccuracy && later.isWithinAccuracy,
});

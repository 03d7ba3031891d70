/** What a group uses, L on the mean of its days. */
export interface GroupUse {
  readonly groupUID: string;
  readonly litresADay: number;
}

export interface Restricted {
  /** All of them, L a day, and what is left to them. */
  readonly beforeLitres: number;
  readonly allowedLitres: number;
  /** Of those that go on. */
  readonly afterLitres: number;
  readonly isEnough: boolean;
}

/** A spoonful more is no breach, L a day. */
const ROUNDING = 1;

/** `share`: by how much less may be taken; 1: nothing may. */
export function restricted(
  groups: readonly GroupUse[],
  stopped: ReadonlySet<string>,
  share: number,
): Restricted {
  const sum = (some: readonly GroupUse[]) => some.reduce((litres, { litresADay }) => litres + litresADay, 0);
  const beforeLitres = sum(groups);
  const allowedLitres = beforeLitres * (1 - share);
  const afterLitres = sum(groups.filter(({ groupUID }) => !stopped.has(groupUID)));
  return { beforeLitres, allowedLitres, afterLitres, isEnough: afterLitres <= allowedLitres + ROUNDING };
}

/** Who stops, so that no more is taken than may be: groups go on in their order as far as the water reaches. */
export function suggestStops(groups: readonly GroupUse[], share: number): string[] {
  const { allowedLitres } = restricted(groups, new Set(), share);
  let left = allowedLitres + ROUNDING;
  return groups.flatMap(({ groupUID, litresADay }) => {
    if (litresADay > 0 && litresADay <= left && share < 1) {
      left -= litresADay;
      return [];
    }
    return litresADay > 0 ? [groupUID] : [];
  });
}

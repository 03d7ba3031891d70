/** A farm whose devices speak all the time is looked at in the regular turns alone, ms. */
const LATELY_MS = 2000;

/** Farms whose devices have spoken, until what they said was looked at. Times in epoch ms. */
export function createSpokenFarms() {
  const spoke = new Set<number>();
  const lookedAt = new Map<number, number>();
  return {
    add(farmIds: Iterable<number>): void {
      for (const farmId of farmIds) spoke.add(farmId);
    },

    looked: (farmId: number, now: number): void => void lookedAt.set(farmId, now),

    /** Those to look at now; of a turn before its time those alone that were not looked at lately. */
    take(now: number, isWoken: boolean): Set<number> {
      const taken = [...spoke].filter(
        (farmId) => !isWoken || Math.abs(now - (lookedAt.get(farmId) ?? 0)) >= LATELY_MS,
      );
      for (const farmId of taken) spoke.delete(farmId);
      return new Set(taken);
    },
  };
}

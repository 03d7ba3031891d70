/** A farm whose devices speak all the time is looked at by the first regular turn after so long: within six seconds, ms. */
const LATELY_MS = 4000;

/** Farms whose devices have spoken, until what they said was looked at. Times in epoch ms. */
export function createSpokenFarms() {
  const spoke = new Set<number>();
  const takenAt = new Map<number, number>();
  return {
    add(farmIds: Iterable<number>): void {
      for (const farmId of farmIds) spoke.add(farmId);
    },

    /** Those to look at now: it was some time ago that they were for their devices' words. */
    take(now: number): Set<number> {
      const taken = [...spoke].filter((farmId) => Math.abs(now - (takenAt.get(farmId) ?? 0)) >= LATELY_MS);
      for (const farmId of taken) {
        spoke.delete(farmId);
        takenAt.set(farmId, now);
      }
      return new Set(taken);
    },
  };
}

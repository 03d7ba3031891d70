/** What roots can take from the soil when it is full, mm, and the share of it that they take without effort (FAO-56, TAW and p). */
export interface SoilStore {
  readonly tawMm: number;
  readonly easyShare: number;
}

/** A day's water, mm. */
export interface DayWater {
  /** Of the reference crop, and how much more or less this one uses (FAO-56, ET0 and Kc). */
  readonly et0Mm: number;
  readonly kc: number;
  /** Measured, not forecast. */
  readonly rainMm: number;
  /** By what valves did, not by the plan. */
  readonly appliedMm: number;
  /** Share of it that reaches the roots, until a bucket test says: 0.85. */
  readonly efficiency: number;
}

/**
 * What the soil lacks after a day, mm, of what it lacked before (FAO-56, Dr): dry roots draw less, rain under a fifth of the reference
 * crop's use never reaches them, and what is more than the soil holds runs through.
 */
export function depletionAfter(depletionMm: number, { tawMm, easyShare }: SoilStore, day: DayWater): number {
  const easyMm = easyShare * tawMm;
  const stress = depletionMm > easyMm ? (tawMm - depletionMm) / (tawMm - easyMm) : 1;
  const rainMm = day.rainMm < 0.2 * day.et0Mm ? 0 : day.rainMm;
  const after = depletionMm + stress * day.kc * day.et0Mm - rainMm - day.efficiency * day.appliedMm;
  return Math.min(tawMm, Math.max(0, after));
}

export interface AdviceOptions {
  readonly tawMm: number;
  /** What the crop is to use each day, mm. */
  readonly etcMm: number;
  /** mm of one cycle, and days until it has come to the last sprinkler. */
  readonly cycleMm: number;
  readonly roundDays: number;
  /** Shares of a full soil: at or below which water is due, and up to which. */
  readonly triggerShare: number;
  readonly targetShare: number;
}

/** How many cycles to give now: none as long as the last sprinkler's turn comes in time without; as many as the soil takes up to the target, else. */
export function adviseCycles(
  depletionMm: number,
  { tawMm, etcMm, cycleMm, roundDays, triggerShare, targetShare }: AdviceOptions,
): number {
  const atLastTurn = Math.min(tawMm, depletionMm + etcMm * roundDays);
  if (1 - atLastTurn / tawMm > triggerShare) return 0;
  const depthMm = depletionMm - (1 - targetShare) * tawMm;
  return Math.max(1, Math.floor(depthMm / cycleMm));
}

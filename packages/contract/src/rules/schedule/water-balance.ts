import { depletionAfter } from './advise-depth.ts';
import { fullMm, type SoilSettings } from './soil-settings.ts';

/** What is known of the water of a day, mm; null: not known. */
export interface KnownDay {
  /** YYYY-MM-DD */
  readonly day: string;
  readonly et0Mm: number | null;
  readonly rainMm: number | null;
  /** By what valves did; `mostMm` if those that were not heard watered as planned. */
  readonly appliedMm: number | null;
  readonly mostMm: number | null;
}

export interface BalanceDay extends KnownDay {
  /** Of the crop: ET0 × Kc, without what a dry soil holds back. */
  readonly etcMm: number | null;
  /** What the soil lacked at the end of the day, mm; `least`: if those that were not heard watered. Null: it isn't known. */
  readonly depletionMm: number | null;
  readonly leastMm: number | null;
}

/** What the soil lacked at the end of a day. */
export interface KnownSoil {
  readonly day: string;
  readonly depletionMm: number;
}

/**
 * From a day of which it is known what the soil lacked to each day after it. A day without ET0 or irrigation ends what is known;
 * rain that nobody measured is none.
 */
export function waterBalance(start: KnownSoil, days: readonly KnownDay[], soil: SoilSettings): BalanceDay[] {
  const tawMm = fullMm(soil);
  const store = { tawMm, easyShare: soil.easyShare };
  const first = Math.min(tawMm, start.depletionMm);
  let [depletion, least]: [number | null, number | null] = [first, first];
  return days.map((day) => {
    const { et0Mm, appliedMm } = day;
    const after = (before: number | null, mm: number | null): number | null =>
      before === null || et0Mm === null || mm === null
        ? null
        : depletionAfter(before, store, {
            et0Mm,
            kc: soil.kc,
            rainMm: day.rainMm ?? 0,
            appliedMm: mm,
            efficiency: soil.efficiency,
          });
    depletion = after(depletion, appliedMm);
    least = after(least, day.mostMm ?? appliedMm);
    return {
      ...day,
      etcMm: et0Mm === null ? null : et0Mm * soil.kc,
      depletionMm: depletion,
      leastMm: least,
    };
  });
}

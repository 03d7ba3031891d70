import { toTenth } from '../rolled.ts';
import { adviseCycles } from './advise-depth.ts';
import { fullMm, type SoilSettings } from './soil-settings.ts';

export interface AdviceFacts {
  /** What the soil lacks now, mm: at the end of yesterday, less what fell and was given today. */
  readonly depletionMm: number;
  /** What the crop is to use today and on the days after it, mm. */
  readonly etcMm: readonly number[];
  /** mm that sprinklers give in one cycle, and days until it has come to the last of them. */
  readonly cycleMm: number;
  readonly roundDays: number;
  /** Forecast for today and tomorrow, less what fell today, mm; null: nothing is forecast, or nobody knows. */
  readonly rainAheadMm: number | null;
}

/** A day as it is to be, at its beginning. */
export interface OutlookDay {
  /** Share of a full soil. */
  readonly fullness: number;
  readonly depletionMm: number;
  /** What would be advised then. */
  readonly cycles: number;
}

export interface Advice {
  /** What the soil needs now. */
  readonly cycles: number;
  readonly mm: number;
  /** At the last sprinkler's turn, without water. */
  readonly fullnessAtLastTurn: number;
  /** Rain is to bring it: nothing is given until it is known whether it did. */
  readonly isHeldBack: boolean;
  /** Tomorrow and after it, if what is advised is given; no rain is counted that has not fallen. */
  readonly outlook: readonly OutlookDay[];
}

/**
 * What to give now (FAO-56 balance, filled to the target). It is held back for rain that is forecast to bring as much as is lacking, unless
 * the crop would suffer by the time that it is known whether it fell.
 */
export function advise(facts: AdviceFacts, soil: SoilSettings): Advice {
  const { depletionMm, etcMm, cycleMm, roundDays, rainAheadMm } = facts;
  const tawMm = fullMm(soil);
  const netMm = cycleMm * soil.efficiency;
  const meanEtc = etcMm.reduce((sum, mm) => sum + mm, 0) / Math.max(1, etcMm.length);
  const cyclesAt = (mm: number) =>
    adviseCycles(mm, {
      tawMm,
      etcMm: meanEtc,
      cycleMm: netMm,
      roundDays,
      triggerShare: soil.triggerShare,
      targetShare: soil.targetShare,
    });
  const cycles = cyclesAt(depletionMm);
  const lacking = toTenth(depletionMm - (1 - soil.targetShare) * tawMm);
  const atTomorrow = depletionMm + (etcMm[0] ?? 0);
  const isHeldBack =
    cycles > 0 &&
    rainAheadMm !== null &&
    rainAheadMm >= Math.max(netMm, lacking) &&
    atTomorrow <= soil.easyShare * tawMm;
  const given = isHeldBack ? 0 : cycles * netMm;
  return {
    cycles,
    mm: cycles * cycleMm,
    fullnessAtLastTurn: share(depletionMm + meanEtc * roundDays, tawMm),
    isHeldBack,
    outlook: outlookOf(Math.max(0, depletionMm - given), { etcMm, tawMm, cyclesAt }),
  };
}

interface OutlookFacts {
  readonly etcMm: readonly number[];
  readonly tawMm: number;
  readonly cyclesAt: (depletionMm: number) => number;
}

function outlookOf(depletionMm: number, { etcMm, tawMm, cyclesAt }: OutlookFacts): OutlookDay[] {
  let mm = depletionMm;
  return etcMm.map((etc) => {
    mm = Math.min(tawMm, mm + etc);
    return { fullness: share(mm, tawMm), depletionMm: mm, cycles: cyclesAt(mm) };
  });
}

const share = (depletionMm: number, tawMm: number) => Math.max(0, 1 - depletionMm / tawMm);

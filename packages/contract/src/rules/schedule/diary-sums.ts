import type { Outcome } from './match-runs.ts';
import type { DiaryEntry } from './unit-diary.ts';

/** One entry of a sprinkler's diary, as far as it counts. */
export interface DiaryCounted extends Pick<DiaryEntry, 'outcome' | 'applied' | 'isLengthKnown'> {
  readonly unit: string;
  /** It waters a part of a circle: its mm are as of a full one. */
  readonly isPart: boolean;
  /** It was to water, and people or its state kept it from that: no fault. */
  readonly isKept: boolean;
  /** What it was to give, at the rate that is set; 0: nothing was planned. L. */
  readonly plannedLitres: number;
}

export type DiaryCounts = Readonly<Record<Outcome, number>>;

export interface DiarySum {
  /** Waterings that were to be, without those that were kept from. */
  readonly planned: number;
  readonly kept: number;
  /** Of `planned` those that gave at least 90 % of their minutes, at whatever time. */
  readonly watered: number;
  /** Without those that were kept from. */
  readonly counts: DiaryCounts;
  /** Of sprinklers of a full circle of which all is known; null: there is none. mm. */
  readonly meanMm: number | null;
  /** The mean of the quarter that got least, as a share of the mean of all; null: fewer than four sprinklers, or no water. */
  readonly evenness: number | null;
  /** How many sprinklers the two above are of. */
  readonly measured: number;
  readonly litres: SummedLitres;
}

export interface SummedLitres {
  readonly least: number;
  /** Of what is known of; null: nothing is. */
  readonly believed: number | null;
  /** With all that was planned of what nothing is known of. */
  readonly most: number;
}

/** Fewer have no lowest quarter. */
const QUARTERED = 4;

/** What several entries come to. */
export function diarySum(entries: readonly DiaryCounted[]): DiarySum {
  const counts: Record<Outcome, number> = { ...noCounts };
  let kept = 0;
  for (const { outcome, isKept } of entries)
    if (isKept) kept += 1;
    else counts[outcome] += 1;
  const { watered, long, late, short, missed } = counts;
  const depths = [...depthsByUnit(entries).values()].filter((mm) => mm !== null);
  const meanMm = depths.length > 0 ? mean(depths) : null;
  return {
    planned: watered + long + late + short + missed + counts['not known'],
    kept,
    watered: watered + long + late,
    counts,
    meanMm,
    evenness: evennessOf(depths),
    measured: depths.length,
    litres: litresOf(entries),
  };
}

const noCounts: DiaryCounts = {
  watered: 0,
  short: 0,
  long: 0,
  late: 0,
  missed: 0,
  'not known': 0,
  'by hand': 0,
  unplanned: 0,
};

/** mm of each sprinkler together; null: something of it isn't known. */
function depthsByUnit(entries: readonly DiaryCounted[]): Map<string, number | null> {
  const depths = new Map<string, number | null>();
  for (const { unit, isPart, isKept, isLengthKnown, applied } of entries) {
    if (isPart || isKept) continue;
    const before = depths.get(unit);
    const isKnown = before !== null && applied !== null && isLengthKnown;
    depths.set(unit, isKnown ? (before ?? 0) + applied.mm.believed : null);
  }
  return depths;
}

/** The lowest quarter of sprinklers against the mean of all: how evenly they watered, not how evenly water lies in the field. */
export function evennessOf(depths: readonly number[]): number | null {
  if (depths.length < QUARTERED) return null;
  const all = mean(depths);
  const quarter = depths
    .toSorted((one, other) => one - other)
    .slice(0, Math.round(depths.length / QUARTERED));
  return all > 0 ? mean(quarter) / all : null;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function litresOf(entries: readonly DiaryCounted[]): SummedLitres {
  let [least, believed, most, known, unknown] = [0, 0, 0, 0, 0];
  for (const { applied, isKept, plannedLitres } of entries) {
    if (applied) {
      known += isKept ? 0 : 1;
      least += applied.litres.least;
      believed += applied.litres.believed;
      most += applied.litres.most;
    } else {
      unknown += 1;
      most += plannedLitres;
    }
  }
  const isNothingKnown = unknown > 0 && known === 0 && believed === 0;
  return { least, believed: isNothingKnown ? null : believed, most };
}

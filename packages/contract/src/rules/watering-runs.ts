/** Who told when a valve opened or closed: a report of the unit at that moment, its answer to a command, or its own log, later. */
export const wateringSources = ['said', 'answered', 'logged'] as const;
export type WateringSource = (typeof wateringSources)[number];

/** That a valve was open or closed at a moment, epoch ms. */
export interface ValveObservation {
  readonly at: number;
  readonly isOpen: boolean;
  readonly how: WateringSource;
}

/** A valve's time open. Times in epoch ms. */
export interface WateringRun {
  readonly openedAt: number;
  readonly openedHow: WateringSource;
  /** The newest report that says open: it can't have closed before. */
  readonly openUntil: number;
  /** null: nothing has said that it closed. */
  readonly closedAt: number | null;
  readonly closedHow: WateringSource | null;
}

/**
 * The runs that reports make, in any order: from the first that says open to the first after it that says closed. A second open keeps
 * the first, and closed without open is no run. Of two reports at one time closed comes first, so the valve is open after it.
 */
export function wateringRuns(reports: readonly ValveObservation[]): WateringRun[] {
  const runs: WateringRun[] = [];
  for (const { at, isOpen, how } of reports.toSorted(byTime)) {
    const last = runs.at(-1);
    const isUnderWay = last?.closedAt === null;
    if (!isUnderWay && isOpen)
      runs.push({ openedAt: at, openedHow: how, openUntil: at, closedAt: null, closedHow: null });
    if (isUnderWay)
      runs[runs.length - 1] = isOpen ? { ...last, openUntil: at } : { ...last, closedAt: at, closedHow: how };
  }
  return runs;
}

const byTime = (a: ValveObservation, b: ValveObservation) =>
  a.at - b.at || Number(a.isOpen) - Number(b.isOpen) || rank(a) - rank(b);
/** Of equal reports the surest names the source. */
const rank = ({ how }: ValveObservation) => wateringSources.indexOf(how);

/** The observations that a stored run rests on. */
export function observationsOfRun(run: WateringRun): ValveObservation[] {
  const { openedAt, openedHow, openUntil, closedAt, closedHow } = run;
  return [
    { at: openedAt, isOpen: true, how: openedHow },
    ...(openUntil > openedAt ? [{ at: openUntil, isOpen: true, how: 'said' as const }] : []),
    ...(closedAt !== null ? [{ at: closedAt, isOpen: false, how: closedHow ?? 'said' }] : []),
  ];
}

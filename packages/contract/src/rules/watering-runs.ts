/** Who told when a valve opened or closed: a report of the unit at that moment, its answer to a command, or its own log, later. */
export const wateringSources = ['said', 'answered', 'logged'] as const;
export type WateringSource = (typeof wateringSources)[number];

/** That a valve was open or closed at a moment, epoch ms. */
export interface ValveWord {
  readonly at: number;
  readonly isOpen: boolean;
  readonly how: WateringSource;
}

/** A valve's time open. Times in epoch ms. */
export interface WateringRun {
  readonly openedAt: number;
  readonly openedHow: WateringSource;
  /** The newest word that says open: it can't have closed before. */
  readonly openUntil: number;
  /** null: nothing has said that it closed. */
  readonly closedAt: number | null;
  readonly closedHow: WateringSource | null;
}

/**
 * The runs that words in any order make: from the first that says open to the first after it that says closed. A second open keeps
 * the first, and closed without open is no run. Of two words at one time closed comes first, so the valve is open after it.
 */
export function wateringRuns(words: readonly ValveWord[]): WateringRun[] {
  const runs: WateringRun[] = [];
  for (const { at, isOpen, how } of words.toSorted(byTime)) {
    const last = runs.at(-1);
    const isUnderWay = last?.closedAt === null;
    if (!isUnderWay && isOpen)
      runs.push({ openedAt: at, openedHow: how, openUntil: at, closedAt: null, closedHow: null });
    if (isUnderWay)
      runs[runs.length - 1] = isOpen ? { ...last, openUntil: at } : { ...last, closedAt: at, closedHow: how };
  }
  return runs;
}

const byTime = (a: ValveWord, b: ValveWord) =>
  a.at - b.at || Number(a.isOpen) - Number(b.isOpen) || rank(a) - rank(b);
/** Of equal words the surest names the source. */
const rank = ({ how }: ValveWord) => wateringSources.indexOf(how);

/** The words that a stored run is known by. */
export function wordsOfRun(run: WateringRun): ValveWord[] {
  const { openedAt, openedHow, openUntil, closedAt, closedHow } = run;
  return [
    { at: openedAt, isOpen: true, how: openedHow },
    ...(openUntil > openedAt ? [{ at: openUntil, isOpen: true, how: 'said' as const }] : []),
    ...(closedAt !== null ? [{ at: closedAt, isOpen: false, how: closedHow ?? 'said' }] : []),
  ];
}

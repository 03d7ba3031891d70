import type { Run } from './programme.ts';

/** Litres a second from a minute of the cycle to the next step. */
export interface FlowStep {
  readonly fromMin: number;
  readonly lps: number;
}

/** The flow that a plan draws over its cycle, in steps from minute 0; of a run over the cycle's end the rest counts at its beginning. */
export function flowProfile(
  runs: readonly Pick<Run, 'unit' | 'start' | 'duration'>[],
  cycleMin: number,
  lpsOf: (unit: string) => number,
): readonly FlowStep[] {
  const changes = new Map<number, number>([[0, 0]]);
  const change = (minute: number, lps: number) => changes.set(minute, (changes.get(minute) ?? 0) + lps);
  for (const { unit, start, duration } of runs) {
    const [lps, end] = [lpsOf(unit), start + duration];
    change(start, lps);
    change(end % cycleMin, -lps);
    if (end >= cycleMin) change(0, lps);
  }
  return steps(changes);
}

function steps(changes: ReadonlyMap<number, number>): FlowStep[] {
  const found: FlowStep[] = [];
  let sum = 0;
  for (const [fromMin, by] of [...changes].toSorted(([one], [other]) => one - other)) {
    sum += by;
    // Sums of decimals: a millionth of a litre is none.
    const lps = Math.round(sum * 1e6) / 1e6;
    if (found.at(-1)?.lps !== lps) found.push({ fromMin, lps });
  }
  return found;
}

/** Epoch ms and L/s. */
interface Drawn {
  readonly startAt: number;
  readonly endAt: number;
  readonly lps: number;
}

interface Steps {
  readonly from: number;
  readonly steps: number;
  readonly stepMs: number;
}

/** Gathers the mean flow that waterings draw in each step of a time from `from` on, L/s. */
export function createFlow({ from, steps, stepMs }: Steps) {
  const flow = Array<number>(steps).fill(0);
  return {
    add({ startAt, endAt }: Omit<Drawn, 'lps'>, lps: number): void {
      const last = Math.min(steps - 1, Math.ceil((endAt - from) / stepMs) - 1);
      for (let step = Math.max(0, Math.floor((startAt - from) / stepMs)); step <= last; step += 1) {
        const begin = from + step * stepMs;
        const open = Math.min(endAt, begin + stepMs) - Math.max(startAt, begin);
        flow[step] = (flow[step] ?? 0) + (lps * open) / stepMs;
      }
    },
    /** To the last digit, so that flows add up. */
    amounts: (): readonly number[] => flow,
    values: (): number[] => flow.map(toHundredths),
  };
}

/** Flows of the same steps together. */
export function sumOfFlows(parts: readonly (readonly number[])[], steps: number): number[] {
  const sum = Array<number>(steps).fill(0);
  for (const part of parts)
    for (let step = 0; step < steps; step += 1) sum[step] = (sum[step] ?? 0) + (part[step] ?? 0);
  return sum.map(toHundredths);
}

const toHundredths = (lps: number) => Math.round(lps * 100) / 100;

/** The same of all of these. */
export function plannedFlow(waterings: Iterable<Drawn>, steps: Steps): number[] {
  const flow = createFlow(steps);
  for (const watering of waterings) flow.add(watering, watering.lps);
  return flow.values();
}

/** Epoch ms and L/s. */
interface Drawn {
  readonly startAt: number;
  readonly endAt: number;
  readonly lps: number;
}

/** Mean flow that these waterings draw in each step of a time, L/s, from `from` on. */
export function plannedFlow(
  waterings: Iterable<Drawn>,
  { from, steps, stepMs }: { readonly from: number; readonly steps: number; readonly stepMs: number },
): number[] {
  const flow = Array<number>(steps).fill(0);
  for (const { startAt, endAt, lps } of waterings) {
    const last = Math.min(steps - 1, Math.ceil((endAt - from) / stepMs) - 1);
    for (let step = Math.max(0, Math.floor((startAt - from) / stepMs)); step <= last; step += 1) {
      const begin = from + step * stepMs;
      const open = Math.min(endAt, begin + stepMs) - Math.max(startAt, begin);
      flow[step] = (flow[step] ?? 0) + (lps * open) / stepMs;
    }
  }
  return flow.map((lps) => Math.round(lps * 100) / 100);
}

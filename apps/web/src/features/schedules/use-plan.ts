import { startTransition, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { PlanDesign } from '@headrace/contract/rules/schedule/remedies';
import type { PlanOrder } from './plan-worker.ts';
import { type PlanBasis, type PlanResult, resultOf } from './plan-result.ts';

/** More than these are planned in a worker, so that typing goes on meanwhile. */
const IN_PAGE_UNITS = 1000;

export interface LivePlan {
  /** Of the last design that nothing was wrong with; null: there was none yet. */
  readonly result: PlanResult | null;
  /** What is entered now is another: it is being planned, or can't be. */
  readonly isOld: boolean;
}

/** The plan of a design, as one types. `design` null: what is entered can't be planned. Both must stay the same object while they are. */
export function usePlan(basis: PlanBasis | null, design: PlanDesign | null): LivePlan {
  const isLarge = typeof Worker !== 'undefined' && sizeOf(basis) > IN_PAGE_UNITS;
  const settled = useDeferredValue(design);
  const here = useMemo(
    () => (basis && settled && !isLarge ? resultOf(basis, settled) : null),
    [basis, settled, isLarge],
  );
  const there = usePlanWorker(isLarge ? basis : null, design);
  const latest = isLarge ? there : here;
  const [last, setLast] = useState(latest);
  if (latest && latest !== last) setLast(latest);
  const result = latest ?? last;
  return { result, isOld: result !== null && result.design !== design };
}

const sizeOf = (basis: PlanBasis | null) =>
  basis?.farm.groups.reduce((sum, { ipcs }) => sum + ipcs.length, 0) ?? 0;

/** One design at a time: what is typed while one is planned is planned after it, and only the latest. */
function usePlanWorker(basis: PlanBasis | null, design: PlanDesign | null): PlanResult | null {
  const [result, setResult] = useState<PlanResult | null>(null);
  const planner = useRef<Planner | null>(null);
  useEffect(() => {
    if (!basis) return undefined;
    // Drawn when there is time: thousands of rows must not hold up the next letter.
    const started = startPlanner(basis, (planned) => startTransition(() => setResult(planned)));
    planner.current = started;
    return () => {
      started.end();
      planner.current = null;
    };
  }, [basis]);
  useEffect(() => {
    if (design) planner.current?.plan(design);
    // oxlint-disable-next-line react/exhaustive-deps -- another basis has another planner, which has planned nothing yet
  }, [basis, design]);
  return result;
}

interface Planner {
  plan: (design: PlanDesign) => void;
  end: () => void;
}

function startPlanner(basis: PlanBasis, onResult: (result: PlanResult) => void): Planner {
  const worker = new Worker(new URL('./plan-worker.ts', import.meta.url), { type: 'module' });
  // A worker has no origin to name.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const post = (order: PlanOrder) => worker.postMessage(order);
  let planned: PlanDesign | null = null;
  let next: PlanDesign | null = null;
  const goOn = () => {
    planned = next;
    next = null;
    if (planned) post(planned);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<PlanResult>) => {
    // The page's own object in place of its copy: so it is known which entry this is of.
    if (planned) onResult({ ...data, design: planned });
    goOn();
  });
  worker.addEventListener('error', goOn);
  post(basis);
  return {
    plan: (design) => {
      next = design;
      if (!planned) goOn();
    },
    end: () => worker.terminate(),
  };
}

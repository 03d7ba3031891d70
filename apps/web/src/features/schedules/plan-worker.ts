import type { PlanDesign } from '@headrace/contract/rules/schedule/remedies';
import { type PlanBasis, resultOf } from './plan-result.ts';

/** The farm comes first and once: of 5,000 sprinklers it is half a megabyte. */
export type PlanOrder = PlanBasis | PlanDesign;

let basis: PlanBasis | null = null;

// A worker hears its own page alone.
addEventListener('message', ({ data }: MessageEvent<PlanOrder>) => {
  if ('farm' in data) basis = data;
  else if (basis) postMessage(resultOf(basis, data));
});

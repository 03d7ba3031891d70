import type { ComparedKind } from '@headrace/contract/rules/schedule/plan-diff';

/** What is listed sprinkler by sprinkler. Written out: every page's first load has this file. */
export const changedKinds = [
  'new',
  'moved',
  'longer',
  'shorter',
  'cleared',
  'unknown',
] as const satisfies readonly ComparedKind[];

/** What the page keeps in its address. */
export interface CompareSearch {
  to?: string | undefined;
  /** Absent: what sprinklers hold now. */
  from?: string | undefined;
  kind?: (typeof changedKinds)[number] | undefined;
}

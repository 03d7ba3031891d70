import { comparedKinds } from '@headrace/contract/rules/schedule/plan-diff';

/** What is listed sprinkler by sprinkler. */
export const changedKinds = comparedKinds.filter((kind) => kind !== 'same');

/** What the page keeps in its address. */
export interface CompareSearch {
  to?: string | undefined;
  /** Absent: what sprinklers hold now. */
  from?: string | undefined;
  kind?: (typeof changedKinds)[number] | undefined;
}

import type { DiarySearch } from '../irr-diary/diary-search.ts';

/** Hours that the timeline shows. */
export type Span = '24' | '48' | '168';

/** What the page keeps in its address. */
export interface ScheduleViewSearch extends DiarySearch {
  tab?: string | undefined;
  /** The farm's day that is shown, YYYY-MM-DD; today unless said. */
  date?: string | undefined;
  /** A set that is looked at as if sprinklers held it. */
  set?: string | undefined;
  hours?: Span | undefined;
  /** A send whose details are open. */
  command?: string | undefined;
}

import { FLOW_SPEAKS_MS } from '@headrace/contract/limits';

/** The contract's spokenMinutes in SQL, of two times; null where one is. */
export const spokenMinutesSql = (before: string, after: string): string =>
  `case when ${before} is not null then least(date_part('epoch', ${after} - ${before}) / 60, ${(2 * FLOW_SPEAKS_MS) / 60_000}) end`;

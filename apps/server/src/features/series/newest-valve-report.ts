/**
 * SQL: when a valve last reported open or closed, from its row `l` of latest. A report from a clock that is ahead counts from when it was
 * received.
 */
export const newestValveReportAt =
  'case when l.value is null then l.valid_at else coalesce(l.heard_at, l.at) end';
/** What it reported then: 1 open, 0 closed. */
export const newestValveReport = 'coalesce(l.value, l.valid_value)';

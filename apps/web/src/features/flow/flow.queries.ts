import { queryOptions } from '@tanstack/react-query';
import type { MeterHistory } from '@headrace/contract/flow';
import { call } from '../../api/client.ts';
import type { HistoryRange } from '../../time-range/period.ts';

/** The farm's flow meters: what flows now, and the mean of each of the last 60 days. */
export const flowMetersQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['flow-meters', farmUID],
    queryFn: async ({ signal }) => (await call('GET /flow/suminfo', { query: { farmUID }, signal })).flows,
    meta: { live: ['flow'], records: ['sensor'], farmUID },
  });

/** A report moves the newest hour or day by little: the charts follow by this, ms, and not with every report of any meter. */
const HISTORY_RENEW_MS = 5 * 60_000;

/** Hours or days of all the farm's meters at once, L/min, by the meter's id. */
export const meterHistoriesQuery = (farmUID: string, range: HistoryRange) =>
  queryOptions({
    queryKey: ['flow-histories', farmUID, range.days, range.stopAt ?? 'today'],
    queryFn: async ({ signal }) =>
      (await call('GET /flow/histories', { query: { farmUID, ...range }, signal })).meters,
    select: byId,
    refetchInterval: HISTORY_RENEW_MS,
  });

/** The same function each time, so that an answer is gone through once and not with every rendering. */
const byId = (meters: readonly MeterHistory[]) => new Map(meters.map(({ _id, history }) => [_id, history]));

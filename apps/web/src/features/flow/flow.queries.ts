import { queryOptions } from '@tanstack/react-query';
import type { MeterHistory } from '@headrace/contract/flow';
import { call } from '../../api/client.ts';
import type { HistoryRange } from '../tanks/period.ts';

/** The farm's flow meters: what flows now, and the mean of each of the last 60 days. */
export const flowMetersQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['flow-meters', farmUID],
    queryFn: async ({ signal }) => (await call('GET /flow/suminfo', { query: { farmUID }, signal })).flows,
    meta: { live: ['flow'], farmUID },
  });

/** Hours or days of all the farm's meters at once, L/min, by the meter's id. */
export const meterHistoriesQuery = (farmUID: string, range: HistoryRange) =>
  queryOptions({
    queryKey: ['flow-histories', farmUID, range.days, range.stopAt ?? 'today'],
    queryFn: async ({ signal }) =>
      (await call('GET /flow/histories', { query: { farmUID, ...range }, signal })).meters,
    select: byId,
    meta: { live: ['flow'], farmUID },
  });

/** The same function each time, so that an answer is gone through once and not with every rendering. */
const byId = (meters: readonly MeterHistory[]) => new Map(meters.map(({ _id, history }) => [_id, history]));

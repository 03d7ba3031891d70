import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { HistoryRange } from '../tanks/period.ts';

/** The farm's flow meters: what flows now, and the mean of each of the last 60 days. */
export const flowMetersQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['flow-meters', farmUID],
    queryFn: async ({ signal }) => (await call('GET /flow/suminfo', { query: { farmUID }, signal })).flows,
    meta: { live: ['flow'], farmUID },
  });

/** One meter's hours or days, L/min. By serial number; `uid` is the same meter's, so that live messages find it. */
export const meterHistoryQuery = (serial: string, uid: string, range: HistoryRange) =>
  queryOptions({
    queryKey: ['flow-history', uid, range.days, range.stopAt ?? 'today'],
    queryFn: async ({ signal }) =>
      (await call('GET /flow/history', { query: { serial, ...range }, signal })).history,
    meta: { live: ['flow'], uid },
  });

import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** A quarter of an hour is over every quarter of an hour. */
const RENEW_MS = 5 * 60_000;

/** The farm's takes, and the sensors that may measure one. */
export const takesQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['water-takes', farmUID],
    queryFn: ({ signal }) => call('GET /water-take', { query: { farmUID }, signal }),
    meta: { records: ['farm', 'sensor'], farmUID },
  });

/** Days of standard time, YYYY-MM-DD. */
export interface TakeDays {
  from: string;
  to: string;
}

/** A take by day; of this water year unless days are given. */
export const takeDaysQuery = (farmUID: string, uid: string, days: TakeDays | null = null) =>
  queryOptions({
    queryKey: ['water-take-days', farmUID, uid, days],
    queryFn: ({ signal }) => call('GET /water-take/days', { query: { farmUID, uid, ...days }, signal }),
    staleTime: RENEW_MS / 5,
    refetchInterval: RENEW_MS,
    meta: { records: ['farm'], farmUID },
  });

/** The quarters of a day at each place. */
export const takeRowsQuery = (farmUID: string, uid: string, day: string) =>
  queryOptions({
    queryKey: ['water-take-rows', farmUID, uid, day],
    queryFn: async ({ signal }) =>
      (await call('GET /water-take/rows', { query: { farmUID, uid, from: day, to: day }, signal })).places,
    staleTime: RENEW_MS / 5,
  });

/** What sprinklers are to water in a time, epoch ms. */
export const plannedQuery = (farmUID: string, span: { readonly from: number; readonly to: number }) =>
  queryOptions({
    queryKey: ['timeline', farmUID, 'restriction', span],
    queryFn: ({ signal }) => {
      const [from, to] = [new Date(span.from).toISOString(), new Date(span.to).toISOString()];
      return call('GET /schedules/timeline', { query: { farmUID, from, to }, signal });
    },
    placeholderData: (before) => before,
    staleTime: RENEW_MS,
    meta: { records: ['farm', 'group', 'sprinkler'], farmUID },
  });

/** Of which one is made still, it is asked how far it is. */
const MAKING_MS = 1500;

/** Packs of a take that are made in the queue. */
export const packsQuery = (farmUID: string, uid: string) =>
  queryOptions({
    queryKey: ['water-take-packs', farmUID, uid],
    queryFn: async ({ signal }) =>
      (await call('GET /water-take/packs', { query: { farmUID, uid }, signal })).packs,
    staleTime: MAKING_MS,
    refetchInterval: ({ state }) =>
      state.data?.some((pack) => pack.state === 'queued' || pack.state === 'running') ? MAKING_MS : false,
  });

/** Of packs that are made, how many quarters that were missing have come since; by pack. */
export const filledQuery = (farmUID: string, uid: string) =>
  queryOptions({
    queryKey: ['water-take-packs', farmUID, uid, 'filled'],
    queryFn: async ({ signal }) => {
      const { filled } = await call('GET /water-take/packs/filled', { query: { farmUID, uid }, signal });
      return new Map(filled.map(({ id, rows }) => [id, rows]));
    },
    staleTime: RENEW_MS,
  });

/** What a change of a take or of its meters makes old. */
export const takeKeys = (farmUID: string) =>
  [
    ['water-takes', farmUID],
    ['water-take-days', farmUID],
    ['water-take-rows', farmUID],
  ] as const;

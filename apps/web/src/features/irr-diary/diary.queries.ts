import { infiniteQueryOptions } from '@tanstack/react-query';
import type { DiaryFilter } from '@headrace/contract/irr-diary';
import { call } from '../../api/client.ts';
import type { DiaryDays } from './diary-search.ts';

/** What is asked of the diary. */
export interface DiaryAsk extends DiaryDays {
  group?: string | undefined;
  outcome?: DiaryFilter | undefined;
}

/** Days that are over change only by late reports. */
const FRESH_MS = 60_000;

const given = ({ start, stop, group, outcome }: DiaryAsk) => ({
  start,
  stop,
  ...(group !== undefined && { group }),
  ...(outcome !== undefined && { outcome }),
});

/** What was watered, the newest day first, page by page. */
export const diaryQuery = (farmUID: string, ask: DiaryAsk) =>
  infiniteQueryOptions({
    queryKey: ['irr-diary', farmUID, given(ask)],
    queryFn: ({ pageParam, signal }) =>
      call('GET /irr-diary-logs', {
        query: { farmUID, ...given(ask), ...(pageParam !== null && { after: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: FRESH_MS,
  });

export const fileOf = (farmUID: string, ask: DiaryAsk) => ({ farmUID, ...given(ask) });

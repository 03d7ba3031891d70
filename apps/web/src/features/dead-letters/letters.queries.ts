import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

const MINUTE = 60_000;

/** Messages that were not taken: of a farm, or of one device or gateway by its MAC. */
export const lettersQuery = (farmUID: string, mac?: string) =>
  queryOptions({
    queryKey: ['dead-letters', farmUID, mac ?? null],
    queryFn: ({ signal }) => call('GET /dead-letters', { query: { farmUID, ...(mac && { mac }) }, signal }),
    staleTime: 0,
    refetchInterval: MINUTE,
  });

/** The newest kept message of one, whole. */
export const letterQuery = (farmUID: string, id: string) =>
  queryOptions({
    queryKey: ['dead-letter', farmUID, id],
    queryFn: ({ signal }) => call('GET /dead-letter', { query: { farmUID, id }, signal }),
    staleTime: MINUTE,
  });

export const usageQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['farm-usage', farmUID],
    queryFn: ({ signal }) => call('GET /farm/usage', { query: { farmUID }, signal }),
    staleTime: 0,
    refetchInterval: MINUTE,
  });

import { useDeferredValue, useEffect } from 'react';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { HistoryRange } from '../../time-range/period.ts';
import { renewOnCommands } from '../commands/renew-on-commands.ts';

/** It changes with the clock, too: without news it is asked for this often while it is looked at, ms. */
const CLOCK_MS = 60_000;

/** All of one sprinkler. */
export const sprinklerInfoQuery = (deviceId: string, farmUID: string) =>
  queryOptions({
    queryKey: ['sprinkler-info', farmUID, deviceId],
    queryFn: ({ signal }) => call('GET /ipc/fullinfo', { query: { deviceId }, signal }),
    refetchInterval: CLOCK_MS,
    meta: { live: ['ipc'], uid: deviceId, records: ['sprinkler'], farmUID },
  });

/**
 * The same for what is drawn without it at first: asked for once the sprinkler is painted. To ask takes a phone a tenth of the time until
 * then.
 */
export function useInfoOncePainted(deviceId: string, farmUID: string) {
  const isPainted = useDeferredValue(deviceId, '') === deviceId;
  return useQuery({ ...sprinklerInfoQuery(deviceId, farmUID), enabled: isPainted });
}

/** As the dialog shows it, renewed when a command of its farm goes on. */
export function useSprinklerInfo(deviceId: string, farmUID: string) {
  useRenewedByCommands('sprinkler-info', deviceId, farmUID);
  return useQuery(sprinklerInfoQuery(deviceId, farmUID));
}

/** What else runs on its pipes, or is to, as long as somebody is about to open it for so many minutes. */
export const pipesQuery = (deviceId: string, farmUID: string, minutes: number) =>
  queryOptions({
    queryKey: ['sprinkler-pipes', farmUID, deviceId, minutes],
    queryFn: ({ signal }) => call('GET /flow/pipes', { query: { deviceId, minutes }, signal }),
    // It names its times itself: until others are there it stays true.
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: CLOCK_MS,
    meta: { records: ['sprinkler'], farmUID },
  });

/** What commands of its farm make old is asked for again soon after their news. */
export function useRenewedByCommands(
  what: 'sprinkler-info' | 'sprinkler-history',
  deviceId: string,
  farmUID: string,
): void {
  const queryClient = useQueryClient();
  useEffect(
    () => renewOnCommands(queryClient, farmUID, [what, farmUID, deviceId]),
    [queryClient, what, farmUID, deviceId],
  );
}

/** What happened at its place on the days of a range. */
export const sprinklerHistoryQuery = (deviceId: string, farmUID: string, { days, stopAt }: HistoryRange) =>
  queryOptions({
    queryKey: ['sprinkler-history', farmUID, deviceId, days, stopAt],
    queryFn: ({ signal }) =>
      call('GET /ipc/history', {
        query: { deviceId, period: days, ...(stopAt !== undefined && { stopAt }) },
        signal,
      }),
    meta: { live: ['ipc'], uid: deviceId, records: ['sprinkler'], farmUID },
  });

/** How its battery fared on the days of a range. */
export const batteryLifeQuery = (deviceId: string, farmUID: string, { days, stopAt }: HistoryRange) =>
  queryOptions({
    queryKey: ['sprinkler-battery', farmUID, deviceId, days, stopAt],
    queryFn: ({ signal }) =>
      call('GET /ipc/batterylife', {
        query: { deviceId, period: days, ...(stopAt !== undefined && { stopAt }) },
        signal,
      }),
    meta: { live: ['ipc'], uid: deviceId, records: ['sprinkler'], farmUID },
  });

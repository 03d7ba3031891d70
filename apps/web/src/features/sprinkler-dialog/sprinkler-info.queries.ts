import { useEffect } from 'react';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { onCommandUpdate } from '../../api/live-events.ts';
import type { HistoryRange } from '../../time-range/period.ts';

/** It changes with the clock, too: without news it is asked for this often while it is looked at, ms. */
const CLOCK_MS = 60_000;
/** After a command's news it is asked for once, this much later, ms. */
const GATHER_MS = 500;
const DAY_MS = 86_400_000;
/** How far back its waterings are listed, days. */
export const HISTORY_DAYS = 30;

/** All of one sprinkler. */
export const sprinklerInfoQuery = (deviceId: string, farmUID: string) =>
  queryOptions({
    queryKey: ['sprinkler-info', farmUID, deviceId],
    queryFn: ({ signal }) => call('GET /ipc/fullinfo', { query: { deviceId }, signal }),
    refetchInterval: CLOCK_MS,
    meta: { live: ['ipc'], uid: deviceId, records: ['sprinkler'], farmUID },
  });

/** As the dialog shows it, renewed when a command of its farm goes on. */
export function useSprinklerInfo(deviceId: string, farmUID: string) {
  const queryClient = useQueryClient();
  useEffect(() => renewOnCommands(queryClient, deviceId, farmUID), [queryClient, deviceId, farmUID]);
  return useQuery(sprinklerInfoQuery(deviceId, farmUID));
}

function renewOnCommands(queryClient: QueryClient, deviceId: string, farmUID: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { queryKey } = sprinklerInfoQuery(deviceId, farmUID);
  const renew = () => {
    timer = undefined;
    void queryClient.invalidateQueries({ queryKey });
  };
  const off = onCommandUpdate((command) => {
    if (command.farmUID === farmUID) timer ??= setTimeout(renew, GATHER_MS);
  });
  return () => {
    off();
    clearTimeout(timer);
  };
}

/** When its valve was open in the last days, the newest first. `until` in epoch ms. */
export const lastRunsQuery = (farmUID: string, uid: string, until: number) =>
  queryOptions({
    queryKey: ['sprinkler-runs', farmUID, uid],
    queryFn: async ({ signal }) => {
      const from = new Date(until - HISTORY_DAYS * DAY_MS).toISOString();
      const query = { farmUID, uid, from, to: new Date(until).toISOString() };
      return (await call('GET /ipc/runs', { query, signal })).runs.toReversed();
    },
    meta: { live: ['ipc'], uid },
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

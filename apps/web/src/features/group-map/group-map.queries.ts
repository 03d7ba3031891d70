import { useEffect } from 'react';
import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { StatusUpdate } from '@headrace/contract/live';
import { call } from '../../api/client.ts';
import { onStatusUpdate } from '../../api/live-events.ts';

/** The farm's own group: every device of it. */
export const WHOLE_FARM = 'FARM';

/** A group's devices. Unchanged units stay the same objects, so that only what changed is drawn again. */
export const groupInfoQuery = (farmUID: string, name: string) =>
  queryOptions({
    queryKey: ['group-info', farmUID, name],
    queryFn: ({ signal }) => call('GET /group/info', { query: { farmUID, name }, signal }),
  });

/** News is waited for this long, so that a gateway's answers come together, ms. */
const GATHER_MS = 250;
/** A farm being polled says something many times a second: its units are asked for at most this often, ms. */
const PAUSE_MS = 5000;
const KINDS: readonly StatusUpdate['type'][] = ['ipc', 'gateway', 'repeater'];

/** Renews the group when one of the farm's devices said something. */
export function useLiveGroup(farmUID: string, name: string): void {
  const queryClient = useQueryClient();
  useEffect(() => renewOnNews(queryClient, farmUID, name), [queryClient, farmUID, name]);
}

function renewOnNews(queryClient: QueryClient, farmUID: string, name: string): () => void {
  const { queryKey } = groupInfoQuery(farmUID, name);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = -Infinity;
  const renew = () => {
    timer = undefined;
    lastAt = performance.now();
    void queryClient.invalidateQueries({ queryKey });
  };
  const off = onStatusUpdate((update) => {
    if (update.farmUID !== farmUID || !KINDS.includes(update.type)) return;
    timer ??= setTimeout(renew, Math.max(GATHER_MS, lastAt + PAUSE_MS - performance.now()));
  });
  return () => {
    off();
    clearTimeout(timer);
  };
}

import { useEffect } from 'react';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PaddockHold } from '@headrace/contract/paddock-holds';
import { needs } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { call } from '../../api/client.ts';
import { onCommandUpdate } from '../../api/live-events.ts';

const EACH_MINUTE = 60_000;
/** Answers of a group's sprinklers come one after the other. */
const RENEW_MS = 2000;

export const holdsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['paddock-holds', farmUID],
    queryFn: async ({ signal }) => (await call('GET /paddock-holds', { query: { farmUID }, signal })).holds,
    refetchInterval: EACH_MINUTE,
  });

/** Holds of the farm that go on, and those whose end not all took; asked for again as commands get on. */
export function useHolds(farmUID: string) {
  const queryClient = useQueryClient();
  const canRead = useCan(needs.readCommands, farmUID);
  const query = useQuery({ ...holdsQuery(farmUID), enabled: canRead });
  const hasAny = (query.data?.length ?? 0) > 0;
  useEffect(
    () => (hasAny ? renewWithCommands(queryClient, farmUID) : undefined),
    [queryClient, farmUID, hasAny],
  );
  return query;
}

function renewWithCommands(queryClient: QueryClient, farmUID: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const renew = () => {
    timer = undefined;
    void queryClient.invalidateQueries({ queryKey: holdsQuery(farmUID).queryKey });
  };
  const off = onCommandUpdate((command) => {
    if (command.farmUID === farmUID) timer ??= setTimeout(renew, RENEW_MS);
  });
  return () => {
    off();
    clearTimeout(timer);
  };
}

/** Adds, changes and ends holds; what is shown of them follows. */
export function useHoldChanges(farmUID: string) {
  const queryClient = useQueryClient();
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: holdsQuery(farmUID).queryKey });
  const add = useMutation({
    mutationFn: (body: { groupUID: string; uids?: string[]; until: string; reason: string }) =>
      call('POST /paddock-hold', { body: { farmUID, ...body } }),
    onSuccess,
  });
  const change = useMutation({
    mutationFn: ({ uid, until }: Pick<PaddockHold, 'uid' | 'until'>) =>
      call('PUT /paddock-hold', { body: { farmUID, holdUID: uid, until } }),
    onSuccess,
  });
  const end = useMutation({
    mutationFn: ({ uid }: Pick<PaddockHold, 'uid'>) =>
      call('POST /paddock-hold/end', { body: { farmUID, holdUID: uid } }),
    onSuccess,
  });
  return { add, change, end };
}

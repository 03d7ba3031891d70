import { useEffect } from 'react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FailedCommand } from '@headrace/contract/attention';
import type { Command } from '@headrace/contract/commands';
import { UNSEEN_DAYS } from '@headrace/contract/limits';
import { needs } from '@headrace/contract/permissions';
import { call, errorText } from '../../api/client.ts';
import { onCommandUpdate } from '../../api/live-events.ts';
import { useCan } from '../../access/permissions.ts';
import { useNow } from '../../ui/clock.ts';
import { toast } from '../../ui/toasts.ts';

/** Many pages hear of an end at once, and do not all ask at once, ms. */
const SPREAD_MS = 3000;
const EACH_5_MIN = 5 * 60_000;
const DAY_MS = 86_400_000;

const endsBadly: ReadonlySet<string> = new Set(['failed', 'expired']);
const ends: ReadonlySet<string> = new Set([...endsBadly, 'done', 'cancelled']);

/** What ended badly on a farm and this person has not seen since. */
export const unseenQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['commands', farmUID, 'unseen'],
    queryFn: async ({ signal }) =>
      (await call('GET /commands/unseen', { query: { farmUID }, signal })).commands,
    refetchOnMount: 'always',
    refetchInterval: EACH_5_MIN,
    meta: { farmUID, records: ['sprinkler', 'gateway'] },
  });

/** Asked again when a command has ended. */
export function useUnseen(farmUID: string, isAsked: boolean) {
  const queryClient = useQueryClient();
  const enabled = useCan(needs.readCommands, farmUID) && isAsked;
  useEffect(() => {
    if (!enabled) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const renew = () => {
      timer = undefined;
      void queryClient.invalidateQueries({ queryKey: unseenQuery(farmUID).queryKey });
    };
    const off = onCommandUpdate((command) => {
      if (command.farmUID === farmUID && ends.has(command.state))
        timer ??= setTimeout(renew, Math.random() * SPREAD_MS);
    });
    return () => {
      off();
      clearTimeout(timer);
    };
  }, [queryClient, farmUID, enabled]);
  return useQuery({ ...unseenQuery(farmUID), enabled });
}

/** They have seen how it ended; it goes at once, and comes back where that could not be said. */
export function useSee(farmUID: string): (command: Pick<FailedCommand, '_id'>, isQuiet?: boolean) => void {
  const queryClient = useQueryClient();
  const { queryKey } = unseenQuery(farmUID);
  return ({ _id }, isQuiet = false) => {
    queryClient.setQueryData(queryKey, (known) => known?.filter((one) => one._id !== _id));
    call('POST /commands/seen', { body: { farmUID, commandId: _id } }).catch((error: unknown) => {
      if (!isQuiet) toast.error(errorText(error));
      void queryClient.invalidateQueries({ queryKey });
    });
  };
}

/** Whoever looks at a command that ended badly has seen it; a page in the background is not looked at. */
export function useSeenByLooking({ _id, farmUID, state, stateAt }: Command): void {
  const see = useSee(farmUID);
  const isNews = endsBadly.has(state) && useNow() - Date.parse(stateAt) < UNSEEN_DAYS * DAY_MS;
  useEffect(() => {
    if (!isNews) return undefined;
    const look = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', look);
      see({ _id }, true);
    };
    document.addEventListener('visibilitychange', look);
    look();
    return () => document.removeEventListener('visibilitychange', look);
    // Once for each of its ends.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [_id, stateAt, isNews]);
}

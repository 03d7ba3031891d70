import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { FailedCommand } from '@headrace/contract/attention';
import type { Command } from '@headrace/contract/commands';
import { UNSEEN_DAYS } from '@headrace/contract/limits';
import { call, errorText } from '../../api/client.ts';
import { useNow } from '../../ui/clock.ts';
import { toast } from '../../ui/toasts.ts';
import { unseenQuery } from './unseen.queries.ts';

const DAY_MS = 86_400_000;
const endsBadly: ReadonlySet<string> = new Set(['failed', 'expired']);

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

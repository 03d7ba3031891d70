import { useEffect } from 'react';
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import type { Command } from '@headrace/contract/commands';
import { COMMAND_DETAILS } from '@headrace/contract/limits';
import { schedulesTypes } from '@headrace/contract/schedules-types';
import { call } from '../../api/client.ts';
import { onCommandUpdate } from '../../api/live-events.ts';
import { sendCommand } from './send-command.ts';
import { afterOther } from './behind.ts';
import { isOlder, keepNewer, withCommand, withOthers } from './with-command.ts';

export type Pages = InfiniteData<Api['GET /commands']['reply'], string | null>;
type Details = Api['GET /command']['reply'];

const PAGE_SIZE = 50;
/** Units and steps of a command under way are asked for again at most this often, ms. */
export const RENEW_MS = 500;

const abouts = ['all', 'schedules'] as const;
type About = (typeof abouts)[number];

/** A farm's commands, newest first, page by page. Patched by live messages only while a screen shows them. */
export const commandsQuery = (farmUID: string, about: About = 'all') =>
  infiniteQueryOptions({
    queryKey: ['commands', farmUID, about],
    queryFn: ({ pageParam, signal }) =>
      call('GET /commands', {
        query: {
          farmUID,
          limit: PAGE_SIZE,
          ...(about !== 'all' && { about }),
          ...(pageParam !== null && { before: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ commands, more }) => (more ? (commands.at(-1)?._id ?? null) : null),
    structuralSharing: (before, fresh) => {
      const [known, answer] = [before as Pages | undefined, fresh as Pages];
      return known ? { ...answer, pages: keepNewer(known.pages, answer.pages) } : answer;
    },
    refetchOnMount: 'always',
  });

const farmKey = (farmUID: string) => ['command', farmUID] as const;
const commandKey = (farmUID: string, commandId: string) => [...farmKey(farmUID), commandId] as const;

/** One command with its units and steps; of many the first, or all (`limit`). */
export const commandQuery = (farmUID: string, commandId: string, limit = COMMAND_DETAILS) =>
  queryOptions({
    queryKey: [...commandKey(farmUID, commandId), limit],
    queryFn: ({ signal }) => call('GET /command', { query: { farmUID, commandId, limit }, signal }),
    structuralSharing: (before, fresh) => {
      const [known, answer] = [before as Details | undefined, fresh as Details];
      return known && isOlder(answer.command, known.command) ? { ...answer, command: known.command } : answer;
    },
    refetchOnMount: 'always',
  });

export function patchCommand(queryClient: QueryClient, command: Command): void {
  const { farmUID, _id } = command;
  const isIn = (about: About) => about === 'all' || schedulesTypes.some((type) => type === command.type);
  for (const about of abouts)
    queryClient.setQueryData(commandsQuery(farmUID, about).queryKey, (before) => {
      const pages = before && withOthers(before.pages, command);
      return before && pages && { ...before, pages: isIn(about) ? withCommand(pages, command) : pages };
    });
  queryClient.setQueriesData<Details>({ queryKey: farmKey(farmUID) }, (before) => {
    const after = before && afterOther(before.command, command);
    return after && after !== before.command ? { ...before, command: after } : before;
  });
  queryClient.setQueriesData<Details>({ queryKey: commandKey(farmUID, _id) }, (before) =>
    before && !isOlder(command, before.command) ? { ...before, command } : before,
  );
}

/** Keeps what a screen shows of a farm's commands as live messages say. */
export function useLiveCommands(farmUID: string): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const renew = () => {
      timer = undefined;
      for (const id of changed) void queryClient.invalidateQueries({ queryKey: commandKey(farmUID, id) });
      changed.clear();
    };
    const off = onCommandUpdate((command) => {
      if (command.farmUID !== farmUID) return;
      patchCommand(queryClient, command);
      changed.add(command._id);
      timer ??= setTimeout(renew, RENEW_MS);
    });
    return () => {
      off();
      clearTimeout(timer);
    };
  }, [queryClient, farmUID]);
}

/** Sends commands, with toasts; `isPending` from the Ping to the server's answer. */
export function useSendCommand() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: sendCommand,
    // The live message brings it too, where there is a connection.
    onSuccess: (_sent, { farmUID }) =>
      void queryClient.invalidateQueries({ queryKey: ['commands', farmUID] }),
  });
}

/** Takes back what the gateway has not been given yet. */
export function useCancelCommand({ farmUID, _id: commandId, type }: Command) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /commands/cancel', { body: { farmUID, commandId, type } }),
    // Also when it was too late: what is shown was then old.
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: commandKey(farmUID, commandId) }),
        queryClient.invalidateQueries({ queryKey: ['commands', farmUID] }),
      ]),
  });
}

/** What its units had before, to those that a send which was cancelled reached. */
export function useGoBack({ farmUID, _id: commandId, type }: Command, requestId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /commands/go-back', { body: { farmUID, commandId, type, requestId } }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['commands', farmUID] }),
  });
}

/** Once more to those of its units that failed, as a new command. */
export function useSendAgain({ farmUID, _id: commandId, type }: Command, requestId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /commands/again', { body: { farmUID, commandId, type, requestId } }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['commands', farmUID] }),
  });
}

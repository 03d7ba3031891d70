import { useEffect } from 'react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { unitTypes } from '@headrace/contract/command-types';
import type { Command } from '@headrace/contract/commands';
import { needs } from '@headrace/contract/permissions';
import { isUnderWay } from '@headrace/contract/rules/under-way';
import { call } from '../../api/client.ts';
import { onCommandUpdate } from '../../api/live-events.ts';
import { useCan } from '../../access/permissions.ts';
import { afterOther } from './behind.ts';
import { isOlder } from './with-command.ts';

/** Commands to several sprinklers of a farm that have no end yet, the newest first. */
const underWayQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['commands', farmUID, 'under-way'],
    queryFn: async ({ signal }): Promise<readonly Command[]> =>
      (await call('GET /commands', { query: { farmUID, about: 'underWay' }, signal })).commands,
    structuralSharing: (before, fresh) =>
      withKnown(before as readonly Command[] | undefined, fresh as readonly Command[]),
    refetchOnMount: 'always',
  });

const isOfUnits = ({ type }: Command) => unitTypes.some((one) => one === type);

/** The list as a command's news leaves it: the same where that changes nothing. */
export function withNews(before: readonly Command[], news: Command): readonly Command[] {
  const known = before.some(({ behind }) => behind) ? before.map((one) => afterOther(one, news)) : before;
  return withOne(known, news);
}

function withOne(known: readonly Command[], news: Command): readonly Command[] {
  const at = known.findIndex(({ _id }) => _id === news._id);
  const before = known[at];
  if (before === news || (before && isOlder(news, before))) return known;
  if (!isUnderWay(news)) return before ? known.toSpliced(at, 1) : known;
  if (before) return known.with(at, news);
  return news.total > 1 && isOfUnits(news) ? [news, ...known] : known;
}

/** An answer in which nothing is older than its news, which may have overtaken it: every place of a page says the same number. */
export function withKnown(known: readonly Command[] = [], answer: readonly Command[]): readonly Command[] {
  const byId = new Map(known.map((command) => [command._id, command]));
  return answer.map((command) => {
    const before = byId.get(command._id);
    return before && isOlder(command, before) ? before : command;
  });
}

/** Those that are under way now, as live messages say; none for whoever may not see the farm's commands. */
export function useUnderWay(farmUID: string): readonly Command[] {
  const may = useCan(needs.readCommands, farmUID);
  const queryClient = useQueryClient();
  useEffect(
    () =>
      onCommandUpdate((command) => {
        if (command.farmUID !== farmUID) return;
        const { queryKey } = underWayQuery(farmUID);
        queryClient.setQueryData(queryKey, (known) => known && withNews(known, command));
        // An answer that is on its way may still have it.
        if (!isUnderWay(command) && queryClient.isFetching({ queryKey, exact: true }) > 0)
          void queryClient.invalidateQueries({ queryKey, exact: true });
      }),
    [queryClient, farmUID],
  );
  const { data = [] } = useQuery({ ...underWayQuery(farmUID), enabled: may });
  return data;
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { farmQuery } from '../../farm/farms.queries.ts';
import { CommandList } from '../commands/command-list.tsx';
import { CommandDrawerHost } from '../commands/command-drawer-host.tsx';
import { commandsQuery, useLiveCommands } from '../commands/commands.queries.ts';
import { LogSkeleton } from '../commands/log-skeleton.tsx';

/** What was sent to the farm's sprinklers to water by, the newest first: how far each send is, and when it will be done. */
export default function SendsTab({ farmUID }: { farmUID: string }) {
  // Sends stand by the farm's days: in another zone's they would be put together twice.
  const { isPending: isZonePending } = useQuery(farmQuery(farmUID));
  const query = useInfiniteQuery(commandsQuery(farmUID, 'schedules'));
  const { data, error, isFetching, isFetchNextPageError, refetch } = query;
  useLiveCommands(farmUID);
  const first = {
    data: isZonePending ? undefined : data,
    error,
    isFetching,
    refetch,
    isError: query.isError && !isFetchNextPageError,
  };
  return (
    <>
      <StateView
        query={first}
        failed="The sends couldn't be loaded"
        skeleton={<LogSkeleton />}
        isEmpty={({ pages }) => pages.every(({ commands }) => commands.length === 0)}
        empty={
          <Empty title="No schedules have been sent yet">
            A send of schedules to this farm's sprinklers is listed here, with how many of them have it.
          </Empty>
        }
      >
        {({ pages }) => <CommandList farmUID={farmUID} pages={pages} filter="all" query={query} />}
      </StateView>
      <CommandDrawerHost farmUID={farmUID} />
    </>
  );
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { needs } from '@headrace/contract/permissions';
import { StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { useCan } from '../../access/permissions.ts';
import { farmQuery, farmsCardQuery } from '../../farm/farms.queries.ts';
import { CommandList, NoCommands } from './command-list.tsx';
import { CommandDrawerHost } from './command-drawer-host.tsx';
import { readLogFilter, type CommandsSearch } from './command-search.ts';
import { filterNames, logFilters } from './command-labels.ts';
import { commandsQuery, useLiveCommands } from './commands.queries.ts';
import { LogSkeleton } from './log-skeleton.tsx';
import tabs from '../../ui/link-tabs.module.css';
import classes from './commands.module.css';

/** What was sent to a farm's devices, and what became of it. */
export function CommandLogPage() {
  const { farmUID } = useParams({ from: '/commands/$farmUID' });
  return <CommandLog key={farmUID} farmUID={farmUID} />;
}

function CommandLog({ farmUID }: { farmUID: string }) {
  const search: CommandsSearch = useSearch({ strict: false });
  const { data: farms } = useQuery(farmsCardQuery);
  const canDashboard = useCan(needs.dashboard, farmUID);
  // The log stands by the farm's days: in another zone's it would be put together twice.
  const { isPending: isZonePending } = useQuery(farmQuery(farmUID));
  const query = useInfiniteQuery(commandsQuery(farmUID));
  const { data, error, isFetching, isFetchNextPageError, refetch } = query;
  useLiveCommands(farmUID);
  const filter = readLogFilter(search.show);
  // Older commands that didn't come say so at the list's end; those on the screen are not old for it.
  const first = {
    data: isZonePending ? undefined : data,
    error,
    isFetching,
    refetch,
    isError: query.isError && !isFetchNextPageError,
  };
  return (
    <>
      <TitleBar
        title="Commands"
        subtitle={farms?.find(({ _id }) => _id === farmUID)?.name}
        back={canDashboard ? '/dashboard' : '/'}
      />
      <nav aria-label="Which commands" className={`${tabs.tabs} ${classes.filter}`}>
        {logFilters.map((name) => (
          <Link
            key={name}
            to="/commands/$farmUID"
            params={{ farmUID }}
            search={(before) => ({ ...before, show: name === 'all' ? undefined : name })}
            activeOptions={{ exact: true, includeSearch: true }}
            replace
            className={tabs.tab}
          >
            {filterNames[name]}
          </Link>
        ))}
      </nav>
      <StateView
        query={first}
        failed="The commands couldn't be loaded"
        skeleton={<LogSkeleton />}
        isEmpty={({ pages }) => pages.every(({ commands }) => commands.length === 0)}
        empty={<NoCommands />}
      >
        {({ pages }) => <CommandList farmUID={farmUID} pages={pages} filter={filter} query={query} />}
      </StateView>
      <CommandDrawerHost farmUID={farmUID} />
    </>
  );
}

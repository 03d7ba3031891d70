import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Command } from '@headrace/contract/commands';
import type { Timezone } from '@headrace/contract/farms';
import { dayStart } from '@headrace/contract/rules/farm-time';
import { useNow } from '../../ui/clock.ts';
import { exactTime } from '../../ui/format.ts';
import { Empty, RetryButton } from '../../ui/state-view.tsx';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { CommandRow } from './command-row.tsx';
import { dayName } from './command-times.ts';
import { isIn, type LogFilter } from './command-labels.ts';
import type { Pages } from './commands.queries.ts';
import { useHeldBack } from './use-held-back.ts';
import classes from './commands.module.css';

/** Older commands are asked for this long before the reader comes to the end, px. */
const AHEAD_PX = 800;

type Pager = Pick<
  UseInfiniteQueryResult,
  'fetchNextPage' | 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError'
>;
export interface CommandListProps {
  farmUID: string;
  pages: Pages['pages'];
  filter: LogFilter;
  query: Pager;
}

/** The commands by day, the newest first. */
export function CommandList({ farmUID, pages, filter, query }: CommandListProps) {
  const zone = useChartZone(farmUID);
  const today = dayStart(zone, useNow());
  const commands = useMemo(() => pages.flatMap(({ commands }) => commands), [pages]);
  const matching = useMemo(() => commands.filter((command) => isIn(filter, command)), [commands, filter]);
  const { shown, held } = useHeldBack(matching);
  const days = useMemo(() => byDay(shown, today, zone), [shown, today, zone]);
  return (
    <div className={classes.log}>
      {held > 0 && <NewOnes count={held} />}
      {days.map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h2 className={classes.day}>{day}</h2>
          <ul className={classes.list}>
            {ofDay.map((command) => (
              <CommandRow key={command._id} command={command} zone={zone} />
            ))}
          </ul>
        </section>
      ))}
      {shown.length === 0 && <NoneOfThese filter={filter} isAll={!query.hasNextPage} />}
      <Older query={query} isByItself={filter === 'all'}>
        {filter !== 'all' && lookedBackTo(commands, zone)}
      </Older>
    </div>
  );
}

function byDay(commands: readonly Command[], today: number, zone: Timezone): [string, Command[]][] {
  const days = new Map<string, Command[]>();
  for (const command of commands) {
    const day = dayName(Date.parse(command.createdAt), today, zone);
    const ofDay = days.get(day);
    if (ofDay) ofDay.push(command);
    else days.set(day, [command]);
  }
  return [...days];
}

function lookedBackTo(commands: readonly Command[], zone: Timezone): string {
  const oldest = commands.at(-1);
  return oldest ? `Looked back to ${exactTime(Date.parse(oldest.createdAt), zone)}.` : '';
}

function NewOnes({ count }: { count: number }) {
  const goUp = () => scrollTo({ top: 0, behavior: 'smooth' });
  return (
    <div className={classes.pillPlace} role="status">
      <Button radius="xl" leftSection={<IconArrowUp size={18} aria-hidden="true" />} onClick={goUp}>
        {count === 1 ? '1 new command' : `${count} new commands`}
      </Button>
    </div>
  );
}

/** The end of what is there, and the way to what came before. It goes on by itself where no filter hides it all. */
function Older({ query, isByItself, children }: { query: Pager; isByItself: boolean; children: ReactNode }) {
  const { fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query;
  const end = useRef<HTMLDivElement>(null);
  const isWatching = isByItself && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (!isWatching || !end.current) return undefined;
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage(), {
      rootMargin: `${AHEAD_PX}px`,
    });
    watcher.observe(end.current);
    return () => watcher.disconnect();
  }, [isWatching, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={end} className={classes.older}>
      {isFetchNextPageError ? (
        <>
          <span role="alert">Older commands couldn't be loaded.</span>
          <RetryButton onClick={() => void fetchNextPage()} isBusy={isFetchingNextPage} />
        </>
      ) : (
        <>
          {children && <span className="num">{children}</span>}
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older commands
          </Button>
        </>
      )}
    </div>
  );
}

export function NoCommands() {
  return (
    <Empty title="No commands yet">
      What is sent to this farm's gateways and sprinklers is listed here, step by step. Open one on the map to
      send it something.
    </Empty>
  );
}

function NoneOfThese({ filter, isAll }: { filter: LogFilter; isAll: boolean }) {
  const those = filter === 'under-way' ? 'No command is under way' : 'Every command was done';
  return <Empty title={isAll ? those : `${those} among those looked through`} />;
}
